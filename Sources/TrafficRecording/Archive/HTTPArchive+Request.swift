import Foundation
import NetworkConditions

extension HTTPArchive {
  /// A request.
  public struct Request: Hashable, Sendable {
    /// The HTTP method.
    public var method: String
    /// The URL, absolute and without a fragment.
    public var url: String
    /// The HTTP version, such as `HTTP/1.1`.
    public var httpVersion: String
    /// The header fields, in their order.
    public var headers: [Field]
    /// The cookies that the request sent.
    public var cookies: [Cookie]
    /// The query items of the URL.
    public var query: [Field]
    /// The request's body; `nil` for none.
    public var body: PostData?
    /// How many bytes the head had; -1 when unknown.
    public var headerBytes: Int64
    /// How many bytes the body had; -1 when unknown.
    public var bodyBytes: Int64

    /// Creates a request.
    public init(
      method: String = "GET", url: String, httpVersion: String = "HTTP/1.1", headers: [Field] = [],
      cookies: [Cookie] = [], query: [Field] = [], body: PostData? = nil, headerBytes: Int64 = -1, bodyBytes: Int64 = -1
    ) {
      self.method = method
      self.url = url
      self.httpVersion = httpVersion
      self.headers = headers
      self.cookies = cookies
      self.query = query
      self.body = body
      self.headerBytes = headerBytes
      self.bodyBytes = bodyBytes
    }

    /// The value of the first header field with this name, ignoring case.
    public subscript(header name: String) -> String? { headers.value(of: name) }
  }

  /// A name with a value: a header field, a query item, or an item of a form.
  public struct Field: Hashable, Sendable {
    /// The name of the field.
    public var name: String
    /// The value of the field.
    public var value: String
    /// Whether the value was left out because it is secret; written as `_redacted`.
    public var isRedacted: Bool

    /// Creates a field.
    public init(_ name: String, _ value: String, isRedacted: Bool = false) {
      self.name = name
      self.value = value
      self.isRedacted = isRedacted
    }
  }

  /// A cookie that a request sent or a response set.
  public struct Cookie: Hashable, Sendable {
    /// The name of the cookie.
    public var name: String
    /// The value of the cookie.
    public var value: String
    /// The URL path for which the cookie is valid.
    public var path: String?
    /// The host for which the cookie is valid.
    public var domain: String?
    /// When the cookie expires, in the archive's own format.
    public var expires: String?
    /// Whether scripts cannot read the cookie.
    public var isHTTPOnly: Bool?
    /// Whether the cookie is sent over TLS only.
    public var isSecure: Bool?
    /// Whether the value was left out because it is secret; written as `_redacted`.
    public var isRedacted: Bool

    /// Creates a cookie.
    public init(
      _ name: String, _ value: String, path: String? = nil, domain: String? = nil, expires: String? = nil,
      isHTTPOnly: Bool? = nil, isSecure: Bool? = nil, isRedacted: Bool = false
    ) {
      self.name = name
      self.value = value
      self.path = path
      self.domain = domain
      self.expires = expires
      self.isHTTPOnly = isHTTPOnly
      self.isSecure = isSecure
      self.isRedacted = isRedacted
    }
  }

  /// The body of a request.
  public struct PostData: Hashable, Sendable {
    /// The media type of the body.
    public var mimeType: String
    /// The body as text; `nil` when only ``parameters`` or ``file`` has it.
    public var text: String?
    /// How ``text`` is encoded: `base64`, or `nil` for plain text; written as `_encoding`.
    public var encoding: String?
    /// The file with the body, as a path within the archive's folder; written as `_file`.
    public var file: String?
    /// The items of a submitted form.
    public var parameters: [Field]

    /// Creates a body.
    public init(
      mimeType: String, text: String? = nil, encoding: String? = nil, file: String? = nil, parameters: [Field] = []
    ) {
      self.mimeType = mimeType
      self.text = text
      self.encoding = encoding
      self.file = file
      self.parameters = parameters
    }
  }
}

extension [HTTPArchive.Field] {
  /// The value of the first field with this name, ignoring case.
  func value(of name: String) -> String? {
    first { ASCII.equalIgnoringCase($0.name, name) }?.value
  }
}

extension HTTPArchive.Request {
  /// The request with the URL's query decoded into items, and without the fragment, which is never sent.
  var withQuery: HTTPArchive.Request {
    var request = self
    request.url = String(url.prefix { $0 != "#" })
    guard let query = URLText(request.url).query, !query.isEmpty else { return request }
    request.query = query.split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
        part.replacing("+", with: " ").removingPercentEncoding ?? String(part)
      }
      return HTTPArchive.Field(parts[0], parts.count > 1 ? parts[1] : "")
    }
    return request
  }
}
