/// A reference to a request's record that notices when the record has been given to another request.
struct StreamHandle: Hashable, Sendable {
  /// The place of the record.
  var slot: Int32
  /// The lowest bits of the request's number.
  var tag: Int32

  /// No request.
  static let none = StreamHandle(slot: -1, tag: 0)
}

/// One request on its way: what was handed in, what has arrived, and what goes wrong with it.
///
/// It is one flat record, whose flags lie side by side: thousands of them stand in a table, each below 512 bytes.
struct Stream: Sendable {
  enum State: UInt8 {
    /// Handed in; starts at the next step.
    case pending
    case resolving
    /// Waits for a connection.
    case waiting
    /// Waits for its own connection to stand.
    case connecting
    /// On a connection.
    case active
    case ended
  }

  /// The progress of one direction of a request.
  struct Half: Sendable {
    /// Bytes handed in that are not on the connection yet.
    var ready: Int64 = 0
    /// Bytes handed in that ``Throttle`` holds back.
    private(set) var held: Int64 = 0
    /// The bytes that are left over of its last tick.
    private var credit: Int64 = 0
    /// Bytes handed in so far.
    var written: Int64 = 0
    /// Bytes that have arrived in order.
    var read: Int64 = 0
    /// Whether the end stands behind the bytes that are held back.
    private var holdsEnd = false
    /// Whether it waits for its latency, or for ticks.
    var isThrottled = false
    /// Whether no more will be handed in.
    var isFinished = false
    /// Whether the end is on the connection.
    var isEnded = false
    /// Whether the end has arrived.
    var isComplete = false
    /// Whether it stands in the line of those with something to send.
    var isQueued = false
    /// Whether its end stands in a frame already.
    private var isEndFramed = false
    /// Of what is ready, the bytes that stand in frames already (``OutputQueue``), and those of a head that do not yet.
    private(set) var framed: Int64 = 0
    var head: Int64 = 0
    /// How many bytes are on its stream of QUIC, and how many may be (RFC 9000, section 4.1).
    private var carried: Int64 = 0
    private(set) var limit = Int64.max
    /// How many buffers the server has for it, and how many of them are free.
    private var buffers: Int32 = 0
    private var freeBuffers: Int32 = 0

    /// Bytes handed in that are not on the connection yet.
    var waiting: Int64 { ready + held }
    /// Whether something is held back.
    var isHeld: Bool { held > 0 || holdsEnd }
    /// Whether no more may be handed in.
    var isWritten: Bool { isFinished || holdsEnd }

    /// Holds back what is ready, but for the first bytes of a message up to `free`.
    mutating func hold(after free: Int64) {
      let spared = min(ready, max(0, free - (written - waiting)))
      if ready == spared, held == 0 { return }
      held += ready - spared
      ready = spared
      holdsEnd = isFinished
      isFinished = false
    }

    /// Hands over what is held back, up to so many bytes and those left over of its last tick; whether that was all.
    ///
    /// - Parameter count: `nil` is all.
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

    /// Takes back what is not on the connection yet.
    mutating func discard() {
      (ready, held, holdsEnd) = (0, 0, false)
      isFinished = true
      isEnded = true
    }

    /// Takes the head that stands in no frame yet.
    mutating func takeHead() -> Int64? {
      guard head > 0, head <= ready else { return nil }
      framed += head
      defer { head = 0 }
      return head
    }

    /// Takes the bytes of a buffer, and says whether they are the last; nothing where there are none, or no buffer.
    mutating func takeBuffer(isFirst: Bool, isCut: Bool) -> (count: Int64, isLast: Bool)? {
      // A head that is held back in part goes first.
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

    /// A stretch of its frames goes to the kernel.
    mutating func written(_ piece: OutputQueue.Piece) {
      framed -= piece.payload
      ready -= piece.payload
      guard piece.isEnd else { return }
      if piece.frame.endsBuffer { freeBuffers += 1 }
      if piece.frame.isLast || piece.frame.isCut { isEnded = true }
    }

    /// A stream of QUIC begins.
    mutating func beginStream(upTo limit: Int64) { (carried, self.limit) = (0, limit) }
    mutating func raise(to limit: Int64) { self.limit = max(self.limit, limit) }

    /// How many more bytes its receiver takes, with the head of a frame.
    var allowed: Int64 { max(0, limit - carried - Int64(Connection.frameHead)) }

    /// So many bytes with their frame's head are on the stream; where no more are allowed it waits for an offer.
    mutating func carry(_ count: Int64) {
      carried += count
      if allowed == 0 { isQueued = false }
    }

    /// How many bytes are left of the piece that a server of HTTP/3 writes at once.
    ///
    /// It is 4 KiB, and then 32 KiB each time (Go, `bufio.Writer` and `io.Copy`), and a packet ends with it.
    var pieceLeft: Int64 {
      let done = written - waiting
      return done < 4_096 ? 4_096 - done : 32_768 - (done - 4_096) % 32_768
    }

    /// Takes the bytes of the next frame, and says whether it is the last.
    mutating func takeFrame(of size: Int64) -> (count: Int64, isLast: Bool) {
      let count = min(ready, size)
      ready -= count
      isEnded = isFinished && ready == 0
      isQueued = ready > 0
      return (count, isEnded)
    }
  }

