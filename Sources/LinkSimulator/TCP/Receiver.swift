/// The receiving half of a TCP endpoint: received data, and when to acknowledge it.
struct Receiver: Sendable {
  /// A contiguous run of segments received beyond a hole.
  struct Run: Sendable {
    var start: Int
    var end: Int
    /// The direction's byte count at the run's end.
    var bytes: Int64
  }

  /// The segment that is expected next, and the bytes before it.
  private(set) var next = 0
  private(set) var bytes: Int64 = 0
  /// The runs of segments that have arrived beyond holes, in order.
  private(set) var runs: [Run] = []
  /// The blocks that were added to last, newest first (`tp->selective_acks`).
  private var recent: [SelectiveBlocks.Block] = []
  private var duplicate: SelectiveBlocks.Block?
  private(set) var window = ReceiveWindow()
  var pacing = AcknowledgementPacing()
  /// The timestamp to echo.
  private(set) var timestamp: Int64 = -1
  /// The right edge of the window that was announced last.
  private var edge = ReceiveWindow.initial

  /// How many segments have arrived beyond holes.
  private var beyond = 0
  /// How many have arrived in order that the application has not read yet.
  private var unread = 0
  /// How far what has arrived reaches beyond what is expected, in bytes.
  private var span: Int64 { runs.last.map { $0.bytes - bytes } ?? 0 }

  /// Takes a segment with data.
  mutating func receive(_ packet: borrowing Packet, at now: Int64, timeout: Int64, clock: TickClock) {
    noteTimestamp(packet.stamp, segment: packet.segment)
    let end = packet.segmentsEnd
    if packet.segment >= next, packet.echo >= 0 {
      window.sample(echo: packet.echo, isFull: packet.length >= pacing.segmentSize, now: now, clock: clock)
    }
    if packet.segment <= next, end > next {
      // What has arrived of it before is reported (`tcp_data_queue`).
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

  /// Takes an acknowledgement without data.
  @inline(__always)
  mutating func receiveAcknowledgement(_ packet: borrowing Packet, clock: TickClock) {
    noteTimestamp(packet.stamp, segment: packet.segment)
    if packet.echo >= 0 { window.noteFirst(echo: packet.echo, clock: clock) }
  }

  /// Takes the timestamp of a packet that begins with this segment.
  ///
  /// RFC 7323, section 4.3: the echo is that of the segment that the last acknowledgement was waiting for, and never older
  /// than it was.
  @inline(__always)
  mutating func noteTimestamp(_ stamp: Int64, segment: Int) {
    if segment <= pacing.acknowledged, stamp >= timestamp { timestamp = stamp }
  }

  /// Whether a packet is so old that it may have to be refused.
  @inline(__always)
  func mayRefuse(_ packet: borrowing Packet) -> Bool {
    if packet.stamp < timestamp { return true }
    return isOld(packet)
  }

  /// Whether a packet has data that lies wholly below what was acknowledged (`tcp_sequence`).
  @inline(__always)
  func isOld(_ packet: borrowing Packet) -> Bool {
    if packet.length == 0 { return false }
    return packet.segmentsEnd < pacing.acknowledged
  }

  /// Takes note of a segment that is refused: the next acknowledgement reports it, if it had arrived before.
  mutating func refuse(_ packet: borrowing Packet) {
    guard packet.segment < next else { return }
    duplicate = SelectiveBlocks.Block(start: packet.segment, end: packet.segmentsEnd)
    pacing.becomeQuick(offered: window.offered)
  }

  /// Takes the timestamp of the handshake.
  mutating func begin(timestamp: Int64, at now: Int64, offering: Int64) {
    self.timestamp = timestamp
    window.begin(at: now, offering: offering)
    edge = offering
  }

  /// Whether an acknowledgement is due now; otherwise it may have been put off.
  mutating func mustAcknowledge(at now: Int64, timeout: Int64, smoothed: Int64, clock: TickClock)
    -> Bool
  {
    guard pacing.isScheduled else { return false }
    return pacing.decide(
      unacknowledged: bytes - pacing.acknowledgedBytes, hasHoles: !runs.isEmpty, next: next,
      now: now, timeout: timeout,
      smoothed: smoothed, roundTrip: window.roundTrip, clock: clock)
  }

  /// Writes what an outgoing packet says about what has arrived.
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

  /// The bytes that the next packet has for what has arrived beyond holes (`tcp_established_options`).
  @inline(__always)
  var optionSize: Int {
    if runs.isEmpty, duplicate == nil { return 0 }
    return SelectiveBlocks.size(of: min(recent.count + (duplicate == nil ? 0 : 1), SelectiveBlocks.most))
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
    // RFC 5681, section 4.2: at once when the last gap is filled.
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

  /// Takes several segments beyond a hole, some of which may have arrived before.
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

  /// Keeps the four blocks that grew last, the newest first (`tcp_sack_new_ofo_skb`).
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
