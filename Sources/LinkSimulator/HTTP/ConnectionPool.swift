/// The origin and protocol of requests that may share connections.
struct PoolKey: Hashable, Sendable {
  var host: String
  var port: Int
  var isSecure: Bool
  var version: StreamRequest.HTTPVersion

  /// The host and port, which number connections.
  var server: ServerKey { ServerKey(host: host, port: port) }
  /// The host and port as text, the key of the connections' random source.
  var address: String { "\(host):\(port)" }
}

/// A server, whatever its protocol.
struct ServerKey: Hashable, Sendable {
  var host: String
  var port: Int
}

/// The connections to one origin, and the requests that wait for one.
///
/// HTTP/1.1 keeps several connections alive, reuses the most recently idle one first, and serves waiting requests in
/// order. HTTP/2 and HTTP/3 share one connection among many requests.
struct ConnectionPool: Sendable {
  let key: PoolKey
  /// The index of the counter for connections to the same host and port.
  let counter: Int32
  let lookup: Int32
  var idle: [Int32] = []
  var live = 0
  /// The shared connection of HTTP/2 or HTTP/3; -1 when there is none.
  var shared: Int32 = -1
  var waiting = Queue<StreamHandle>()
  /// Whether the client has a session ticket and an address token from an earlier QUIC connection.
  var isKnown = false
  /// The time until which QUIC is avoided after TCP won a race; requests use TCP.
  var avoidsQuicUntil = Int64.min
}
