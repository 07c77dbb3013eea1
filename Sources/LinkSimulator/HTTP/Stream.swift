/// A reference to a request's record, which detects that the record was reused for another request.
struct StreamHandle: Hashable, Sendable {
  var slot: Int32
  /// The lowest bits of the request's number.
  var tag: Int32

  static let none = StreamHandle(slot: -1, tag: 0)
}

/// One request in transit: the bytes handed in and received in each direction, and its faults.
///
/// It is one flat record below 512 bytes, because a table holds thousands of them.
struct Stream: Sendable {
  enum State: UInt8 {
    /// The caller has opened the request, which starts at the next step.
    case pending
    case resolving
    case waiting
    case connecting
    case active
    case ended
  }

  /// The progress of one direction of a request.
  struct Half: Sendable {
    /// Bytes handed in that are not on the connection yet and not held back.
    var ready: Int64 = 0
    /// Bytes handed in that ``Throttle`` holds back.
    private(set) var held: Int64 = 0
    /// The bytes of the last throttle tick that were not used.
    private var credit: Int64 = 0
    var written: Int64 = 0
    /// Bytes that have arrived in order.
    var read: Int64 = 0
    /// Whether the end of the message follows the bytes that are held back.
    private var holdsEnd = false
    /// Whether the bytes held back wait for the latency, or for throttle ticks.
    var isThrottled = false
    /// Whether the application will hand in no more bytes.
    var isFinished = false
    /// Whether the end of the message is on the connection.
    var isEnded = false
    /// Whether the end of the message has arrived.
    var isComplete = false
    /// Whether this half is queued among those with bytes to send.
    var isQueued = false
    /// Whether a frame already contains the end of the message.
    private var isEndFramed = false
    /// How many ready bytes are already in frames (``OutputQueue``); `head` counts the head's bytes in no frame yet.
    private(set) var framed: Int64 = 0
    var head: Int64 = 0
    /// The bytes on this half's QUIC stream, and its flow control limit (RFC 9000, section 4.1).
    private var carried: Int64 = 0
    private(set) var limit = Int64.max
    /// How many buffers the server has for this half, and how many of them are free.
    private var buffers: Int32 = 0
    private var freeBuffers: Int32 = 0

    /// Bytes handed in that are not on the connection yet, including those held back.
    var waiting: Int64 { ready + held }
    /// Whether bytes or the end of the message are held back.
    var isHeld: Bool { held > 0 || holdsEnd }
    /// Whether the application may hand in no more bytes.
    var isWritten: Bool { isFinished || holdsEnd }

    /// Holds back the ready bytes, except the first `free` bytes of a message.
    mutating func hold(after free: Int64) {
      let spared = min(ready, max(0, free - (written - waiting)))
      if ready == spared, held == 0 { return }
      held += ready - spared
      ready = spared
      holdsEnd = isFinished
      isFinished = false
    }

    /// Releases up to `count` held bytes (`nil`: all), plus the rest of the last tick; returns whether that was all.
    mutating func release(_ count: Int64?) -> Bool {
      let released = min(held, count.map { credit + $0 } ?? .max)
      credit = count.map { credit + $0 - released } ?? 0
      held -= released
      ready += released
      guard held == 0 else { return false }
      if holdsEnd { (isFinished, holdsEnd) = (true, false) }
      isThrottled = false
      return true
    }

    mutating func discard() {
      (ready, held, holdsEnd) = (0, 0, false)
      isFinished = true
      isEnded = true
    }

    /// Takes the message head, if it is not in a frame yet; `nil` until all of it is ready.
    mutating func takeHead() -> Int64? {
      guard head > 0, head <= ready else { return nil }
      framed += head
      defer { head = 0 }
      return head
    }

    /// Takes the bytes of one buffer, and whether they are the last; `nil` without bytes or a free buffer.
    mutating func takeBuffer(isFirst: Bool, isCut: Bool) -> (count: Int64, isLast: Bool)? {
      // A head that is partly held back goes first.
      if head > 0 { return nil }
      let count = min(ready - framed, OutputQueue.bufferSize)
      let isLast = (isFinished || isCut) && count == ready - framed
      guard count > 0 || (isLast && !isEndFramed) else { return nil }
      if count > 0 {
        if freeBuffers > 0 {
          freeBuffers -= 1
        } else if isFirst, buffers < OutputQueue.buffers {
          buffers += 1
        } else {
          return nil
        }
      }
      framed += count
      if isLast { isEndFramed = true }
      return (count, isLast)
    }