  private(set) var number: Int
  /// The number that its asker gave it.
  let owner: Int
  let key: UInt64
  var state = State.pending
  let needsResolution: Bool
  let use: StreamRequest.ConnectionUse
  private(set) var pool: Int32
  var connection: Int32 = -1
  var up = Half()
  var down = Half()
  /// Bytes of the response that the client was told of.
  var delivered: Int64 = 0
  var plan: StreamFaults?
  /// Whether the server has given the request up, and whether it has said so.
  var isAborted = false
  var isResetSent = false
  /// Whether the client sends no more of the request.
  var isStopped = false
  /// How its connection goes on after the response.
  var persistence = StreamRequest.Persistence.kept
  /// Whether a fault ends the response before its time.
  private var isCutOff = false
  /// Whether it does, and all before that end has been handed over.
  var isCut: Bool { isCutOff && down.held == 0 }
  /// Whether the client was told that the response has ended, while the request goes on.
  var isEndTold = false
  /// Whether its record may go once it has ended.
  var isForgotten = false
  /// Whether the response has been charged its latency.
  var isDelayed = false
  let priority: ResponsePriority?
  /// How many bytes the head of the request has, which is never held back.
  let headBytes: Int64
  /// When the server had read the request; `.max` before.
  var heardAt = Int64.max
  /// When its latency is over; `.max` when it does not wait for that.
  var heldUntil = Int64.max
  /// When the stream wants to be woken; `.max` when not.
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
    plan = StreamFaults(request.faults)
  }

  var id: StreamID { StreamID(number: number, owner: owner) }

  /// One direction of the request.
  @inline(__always)
  subscript(direction: Direction) -> Half {
    get { direction == .up ? up : down }
    set { if direction == .up { up = newValue } else { down = newValue } }
  }

  /// Whether nothing keeps the request from ending: its response has come, and it waits for no more of itself.
  var isAnswered: Bool { down.isComplete && (up.isComplete || isStopped) }

  /// Whether it shares its connection with no other.
  var forcesConnection: Bool { use != .pooled || plan?.forcesConnection ?? false }

  /// Takes bytes that a client or a server has ready; `false` when they come too late.
  mutating func take(_ count: Int64, _ direction: Direction, isLast: Bool) -> Bool {
    let isOver = direction == .up ? isStopped : isAborted || isCutOff
    if isOver || state == .ended || self[direction].isWritten { return false }
    var (count, isLast) = (count, isLast)
    // Where the connection's end is that of the response, a response that is whole can still lose its end.
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

  /// The server has read something of the request.
  ///
  /// Each answer counts where a connection is all that is known: the next bytes of the server wait again.
  mutating func heard(isWhole: Bool, at time: Int64) {
    if isWhole || use != .pooled { heardAt = time }
    if use != .pooled { isDelayed = false }
  }

  /// Goes by another pool, before it is on a connection.
  mutating func change(to pool: Int32) { self.pool = pool }

  /// The place is free for another request.
  mutating func release() {
    state = .ended
    number = -1
    plan = nil
    wakeAt = .max
  }
}

/// The faults of one request, sorted by where they strike.
struct StreamFaults: Sendable {
  struct Stall: Sendable {
    var after: Int64
    /// Nanoseconds; `.max` for ever.
    var duration: Int64
  }

  var failsResolution = false
  var isRefused = false
  var isUnreachable = false
  var failsHandshake = false
  var goesAway = false
  /// After how many bytes of the request the server resets the connection.
  var resetUp: Int64?
  /// After how many bytes the response is cut, and how.
  var cut: (after: Int64, kind: Conveyor.Chunk.Kind)?
  /// Stalls in the order of their places, the next one last.
  var stalls: [Stall] = []
  var isStalled = false
  var slowClose: Int64 = 0
  /// For how long at most the server keeps the connection idle; `.max` without a limit.
  var idleLimit = Int64.max
  /// After how long without a packet the connection is forgotten; `.max` for never.
  var natLimit = Int64.max

  /// Whether the request must have a connection of its own.
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
      case .truncation(let bytes): addCut(max(0, bytes), .farewell)
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

  private mutating func addCut(_ bytes: Int64, _ kind: Conveyor.Chunk.Kind) {
    if let cut, cut.after <= bytes { return }
    cut = (bytes, kind)
  }
}
