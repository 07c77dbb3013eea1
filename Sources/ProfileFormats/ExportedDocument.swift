public import Foundation

/// A document that another tool reads, with what it could not hold.
public struct ExportedDocument: Hashable, Sendable {
  /// The document, in UTF-8.
  public let text: String
  /// What the profile, or the trace, says and the format cannot hold.
  public let losses: [FormatLoss]

  /// Creates a record of an export.
  public init(text: String, losses: [FormatLoss] = []) {
    self.text = text
    self.losses = losses
  }

  /// The bytes of the document.
  public var data: Data { Data(text.utf8) }
}
