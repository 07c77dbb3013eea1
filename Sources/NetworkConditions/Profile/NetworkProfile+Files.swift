public import Foundation

extension NetworkProfile {
  /// Reads a profile from a file in the profile format, version 1.
  ///
  /// - Throws: an error with the file, the place, the value and a right example. A file above 16 MiB is rejected by its
  ///   size, before it is read.
  public init(contentsOf url: URL) throws(ProfileError) {
    self = try Self.only(try Self.profiles(contentsOf: url), file: url.lastPathComponent)
  }

  /// Reads a profile in the profile format, version 1.
  ///
  /// - Parameters:
  ///   - json: UTF-8 text of at most 16 MiB.
  ///   - file: the document's name in errors.
  public init(json: Data, file: String = "profile") throws(ProfileError) {
    self = try Self.only(try Self.profiles(json: json, file: file), file: file)
  }

  package init(_ reader: FormatReader) throws(ProfileError) {
    self = try NetworkProfileFormat.read(reader, source: "")
  }

  /// Reads all profiles of a file: one, or a list: `{ "source": …, "profiles": [ … ] }`.
  public static func profiles(contentsOf url: URL) throws(ProfileError) -> [NetworkProfile] {
    try profiles(json: try DocumentKind.profile.read(url), file: url.lastPathComponent)
  }

  /// Reads all profiles of a document: one, or a list: `{ "source": …, "profiles": [ … ] }`.
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
      throw .value(file: file, path: "profiles", reason: "contains \(profiles.count) profiles where one is expected")
    }
    return profiles[0]
  }

  /// The profile in the profile format, version 1, laid out for people; durations are exact to the nanosecond.
  public var formatText: String {
    NetworkProfileFormat.write(self).prettyText
  }

  /// Several profiles as one file of the profile format, version 1.
  package static func formatText(of profiles: [NetworkProfile]) -> String {
    let entries = profiles.map { NetworkProfileFormat.write($0, isInner: true) }
    return JSONValue.object([.init("version", .number("1")), .init("profiles", .array(entries))]).prettyText
  }
}
