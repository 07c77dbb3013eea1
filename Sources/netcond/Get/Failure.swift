import Internals
import NetworkConditions
import URLLoading

/// Why a transfer, or a whole command, failed, in one line.
struct Failure: ExplainedError, Equatable {
  let sentence: String
  let explanation: Explanation
  var code: String?

  /// The failure's sentence with a reference to its explanation, for errors that wrap it.
  var description: String { explanation.ending(sentence) }
}

extension Failure {
  init(_ error: any Error, _ redaction: Redaction = .standard) {
    if let failure = error as? Failure {
      self = failure
      return
    }
    let code = (error as? URLError)?.code ?? Self.code(of: error as NSError)
    // Foundation's own errors have useless descriptions; those of all others are written for people.
    let isFoundations = error is any CustomNSError || type(of: error) is NSError.Type
    let explained = error as? any ExplainedError
    let text = explained?.sentence ?? (isFoundations ? (error as NSError).localizedDescription : "\(error)")
    let known = code.map { Self.parserFailures[text] ?? (Self.isEmptyTalk(text) ? Self.sentence(for: $0) : text) }
    let explanation = explained?.explanation ?? (code == nil ? .unreadableFile : .transferFailed)
    // libcurl's real time is not the network's.
    let timeless = known?.replacing(#/ after \d+ ms/#, with: "")
    self.init(sentence: redaction.text(timeless ?? text), explanation: explanation, code: code.map(Self.name))
  }

  /// The failure of a URL whose scheme is not simulated, which must not reach the real network.
  static func unsupported(_ url: URL?) -> Failure? {
    if let port = url?.port, !(0...65_535).contains(port) {
      return Failure(sentence: "\(port) is not a port; write 1 to 65535.", explanation: .unsupportedURL, code: "badURL")
    }
    guard let scheme = url?.scheme?.lowercased(), !["http", "https"].contains(scheme) else { return nil }
    return Failure(
      sentence: "The scheme \"\(scheme)\" is not supported; only http and https are.", explanation: .unsupportedURL,
      code: "unsupportedURL")
  }

  /// The failure in one line: the sentence, the code's name, and the name of the explanation.
  var line: String { explanation.ending(code.map { "\(sentence) (URLError.\($0))" } ?? sentence) }

  /// Returns the failure with the name of an option or a file put before its sentence.
  func naming(_ place: String) -> Failure {
    Failure(sentence: "\(place): \(sentence)", explanation: explanation, code: code)
  }

  var json: JSON { ["error": .string(description), "error_code": JSON(code)] }

  private static func code(of error: NSError) -> URLError.Code? {
    error.domain == NSURLErrorDomain ? URLError.Code(rawValue: error.code) : nil
  }

  /// libcurl's words when Foundation's parser refuses its input.
  private static let parserFailures = [
    "Failed writing header":
      "Foundation cannot read the answer's head. Its status line may lack a reason, or a field is not UTF-8."
  ]

  /// Whether an error's text is Foundation's standard text, which explains nothing.
  private static func isEmptyTalk(_ text: String) -> Bool {
    text.isEmpty || text.contains("The operation could not be completed") || text.contains("NSURLErrorDomain")
  }

  private static func sentence(for code: URLError.Code) -> String {
    switch code {
    case .timedOut: "The request timed out."
    case .badURL: "Foundation cannot load this URL. On Linux it loads none with an IPv6 address."
    case .unsupportedURL: "This kind of URL is not supported."
    case .cannotFindHost: "A server with the specified hostname could not be found."
    case .cannotConnectToHost: "Could not connect to the server."
    case .networkConnectionLost: "The network connection was lost."
    case .notConnectedToInternet: "The Internet connection appears to be offline."
    case .cancelled: "The transfer was cancelled."
    case .badServerResponse: "The server's response is invalid."
    case .secureConnectionFailed: "A secure connection could not be made."
    case .httpTooManyRedirects: "There are too many redirects."
    default: "The transfer failed."
    }
  }

  static func name(of code: URLError.Code) -> String {
    URLErrorNames.known(code) ?? "Code(rawValue: \(code.rawValue))"
  }
}
