package import Foundation

extension URLError {
  package init(_ code: Code, _ description: String, url: URL? = nil) {
    self.init(code, userInfo: [NSLocalizedDescriptionKey: description])
    if let url { self = naming(url) }
  }

  /// Converts any error: those of the URL domain keep their code, others become the underlying error of `.unknown`.
  init(wrapping error: any Error, after words: String = "") {
    self.init(wrapping: error, after: words, underlying: error as NSError)
  }

  /// Wraps an error of a stub; if it is not of the URL domain, the client gets it as it is, as from a `URLProtocol`.
  init(ofStub error: any Error, after words: String = "") {
    self.init(wrapping: error, after: words, underlying: StubError(error: error))
  }

  private init(wrapping error: any Error, after words: String, underlying: any Error) {
    if let error = error as? URLError {
      self = error
      return
    }
    let bridged = error as NSError
    if bridged.domain == NSURLErrorDomain {
      // The initializer can fail on Linux, but not on Apple's systems.
      let code: Code? = Code(rawValue: bridged.code)
      self.init(code ?? .unknown, userInfo: bridged.userInfo)
    } else if error is CancellationError {
      self.init(.cancelled)
    } else {
      self.init(.unknown, userInfo: [NSLocalizedDescriptionKey: "\(words)\(error)", NSUnderlyingErrorKey: underlying])
    }
  }

  /// The error that the client gets.
  var forClient: any Error {
    switch userInfo[NSUnderlyingErrorKey] {
    case let setup as NetworkSetupError: setup
    case let stub as StubError: stub.error
    default: self
    }
  }

  private struct StubError: Error {
    let error: any Error
  }

  /// This error with the failing URL, unless it has one.
  func naming(_ url: URL?) -> URLError {
    guard let url, userInfo[NSURLErrorFailingURLErrorKey] == nil else { return self }
    var info = userInfo
    info[NSURLErrorFailingURLErrorKey] = url
    return URLError(code, userInfo: info)
  }
}
