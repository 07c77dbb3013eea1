import Foundation

/// The sizes of a transfer's messages, its body, and how its client reads it: they show where faults can strike.
package struct TransferContents: Hashable, Sendable {
  /// The most bytes of a body to keep.
  package static let most = 256 << 10

  package let requestHeadBytes: Int64
  /// The size of the request's body, if it is known at the start; otherwise 0.
  package let requestBodyBytes: Int64
  /// The client's longest wait for the next byte; `nil` for no limit.
  package let idleTimeout: Duration?
  /// Whether the client gets the body only at its end; otherwise it gets each piece.
  package let isTakenWhole: Bool
  /// The size of the response's head on its stream; `nil` without an answer.
  package internal(set) var headBytes: Int64?
  package internal(set) var bodyBytes: Int64 = 0
  /// The beginning of the response's body; empty if it has a content coding.
  package internal(set) var body = Data()
  package internal(set) var endsWithConnection = false

  /// Whether a cache may answer the request, and whether it keeps the response.
  package let mayBeCached: Bool
  package private(set) var isKept = false

  init(of exchange: Exchange) {
    let (upload, settings) = (exchange.upload, exchange.settings)
    (requestHeadBytes, requestBodyBytes) = (upload.headBytes, upload.size ?? 0)
    (idleTimeout, isTakenWhole) = (settings.idleTimeout, settings.takesWhole)
    mayBeCached = SharedCache.mayAnswer(exchange.request)
  }

  mutating func add(_ part: AnswerPart, _ answer: Exchange.Answer, endsWithConnection: Bool) {
    headBytes = answer.headBytes
    isKept = SharedCache.keeps(answer.head)
    bodyBytes = answer.carried.count
    self.endsWithConnection = endsWithConnection
    guard !answer.carried.isEncoded else { return }
    for piece in part.body where body.count < Self.most { body.append(piece.data.prefix(Self.most - body.count)) }
  }
}
