public import Foundation

extension HTTPArchive {
  /// One exchange: a request, its response, and how long each part took.
  public struct Entry: Hashable, Sendable {
    /// When the request began; `nil` when the archive has no date, which is written as the beginning of 1970.
    public var started: Date?
    /// The request.
    public var request: Request
    /// The response.
    public var response: Response
    /// How long each part took.
    public var timings: Timings
    /// The identifier of the page to which the exchange belongs.
    public var pageID: String?
    /// The IP address of the server.
    public var serverAddress: String?
    /// The identifier of the connection that carried the exchange.
    public var connection: String?
    /// The URL of the document, script or style sheet that caused the request; browsers write it as `_initiator`.
    public var initiator: String?
    /// A free text about the exchange.
    public var comment: String?

    /// How many bytes the body of the response was on the wire; for a decoded body, its own size.
    package var bodyBytesOnWire: Int64 {
      RecordedBody.encodedCount(of: response, isCutOff: false) ?? max(0, response.content.size)
    }

    /// How long the exchange took in all: the sum of its ``timings``.
    public var time: Duration { timings.total }

    /// Creates an entry.
    public init(
      started: Date?, request: Request, response: Response, timings: Timings = Timings(), pageID: String? = nil,
      serverAddress: String? = nil, connection: String? = nil, comment: String? = nil
    ) {
      self.started = started
      self.request = request
      self.response = response
      self.timings = timings
      self.pageID = pageID
      self.serverAddress = serverAddress
      self.connection = connection
      self.comment = comment
    }
  }

  /// How long each part of an exchange took; `nil`, written as -1, if it did not happen or is unknown.
  public struct Timings: Hashable, Sendable {
    /// How long the request waited for a connection.
    public var blocked: Duration?
    /// How long the name resolution took.
    public var dns: Duration?
    /// How long connecting took, TLS included.
    public var connect: Duration?
    /// How long sending the request took.
    public var send: Duration
    /// How long the request waited for the first byte of the response.
    public var wait: Duration
    /// How long receiving the response took.
    public var receive: Duration
    /// How long the TLS handshake took, which is a part of ``connect``.
    public var tls: Duration?

    /// Creates timings.
    public init(
      blocked: Duration? = nil, dns: Duration? = nil, connect: Duration? = nil, send: Duration = .zero,
      wait: Duration = .zero, receive: Duration = .zero, tls: Duration? = nil
    ) {
      self.blocked = blocked
      self.dns = dns
      self.connect = connect
      self.send = send
      self.wait = wait
      self.receive = receive
      self.tls = tls
    }

    /// The sum of all parts; ``tls`` is included in ``connect`` and counts once.
    public var total: Duration {
      (blocked ?? .zero) + (dns ?? .zero) + (connect ?? .zero) + send + wait + receive
    }
  }
}
