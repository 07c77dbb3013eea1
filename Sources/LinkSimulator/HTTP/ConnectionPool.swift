/// What identifies the connections that requests may share.
struct PoolKey: Hashable, Sendable {
  var host: String
  var port: Int
  var isSecure: Bool
  var version: StreamRequest.HTTPVersion
}

/// The connections to one origin, and the requests that wait for one.
///
/// HTTP/1.1: six at most, kept alive, the one that became idle last is used first, waiting requests in their order.
/// HTTP/2: one, shared by up to a hundred requests.
struct ConnectionPool: Sendable {
  let key: PoolKey
  /// Where connections to the same host and port are counted.
  let counter: Int32
  /// The host's name look-up.
  let resolver: Int32
  var idle: [Int32] = []
  var live = 0
  /// The connection that all share (HTTP/2); -1 when there is none.
  var shared: Int32 = -1
  private var line: [StreamHandle] = []
  private var lineHead = 0

  init(key: PoolKey, counter: Int32, resolver: Int32) {
    self.key = key
    self.counter = counter
    self.resolver = resolver
  }

  var hasWaiting: Bool { lineHead < line.count }
  var firstWaiting: StreamHandle? { lineHead < line.count ? line[lineHead] : nil }

  mutating func wait(_ stream: StreamHandle) {
    line.append(stream)
  }

  mutating func removeFirstWaiting() {
    lineHead += 1
    if lineHead == line.count {
      line.removeAll(keepingCapacity: true)
      lineHead = 0
    } else if lineHead > 64, lineHead * 2 > line.count {
      line.removeFirst(lineHead)
      lineHead = 0
    }
  }

  mutating func removeAllWaiting() {
    line.removeAll()
    lineHead = 0
  }
}

/// Counts the connections to one host and port, and keys their chance.
struct ConnectionCounter: Sendable {
  let random: KeyedRandom
  var count = 0
}

/// A look-up of one host's name: two packets, the resolver's own time, and repetitions.
struct NameLookup: Sendable {
  enum State: UInt8 {
    case idle
    case asking
    case known
  }

  /// How long an answer is waited for, and how often the question is repeated (resolv.conf(5): timeout, attempts).
  static let patience: Int64 = 5_000_000_000
  static let repetitions = 2

  /// IP, UDP and DNS heads, the name with its two length bytes, type and class.
  let questionSize: Int32
  /// The question and one address record.
  var answerSize: Int32 { questionSize + 16 }
  let flow: Int32
  /// Whether the answer is that there is no such name.
  let fails: Bool
  var state = State.idle
  var attempts = 0
  var deadline = Int64.max
  /// When the resolver answers; `.max` when nobody has asked.
  var answersAt = Int64.max
  var waiting: [StreamHandle] = []
}