    /// Records that a piece of its frames was written to the kernel.
    mutating func written(_ piece: OutputQueue.Piece) {
      framed -= piece.payload
      ready -= piece.payload
      guard piece.isEnd else { return }
      if piece.frame.endsBuffer { freeBuffers += 1 }
      if piece.frame.isLast || piece.frame.isCut { isEnded = true }
    }

    @inline(__always)
    mutating func noteRead(_ portion: FramingQueue.Portion) {
      read += portion.payload
      if portion.isLast { isComplete = true }
    }

    /// Begins a QUIC stream with a flow control limit.
    mutating func beginStream(upTo limit: Int64) { (carried, self.limit) = (0, limit) }
    mutating func raise(to limit: Int64) { self.limit = max(self.limit, limit) }

    /// How many more bytes the receiver's limit allows, after a frame header.
    var allowed: Int64 { max(0, limit - carried - Int64(Connection.frameHead)) }

    /// Records bytes on the stream, including frame headers; at the limit, this half waits for an update.
    mutating func carry(_ count: Int64) {
      carried += count
      if allowed == 0 { isQueued = false }
    }

    /// How many bytes are left of the piece that an HTTP/3 server writes at once.
    ///
    /// The first piece is 4 KiB, later ones 32 KiB (Go, `bufio.Writer` and `io.Copy`). A packet ends with each piece.
    var pieceLeft: Int64 {
      let done = written - waiting
      return done < 4_096 ? 4_096 - done : 32_768 - (done - 4_096) % 32_768
    }

    /// Takes the bytes of the next frame, and whether it is the last.
    mutating func takeFrame(of size: Int64) -> (count: Int64, isLast: Bool) {
      let count = min(ready, size)
      ready -= count
      isEnded = isFinished && ready == 0
      isQueued = ready > 0
      return (count, isEnded)
    }
  }

  let number: Int
  /// The number that the caller gave the request.
  let owner: Int
  let key: UInt64
  var state = State.pending
  let needsResolution: Bool
  let use: StreamRequest.ConnectionUse
  private(set) var pool: Int32
  var connection: Int32 = -1
  var up = Half()
  var down = Half()
  /// The response bytes that were reported to the client.
  var delivered: Int64 = 0
  var plan: FaultStages?
  /// Whether the server has aborted the request, and whether it has sent the reset.
  var isAborted = false
  var isResetSent = false
  /// Whether the client sends no more of the request.
  var isStopped = false
  /// Whether the connection is kept or closed after the response.
  var persistence = StreamRequest.Persistence.kept
  /// Whether a fault ends the response early.
  private var isCutOff = false
  /// Whether a fault ends the response early and all bytes before that end were released.
  var isCut: Bool { isCutOff && down.held == 0 }
  /// Whether the client was told that the response has ended, although the request continues.
  var isEndTold = false
  /// Whether to free the record when the request has ended.
  var isForgotten = false
  /// Whether the response has already waited for its latency.
  var isDelayed = false
  let priority: ResponsePriority?
  /// The size of the request's head, which is never held back.
  let headBytes: Int64
  /// When the server had read the request; `.max` before.
  var readAt = Int64.max
  /// When the latency wait is over; `.max` without one.
  var heldUntil = Int64.max
  /// When the stream's timer is due; `.max` without one.
  var wakeAt = Int64.max
  var statistics = StreamStatistics()

  init(number: Int, _ request: StreamRequest, pool: Int32) {
    self.number = number
    owner = request.owner
    key = request.key
    needsResolution = request.needsResolution
    use = request.use
    headBytes = request.headBytes
    priority = request.priority
    persistence = request.use == .pooled ? .kept : .endOfResponse
    self.pool = pool
    plan = FaultStages(request.faults)
  }

  var id: StreamID { StreamID(number: number, owner: owner) }

  @inline(__always)
  subscript(direction: Direction) -> Half {
    get { direction == .up ? up : down }
    set { if direction == .up { up = newValue } else { down = newValue } }
  }

