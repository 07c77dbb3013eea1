/// What the two ends of a path do, apart from the conditions between them.
public struct PathConfiguration: Hashable, Sendable {
  /// How senders react to loss.
  public var congestionControl: CongestionControl = .cubic
  /// How many connections one host may have under HTTP/1.1: six, as in every browser and in `URLSession`.
  public var connectionsPerHost = 6
  /// How many requests may share one HTTP/2 connection: 100, the value RFC 9113 recommends at least.
  public var streamsPerConnection = 100
  /// How long a client keeps an idle connection, unless it learns before that the server has closed it.
  public var keepAlive: Duration = .seconds(60)

  /// Creates the configuration that URLSession's users see most.
  public init() {}
}
