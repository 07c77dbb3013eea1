public import Foundation

extension NetworkProfile {
  /// Reads the profile of a file in the profile format, version 1.
  ///
  /// - Throws: an error that names the file, the place, the value and what would be right. A file above 16 MiB is
  ///   refused by its size, before it is read.
  public init(contentsOf url: URL) throws(ProfileError) {
    self = try Self.only(try Self.profiles(contentsOf: url), file: url.lastPathComponent)
  }

  /// Reads a profile in the profile format, version 1.
  ///
  /// - Parameters:
  ///   - json: UTF-8 text of at most 16 MiB.
  ///   - file: how errors call it.
  public init(json: Data, file: String = "profile") throws(ProfileError) {
    self = try Self.only(try Self.profiles(json: json, file: file), file: file)
  }

  /// Reads a profile that stands within another document.
  package init(_ reader: FormatReader) throws(ProfileError) {
    self = try NetworkProfileFormat.read(reader, source: "")
  }

  /// Reads all profiles of a file, which holds one or a list: `{ "source": …, "profiles": [ … ] }`.
  public static func profiles(contentsOf url: URL) throws(ProfileError) -> [NetworkProfile] {
    try profiles(json: try DocumentKind.profile.read(url), file: url.lastPathComponent)
  }

  /// Reads all profiles of a document, which holds one or a list: `{ "source": …, "profiles": [ … ] }`.
  public static func profiles(json: Data, file: String = "profile") throws(ProfileError) -> [NetworkProfile] {
    var profiles: [NetworkProfile] = []
    for entry in try NetworkProfileFormat.entries(in: json, file: file) {
      try RuleCheck.check(entry, file: file)
      profiles.append(entry.profile)
    }
    return profiles
  }

  private static func only(_ profiles: [NetworkProfile], file: String) throws(ProfileError) -> NetworkProfile {
    guard profiles.count == 1 else {
      throw .value(file: file, path: "profiles", reason: "holds \(profiles.count) profiles where one is wanted")
    }
    return profiles[0]
  }

  /// The profile in the profile format, version 1, as people write it; durations are kept to the nanosecond.
  public var formatText: String {
    NetworkProfileFormat.write(self).prettyText
  }

  /// Several profiles as one file of the profile format, version 1.
  package static func formatText(of profiles: [NetworkProfile]) -> String {
    let entries = profiles.map { NetworkProfileFormat.write($0, isInner: true) }
    return JSONValue.object([.init("version", .number("1")), .init("profiles", .array(entries))]).prettyText
  }
}

extension NetworkProfile: Encodable {
  /// Encodes the profile in the profile format, version 1; ``formatText`` keeps the usual order of the keys, too.
  public func encode(to encoder: any Encoder) throws {
    try NetworkProfileFormat.write(self).encode(to: encoder)
  }
}
