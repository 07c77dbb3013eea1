public import Foundation

extension HTTPArchive {
  /// One exchange: a request, its response, and how long each part took.
  public struct Entry: Hashable, Sendable {
    /// When the request began; `nil` when the archive does not say, which is written as the beginning of 1970.
    public var started: Date?
    /// The request.
    public var request: Request
    /// The response.
    public var response: Response
    /// How long each part took.
    public var timings: Timings
    /// The page that it belongs to.
    public var pageID: String?
    /// The address of the server.
    public var serverAddress: String?
    /// The identifier of its connection.
    public var connection: String?
    /// The URL of the document, script or style sheet that asked for it, in `_initiator`, as browsers say it.
    public var initiator: String?
    /// A remark.
    public var comment: String?

    /// How many bytes the body of the response was on the wire; that of a decoded body is its size.
    package var bodyBytesOnWire: Int64 {
      RecordedBody.encodedCount(of: response, isCutOff: false) ?? max(0, response.content.size)
    }

    /// How long it took in all: the sum of its ``timings``.
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

  /// How long each part of an exchange took; `nil` is what did not happen or is not known, written as -1.
  public struct Timings: Hashable, Sendable {
    /// Waiting for a connection.
    public var blocked: Duration?
    /// Resolving the host's name.
    public var dns: Duration?
    /// Making the connection, TLS included.
    public var connect: Duration?
    /// Sending the request.
    public var send: Duration
    /// Waiting for the first byte of the response.
    public var wait: Duration
    /// Receiving the response.
    public var receive: Duration
    /// The TLS handshake, which is a part of ``connect``.
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

    /// The sum of all parts; ``tls`` stands within ``connect`` and counts once.
    public var total: Duration {
      (blocked ?? .zero) + (dns ?? .zero) + (connect ?? .zero) + send + wait + receive
    }
  }
}
