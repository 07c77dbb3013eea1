/// The version of a report's format, written as a number; decoding any other version fails.
package protocol FormatVersion: Hashable, Sendable, Codable {
  /// The version that this package writes and reads.
  static var known: Int { get }
  /// Why a report of another version is refused.
  static func refusal(of version: Int) -> String
  init()
}

extension FormatVersion {
  package init(from decoder: any Decoder) throws {
    let version = try Int(from: decoder)
    guard version == Self.known else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: Self.refusal(of: version)))
    }
    self.init()
  }

  package func encode(to encoder: any Encoder) throws { try Self.known.encode(to: encoder) }
}
