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

  /// What one direction of a request has come to.
  struct Half: Sendable {
    /// Bytes handed in that are not on the connection yet.
    var ready: Int64 = 0
    /// Bytes handed in so far.
    var written: Int64 = 0
    /// Bytes that have arrived in order.
    var read: Int64 = 0
    /// Whether no more will be handed in.
    var isFinished = false
    /// Whether the end is on the connection.
    var isEnded = false
    /// Whether the end has arrived.
    var isComplete = false
    /// Whether it stands in the line of those with something to send.
    var isQueued = false
  }

  private(set) var number: Int
  /// What its asker calls it.
  let owner: Int
  let key: UInt64
  var state = State.pending
  let needsResolution: Bool
  let pool: Int32
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
  /// Whether the response ends where its connection does.
  var closes = false
  /// Whether the response ends before its time by decree.
  var isCut = false
  /// Whether its record may go once it has ended.
  var isForgotten = false
  /// When the stream wants to be woken; `.max` when not.
  var wakeAt = Int64.max
  var statistics = StreamStatistics()

  var id: StreamID { StreamID(number: number, owner: owner) }

  /// Whether nothing keeps the request from ending: its response has come, and it waits for no more of itself.
  @inline(__always)
  var isAnswered: Bool { down.isComplete && (up.isComplete || isStopped) }

  /// The lowest bits of the number.
  @inline(__always)
  var tag: Int32 { Int32(truncatingIfNeeded: number) }

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
      case .reset(.up, let bytes): resetUp = min(resetUp ?? .max, max(0, bytes))
      case .reset(.down, let bytes): addCut(max(0, bytes), .reset)
      case .truncation(let bytes): addCut(max(0, bytes), .truncation)
      case .stall(let bytes, let duration):
        stalls.append(Stall(after: max(0, bytes), duration: duration.map { max(0, $0.wholeNanoseconds) } ?? .max))
      case .slowClose(let delay): slowClose = slowClose.saturatingAdd(max(0, delay.wholeNanoseconds))
      case .idleClose(let time): idleLimit = min(idleLimit, max(0, time.wholeNanoseconds))
      }
    }
    stalls.sort { $0.after > $1.after }
  }

  private mutating func addCut(_ bytes: Int64, _ kind: Conveyor.Chunk.Kind) {
    if let cut, cut.after <= bytes { return }
    cut = (bytes, kind)
  }
}
