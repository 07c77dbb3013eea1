struct Receiver: Sendable {
  /// A contiguous run of segments received beyond a hole.
  struct Run: Sendable {
    var start: Int
    var end: Int
    /// The direction's byte count at the run's end.
    var bytes: Int64
  }

  /// The segment that is expected next; `bytes` counts the bytes before it.
  private(set) var next = 0
  private(set) var bytes: Int64 = 0
  /// The runs of segments received beyond holes, in order.
  private(set) var runs: [Run] = []
  /// The runs that grew most recently, newest first, for SACK blocks (`tp->selective_acks`).
  private var recent: [SelectiveBlocks.Block] = []
  private(set) var window = ReceiveWindow()
  var pacing = AcknowledgementPacing()
  /// The timestamp to echo in outgoing packets.
  private(set) var timestamp: Int64 = -1
  /// The right edge of the window in the last announcement.
  private var edge = ReceiveWindow.initial

  /// How many segments have been received beyond holes.
  private var beyond = 0
  /// How many segments received in order the application has not read yet.
  private var unread = 0
  /// The segments that the next acknowledgement reports as duplicates.
  ///
  /// The property stands last to save padding.
  private var duplicate: SelectiveBlocks.Block?

  /// How many bytes the received data reaches beyond the expected segment.
  private var span: Int64 { runs.last.map { $0.bytes - bytes } ?? 0 }

  mutating func receive(_ packet: borrowing Packet, at now: Int64, timeout: Int64, clock: TickClock) {
    noteTimestamp(packet.stamp, segment: packet.segment)
    let end = packet.segmentsEnd
    if packet.segment >= next, packet.echo >= 0 {
      window.sample(echo: packet.echo, isFull: packet.length >= pacing.segmentSize, now: now, clock: clock)
    }
    if packet.segment <= next, end > next {
      // The part that had arrived before is reported as a D-SACK (`tcp_data_queue`).
      if packet.segment < next { duplicate = SelectiveBlocks.Block(start: packet.segment, end: next) }
      next = end
      bytes = packet.end
      pacing.arrived(
        length: packet.length, pushes: packet.pushes, at: now, timeout: timeout,
        offered: window.offered)
      if window.grow(length: Int64(packet.length), held: beyond + 1) { pacing.windowGrew() }
      if !runs.isEmpty { closeHole() }
      unread = next - end + 1
      window.adjust(read: packet.end, queued: bytes - packet.end, span: span, now: now)
    } else if packet.segment < next {
      duplicate = SelectiveBlocks.Block(start: packet.segment, end: end)
      pacing.becomeQuick(offered: window.offered)
    } else {
      let held = beyond
      insert(packet)
      unread = 0
      if window.grow(length: Int64(packet.length), held: held) { pacing.windowGrew() }
      window.reached(span: span)
    }
    pacing.isScheduled = true
  }

  @inline(__always)
  mutating func receiveAcknowledgement(_ packet: borrowing Packet, clock: TickClock) {
    noteTimestamp(packet.stamp, segment: packet.segment)
    if packet.echo >= 0 { window.noteFirst(echo: packet.echo, clock: clock) }
  }

  /// Records the timestamp of a packet that starts with this segment, for the echo.
  ///
  /// RFC 7323, section 4.3: the echoed timestamp is that of the segment awaited by the last acknowledgement. It never
  /// decreases.
  @inline(__always)
  mutating func noteTimestamp(_ stamp: Int64, segment: Int) {
    if segment <= pacing.acknowledged, stamp >= timestamp { timestamp = stamp }
  }

  /// Whether a packet may be outdated, so that `Endpoint` must check whether to reject it.
  @inline(__always)
  func mayRefuse(_ packet: borrowing Packet) -> Bool {
    if packet.stamp < timestamp { return true }
    return isOld(packet)
  }

  /// Whether all data of a packet precedes what was acknowledged (`tcp_sequence`).
  @inline(__always)
  func isOld(_ packet: borrowing Packet) -> Bool {
    if packet.length == 0 { return false }
    return packet.segmentsEnd < pacing.acknowledged
  }

  /// Records a rejected segment; the next acknowledgement reports it as a duplicate if it had arrived before.
  mutating func refuse(_ packet: borrowing Packet) {
    guard packet.segment < next else { return }
    duplicate = SelectiveBlocks.Block(start: packet.segment, end: packet.segmentsEnd)
    pacing.becomeQuick(offered: window.offered)
  }

  /// Starts the receiver with the handshake's timestamp and the window that it offered.
  mutating func begin(timestamp: Int64, at now: Int64, offering: Int64) {
    self.timestamp = timestamp
    window.begin(at: now, offering: offering)
    edge = offering
  }

  /// Whether to acknowledge now; otherwise the acknowledgement may have been delayed.
  mutating func mustAcknowledge(at now: Int64, timeout: Int64, smoothed: Int64, clock: TickClock)
    -> Bool
  {
    guard pacing.isScheduled else { return false }
    return pacing.decide(
      unacknowledged: bytes - pacing.acknowledgedBytes, hasHoles: !runs.isEmpty, next: next,
      now: now, timeout: timeout,
      smoothed: smoothed, roundTrip: window.roundTrip, clock: clock)
  }

  /// Writes acknowledgement, window, echo and SACK blocks into an outgoing packet.
  @inline(__always)
  mutating func stamp(_ packet: inout Packet) {
    packet.acknowledged = next
    edge = bytes.saturatingAdd(window.announced(held: beyond + unread, current: edge - bytes))
    unread = 0
    packet.windowEdge = edge
    packet.echo = timestamp
    if !runs.isEmpty || duplicate != nil { addBlocks(&packet) }
    pacing.acknowledgementSent(next: next, bytes: bytes)
  }

  /// The bytes of the SACK option in the next packet (`tcp_established_options`).
  @inline(__always)
  var optionSize: Int {
    if runs.isEmpty, duplicate == nil { return 0 }
    return SelectiveBlocks.size(of: min(recent.count + (duplicate == nil ? 0 : 1), SelectiveBlocks.most))
  }

  mutating func releaseAll() {
    if runs.isEmpty { runs = [] }
    if recent.isEmpty { recent = [] }
  }

  private mutating func addBlocks(_ packet: inout Packet) {
    if let block = duplicate {
      packet.blocks.append(block)
      packet.blocks.firstIsDuplicate = true
      duplicate = nil
    }
    for block in recent where packet.blocks.count < SelectiveBlocks.most { packet.blocks.append(block) }
    packet.size += Int32(packet.blocks.size)
  }

  private mutating func closeHole() {
    while let first = runs.first, first.start <= next {
      beyond -= runs[0].end - runs[0].start
      next = max(next, runs[0].end)
      bytes = max(bytes, runs[0].bytes)
      runs.removeFirst()
      let delivered = next
      recent.removeAll { $0.end <= delivered }
    }
    // Acknowledge at once when the last hole is filled (RFC 5681, section 4.2).
    if runs.isEmpty { pacing.mustSendNow = true }
  }

  private mutating func insert(_ packet: borrowing Packet) {
    let number = packet.segment
    if packet.blocks.joined > 0 { return insertJoined(packet) }
    var place = runs.count
    while place > 0, runs[place - 1].start > number { place -= 1 }
    if place > 0, runs[place - 1].end > number {
      duplicate = SelectiveBlocks.Block(start: number, end: number + 1)
      return
    }
    beyond += 1
    let extendsLower = place > 0 && runs[place - 1].end == number
    let extendsUpper = place < runs.count && runs[place].start == number + 1
    switch (extendsLower, extendsUpper) {
    case (true, true):
      runs[place - 1].end = runs[place].end
      runs[place - 1].bytes = runs[place].bytes
      runs.remove(at: place)
    case (true, false):
      runs[place - 1].end = number + 1
      runs[place - 1].bytes = packet.end
    case (false, true):
      runs[place].start = number
    case (false, false):
      runs.insert(Run(start: number, end: number + 1, bytes: packet.end), at: place)
    }
    remember(SelectiveBlocks.Block(start: number, end: number + 1))
  }

  /// Inserts a packet of several segments beyond a hole, of which some may have arrived before.
  private mutating func insertJoined(_ packet: borrowing Packet) {
    let block = SelectiveBlocks.Block(start: packet.segment, end: packet.segmentsEnd)
    if runs.contains(where: { $0.start <= block.start && block.end <= $0.end }) {
      duplicate = block
      return
    }
    var run = Run(start: block.start, end: block.end, bytes: packet.end)
    for other in runs where other.start <= run.end && run.start <= other.end {
      beyond -= other.end - other.start
      if other.end > run.end { (run.end, run.bytes) = (other.end, other.bytes) }
      run.start = min(run.start, other.start)
    }
    let (start, end) = (run.start, run.end)
    runs.removeAll { $0.start <= end && start <= $0.end }
    runs.insert(run, at: runs.firstIndex { $0.start > end } ?? runs.count)
    beyond += end - start
    remember(block)
  }

  /// Keeps the four runs that grew most recently, newest first (`tcp_sack_new_ofo_skb`).
  private mutating func remember(_ new: SelectiveBlocks.Block) {
    var block = new
    var index = 0
    while index < recent.count {
      let other = recent[index]
      if other.end >= block.start, other.start <= block.end {
        block.start = min(block.start, other.start)
        block.end = max(block.end, other.end)
        recent.remove(at: index)
      } else {
        index += 1
      }
    }
    if recent.count >= 4 { recent.removeLast() }
    recent.insert(block, at: 0)
  }
}
