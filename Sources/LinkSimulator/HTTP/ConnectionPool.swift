/// Identifies the connections that requests may share.
struct PoolKey: Hashable, Sendable {
  var host: String
  var port: Int
  var isSecure: Bool
  var version: StreamRequest.HTTPVersion

  /// The host and the port, by which connections are counted.
  var address: String { "\(host):\(port)" }
}

/// The connections to one origin, and the requests that wait for one.
///
/// HTTP/1.1: six at most, kept alive, the one that became idle last is used first, waiting requests in their order.
/// HTTP/2 and HTTP/3: one, shared by up to a hundred requests.
struct ConnectionPool: Sendable {
  let key: PoolKey
  /// Where connections to the same host and port are counted.
  let counter: Int32
  /// The look-up of the host's name.
  let lookup: Int32
  var idle: [Int32] = []
  var live = 0
  /// The connection that all share (HTTP/2, HTTP/3); -1 when there is none.
  var shared: Int32 = -1
  var waiting = Queue<StreamHandle>()
  /// Whether the client has a session ticket and a token of the server's, from a connection of QUIC.
  var isKnown = false
  /// Until when requests that would go over QUIC go over TCP.
  var avoidsQuicUntil = Int64.min
}
