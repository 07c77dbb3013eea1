import Foundation

/// The sizes of a transfer's messages, its body, and how its client reads them: they show where faults can fall.
package struct TransferContents: Hashable, Sendable {
  /// How many bytes of a body are kept.
  static let most = 256 << 10

  /// The bytes of the request's head on its stream.
  package let requestHeadBytes: Int64
  /// The bytes of the request's body, as far as they are known when it sets out.
  package let requestBodyBytes: Int64
  /// How long the client lets nothing arrive; `nil` for ever.
  package let idleTimeout: Duration?
  /// Whether the client gets nothing of a body before its end; otherwise it sees each piece.
  package let isTakenWhole: Bool
  /// The bytes of the response's head on its stream; `nil` when no answer was given.
  package internal(set) var headBytes: Int64?
  /// The bytes of the response's body on its stream.
  package internal(set) var bodyBytes: Int64 = 0
  /// The beginning of the body; empty where it travels in a coding.
  package internal(set) var body = Data()
  /// Whether the end of the connection is the only end that the body has.
  package internal(set) var endsWithConnection = false

  init(_ upload: Exchange.Upload, _ settings: ExchangeSettings) {
    (requestHeadBytes, requestBodyBytes) = (upload.headBytes, upload.size ?? 0)
    (idleTimeout, isTakenWhole) = (settings.idleTimeout, settings.takesWhole)
  }

  mutating func add(_ part: AnswerPart, _ answer: Exchange.Answer, endsWithConnection: Bool) {
    headBytes = answer.headBytes
    bodyBytes = answer.carried.count
    self.endsWithConnection = endsWithConnection
    guard !answer.carried.isEncoded else { return }
    for piece in part.body where body.count < Self.most { body.append(piece.data.prefix(Self.most - body.count)) }
  }
}
