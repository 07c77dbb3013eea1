import Internals

extension HTTPArchive {
  /// A response.
  public struct Response: Hashable, Sendable {
    /// The HTTP status code; 0 when there was no response.
    public var status: Int
    /// The reason phrase.
    public var statusText: String
    /// The HTTP version, such as `HTTP/1.1`.
    public var httpVersion: String
    /// The header fields, in their order.
    public var headers: [Field]
    /// The cookies that the response set.
    public var cookies: [Cookie]
    /// The body of the response.
    public var content: Content
    /// The URL to which a redirect leads; empty for other responses.
    public var redirectURL: String
    /// How many bytes the head had; -1 when unknown.
    public var headerBytes: Int64
    /// How many bytes of the body were transferred; -1 when unknown.
    public var bodyBytes: Int64
    /// How many bytes head and body together had on the wire; -1 when unknown, written as `_transferSize`.
    public var transferBytes: Int64 = -1
    /// Why the exchange failed, such as `networkConnectionLost` or `net::ERR_CONNECTION_RESET`; written as `_error`.
    public var error: String?

    /// Creates a response.
    public init(
      status: Int, statusText: String? = nil, httpVersion: String = "HTTP/1.1", headers: [Field] = [],
      cookies: [Cookie] = [], content: Content = Content(), redirectURL: String = "", headerBytes: Int64 = -1,
      bodyBytes: Int64 = -1, error: String? = nil
    ) {
      self.status = status
      self.statusText = statusText ?? ReasonPhrase.of(status) ?? ""
      self.httpVersion = httpVersion
      self.headers = headers
      self.cookies = cookies
      self.content = content
      self.redirectURL = redirectURL
      self.headerBytes = headerBytes
      self.bodyBytes = bodyBytes
      self.error = error
    }

    /// The value of the first header field with this name, ignoring case.
    public subscript(header name: String) -> String? { headers.value(of: name) }
  }

  /// The body of a response, decoded: without chunks and without compression.
  public struct Content: Hashable, Sendable {
    /// How many bytes the decoded body has; -1 when unknown.
    public var size: Int64
    /// The media type of the body.
    public var mimeType: String
    /// The body as text; `nil` when it was not recorded, or when it is in ``file``.
    public var text: String?
    /// How ``text`` is encoded: `base64`, or `nil` for plain text.
    public var encoding: String?
    /// The file with the body, as a path within the archive's folder; written as `_file`, as other tools do.
    public var file: String?
    /// A free text about the body, such as that it was cut off.
    public var comment: String?

    /// Creates a body.
    public init(
      size: Int64 = 0, mimeType: String = "x-unknown", text: String? = nil, encoding: String? = nil,
      file: String? = nil, comment: String? = nil
    ) {
      self.size = size
      self.mimeType = mimeType
      self.text = text
      self.encoding = encoding
      self.file = file
      self.comment = comment
    }
  }
}
