import Foundation
import NetworkConditions

/// Finds requests of which something was left out in an archive: the same is left out of the one that comes.
struct RedactedRequests {
  private let redaction: Redaction
  private let matching: RequestMatching

  /// - Parameter names: under which something was left out, as ``maskedNames(_:_:_:)`` finds them.
  init(names: Set<String>, matching: RequestMatching) {
    redaction = .standard.adding(names)
    self.matching = matching
  }

  /// The names under which something was left out of a request; `nil` when it is whole.
  static func maskedNames(_ url: String, _ body: Data?, _ mediaType: String?) -> Set<String>? {
    let inURL = Redaction.standard.maskedNames(inURL: url)
    let inBody = body.map { Redaction.standard.maskedNames(in: $0, mediaType: mediaType) } ?? []
    return inURL == nil && inBody.isEmpty ? nil : inBody.union(inURL ?? [])
  }

  /// What a request is looked up by, without secrets.
  func key(_ method: String, _ url: String, _ body: Data?, _ mediaType: String?) -> RequestKey {
    RequestKey(
      method: method, url: URLText(redaction.url(url)),
      body: body.map { redaction.canonical($0, mediaType: mediaType) }, matching: matching)
  }
}
