import Internals
import NetworkConditions
import URLLoading

/// The options about one request, which `netcond get` and `netcond record` share.
struct RequestOptions {
  enum Body: Equatable {
    case bytes(Data)
    case file(URL)
  }

  private let method: String?
  private let headers: [HeaderField]
  let body: Body?
  /// The idle timeout, in seconds of the network's time.
  let timeout: Double?

  init(_ arguments: Arguments) throws {
    timeout = try arguments.value(of: Self.timeoutOption, such: "a number of seconds above 0; write for example 30") {
      Arguments.number($0, in: 0.001...10_000_000)
    }
    method = try arguments.value(of: Self.methodOption, such: "an HTTP method; write for example PUT") {
      $0.isToken ? $0 : nil
    }
    headers = try arguments[all: Self.headerOption].map(Self.header)
    body = try arguments[Self.dataOption].map(Self.body)
  }

  func request(_ url: URL) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = method ?? (body == nil ? "GET" : "POST")
    if let timeout { request.timeoutInterval = timeout }
    for field in headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
    if case .bytes(let data) = body { request.httpBody = data }
    return request
  }

  private static func header(_ text: String) throws -> HeaderField {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].isToken, !parts[1].contains(where: \.isNewline) else {
      // Text without a colon may be a secret. Only a clear field name is repeated.
      let shown = parts.count == 2 && parts[0].isToken ? "\"\(parts[0])\"" : "the value"
      throw UsageError("--header: \(shown) is not a header field; write for example --header 'Accept: text/html'")
    }
    return HeaderField(String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
  }

  private static func body(_ text: String) throws -> Body {
    guard text.hasPrefix("@") else { return .bytes(Data(text.utf8)) }
    let path = String(text.dropFirst())
    if let data = try Input.stream(path, atMost: 1 << 30) { return .bytes(data) }
    let file = URL(fileURLWithPath: path)
    do {
      _ = try Data(ordinaryFile: file)
    } catch {
      throw Failure(error).naming("--data")
    }
    return .file(file)
  }

  static let timeoutOption = Option(
    "timeout", short: "t", value: "S", help: "give up when nothing has arrived for S seconds (60)")
  static let methodOption = Option(
    "method", short: "X", value: "M", help: "the request's method (GET, with --data POST)")
  static let headerOption = Option(
    "header", short: "H", value: "'K: V'", repeats: true, help: "a header field of the request")
  static let dataOption = Option(
    "data", short: "d", value: "TEXT|@FILE", help: "the request's body; @- is standard input")
}

/// The options about secrets, which `netcond get` and `netcond record` share.
enum RedactionOptions {
  private static let secretsOption = Option(
    "secrets", help: "keep passwords, tokens, cookies and keys, which are left out otherwise")
  private static let redactOption = Option(
    "redact", value: "NAME", repeats: true, help: "also leave out values of this name: a field, an item, a key")

  static let all = [secretsOption, redactOption]

  static func redaction(_ arguments: Arguments) -> Redaction {
    let base: Redaction = arguments[flag: secretsOption] ? .none : .standard
    return base.adding(arguments[all: redactOption])
  }
}

extension Redaction {
  func headers(of response: HTTPURLResponse) -> [HeaderField] {
    headers(Dictionary(uniqueKeysWithValues: response.allHeaderFields.map { ("\($0)", "\($1)") }))
  }
}
