/// The version of a format, which refuses to be read where it is another.
public struct FormatVersion: Hashable, Sendable, Codable {
  /// The version that this module writes and reads.
  public static let current = 2

  /// Creates the current version.
  public init() {}

  /// Reads a version.
  public init(from decoder: any Decoder) throws {
    let version = try decoder.singleValueContainer().decode(Int.self)
    guard version == Self.current else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "metrics of version \(version); this module reads version \(Self.current)"))
    }
  }

  /// Writes the current version.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Self.current)
  }
}
