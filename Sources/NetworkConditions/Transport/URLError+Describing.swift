package import Foundation

extension URLError {
  package init(_ code: Code, _ description: String, url: URL? = nil) {
    self.init(code, userInfo: [NSLocalizedDescriptionKey: description])
    if let url { self = naming(url) }
  }

  /// Converts any error: those of the URL domain keep their code, others become the underlying error of `.unknown`.
  init(wrapping error: any Error, after words: String = "") {
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
      self.init(.unknown, userInfo: [NSLocalizedDescriptionKey: "\(words)\(error)", NSUnderlyingErrorKey: bridged])
    }
  }

  /// This error with the failing URL, unless it has one.
  func naming(_ url: URL?) -> URLError {
    guard let url, userInfo[NSURLErrorFailingURLErrorKey] == nil else { return self }
    var info = userInfo
    info[NSURLErrorFailingURLErrorKey] = url
    return URLError(code, userInfo: info)
  }
}