  /// Whether the request may end: its response has arrived, and no more of the request is awaited.
  var isAnswered: Bool { down.isComplete && (up.isComplete || isStopped) }

  /// Whether the request needs a connection that no other request uses.
  var forcesConnection: Bool { use != .pooled || plan?.forcesConnection ?? false }

  /// Accepts bytes from a client or server; returns `false` if the direction has already ended.
  mutating func take(_ count: Int64, _ direction: Direction, isLast: Bool) -> Bool {
    let isOver = direction == .up ? isStopped : isAborted || isCutOff
    if isOver || state == .ended || self[direction].isWritten { return false }
    var (count, isLast) = (count, isLast)
    // If the connection's close marks the response's end, even a complete response can lose its end.
    if direction == .down, let cut = plan?.cut,
      down.written.saturatingAdd(count).saturatingAdd(isLast && persistence == .endOfResponse ? 1 : 0) > cut.after
    {
      (count, isLast) = (max(0, cut.after - down.written), false)
      isCutOff = true
    }
    self[direction].ready = self[direction].ready.saturatingAdd(count)
    self[direction].written = self[direction].written.saturatingAdd(count)
    self[direction].isFinished = isLast
    return true
  }

  /// Records that the server has read bytes of the request.
  ///
  /// On a connection for this request alone, the next response waits for the latency again.
  mutating func wasRead(isWhole: Bool, at time: Int64) {
    if isWhole || use != .pooled { readAt = time }
    if use != .pooled { isDelayed = false }
  }

  /// Moves the request to another pool, before it uses a connection.
  mutating func change(to pool: Int32) { self.pool = pool }
}

/// The faults of one request, sorted by the stage at which they occur.
struct FaultStages: Sendable {
  struct Stall: Sendable {
    var after: Int64
    /// The duration in nanoseconds; `.max` for ever.
    var duration: Int64
  }

  var failsResolution = false
  var isRefused = false
  var isUnreachable = false
  var failsHandshake = false
  var goesAway = false
  /// The server resets the connection after this many request bytes.
  var resetUp: Int64?
  /// The response is cut after this many bytes, in this way.
  var cut: (after: Int64, kind: FramingQueue.Chunk.Kind)?
  /// The stalls by position, the next one last.
  var stalls: [Stall] = []
  var isStalled = false
  var slowClose: Int64 = 0
  /// The longest time that the server keeps the connection idle; `.max` without a limit.
  var idleLimit = Int64.max
  /// How long without a packet until a middlebox forgets the connection; `.max` for never.
  var natLimit = Int64.max

  var forcesConnection: Bool { isRefused || isUnreachable || failsHandshake }

  init?(_ faults: [StreamFault]) {
    guard !faults.isEmpty else { return nil }
    add(faults)
  }

  mutating func add(_ faults: [StreamFault]) {
    for fault in faults {
      switch fault {
      case .resolutionFailure: failsResolution = true
      case .refused: isRefused = true
      case .unreachable: isUnreachable = true
      case .handshakeFailure: failsHandshake = true
      case .goAway: goesAway = true
      case .reset(.up, let bytes): resetUp = min(resetUp ?? .max, max(0, bytes))
      case .reset(.down, let bytes): addCut(max(0, bytes), .reset)
      case .truncation(let bytes): addCut(max(0, bytes), .fin)
      case .streamReset(let bytes): addCut(max(0, bytes), .cancellation)
      case .stall(let bytes, let duration):
        stalls.append(
          Stall(
            after: max(0, bytes), duration: duration.map { max(0, $0.wholeNanoseconds) } ?? .max))
      case .slowClose(let delay):
        slowClose = slowClose.saturatingAdd(max(0, delay.wholeNanoseconds))
      case .idleClose(let time): idleLimit = min(idleLimit, max(0, time.wholeNanoseconds))
      case .idleForget(let time): natLimit = min(natLimit, max(0, time.wholeNanoseconds))
      }
    }
    stalls.sort { $0.after > $1.after }
  }

  private mutating func addCut(_ bytes: Int64, _ kind: FramingQueue.Chunk.Kind) {
    if let cut, cut.after <= bytes { return }
    cut = (bytes, kind)
  }
}
