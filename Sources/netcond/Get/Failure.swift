import Internals
import NetworkConditions
import URLLoading

/// Why a transfer, or a whole command, failed, in one line.
struct Failure: ExplainedError, Equatable {
  /// The event, as a sentence.
  let sentence: String
  /// What it means.
  let explanation: Explanation
  /// The name of the `URLError`'s code, when it is one.
  var code: String?
}

extension Failure {
  /// What an error that is made of this one says.
  var description: String { explanation.ending(sentence) }
}

extension Failure {
  init(_ error: any Error, _ redaction: Redaction = .standard) {
    if let failure = error as? Failure {
      self = failure
      return
    }
    let code = (error as? URLError)?.code ?? Self.code(of: error as NSError)
    // Foundation's own errors have no words in their description, all others have.
    let isFoundations = error is any CustomNSError || type(of: error) is NSError.Type
    let explained = error as? any ExplainedError
    let text = explained?.sentence ?? (isFoundations ? (error as NSError).localizedDescription : "\(error)")
    let known = code.map { Self.isEmptyTalk(text) ? Self.sentence(for: $0) : text }
    let explanation = explained?.explanation ?? (code == nil ? .unreadableFile : .transferFailed)
    self.init(sentence: redaction.text(known ?? text), explanation: explanation, code: code.map(Self.name))
  }

  /// The line: the sentence, the code's name, and the name of the explanation.
  var line: String { explanation.ending(code.map { "\(sentence) (URLError.\($0))" } ?? sentence) }

  /// The same, with the option or the file that it is about before it.
  func naming(_ place: String) -> Failure {
    Failure(sentence: "\(place): \(sentence)", explanation: explanation, code: code)
  }

  /// The object of `--json` when there is nothing else to say.
  var json: JSON { ["error": .string(description), "error_code": JSON(code)] }

  private static func code(of error: NSError) -> URLError.Code? {
    error.domain == NSURLErrorDomain ? URLError.Code(rawValue: error.code) : nil
  }

  /// Whether this is what Foundation says when it has nothing to say.
  private static func isEmptyTalk(_ text: String) -> Bool {
    text.isEmpty || text.contains("The operation could not be completed") || text.contains("NSURLErrorDomain")
  }

  private static func sentence(for code: URLError.Code) -> String {
    switch code {
    case .timedOut: "The request timed out."
    case .unsupportedURL: "The URL is of a kind that is not supported."
    case .cannotFindHost: "A server with the specified hostname could not be found."
    case .cannotConnectToHost: "Could not connect to the server."
    case .networkConnectionLost: "The network connection was lost."
    case .notConnectedToInternet: "The Internet connection appears to be offline."
    case .cancelled: "The transfer was cancelled."
    case .badServerResponse: "The server's answer makes no sense."
    case .secureConnectionFailed: "A secure connection could not be made."
    case .httpTooManyRedirects: "There are too many redirects."
    default: "The transfer failed."
    }
  }

  /// The code's name as Swift spells it.
  static func name(of code: URLError.Code) -> String {
    URLErrorNames.known(code) ?? "Code(rawValue: \(code.rawValue))"
  }
}
