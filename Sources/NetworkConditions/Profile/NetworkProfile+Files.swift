public import Foundation

extension NetworkProfile {
  /// Reads the profile of a file in the profile format, version 1.
  ///
  /// - Throws: an error that names the file, the place, the value and what would be right. A file above 1 MiB is
  ///   refused by its size, before it is read.
  public init(contentsOf url: URL) throws(ProfileError) {
    self = try Self.only(try Self.profiles(contentsOf: url), file: url.lastPathComponent)
  }

  /// Reads a profile in the profile format, version 1.
  ///
  /// - Parameters:
  ///   - json: UTF-8 text of at most 1 MiB.
  ///   - file: how errors call it.
  /// - Throws: an error that names the file, the place, the value and what would be right.
  public init(json: Data, file: String = "profile") throws(ProfileError) {
    self = try Self.only(try Self.profiles(json: json, file: file), file: file)
  }

  /// Reads all profiles of a file, which holds one or a list: `{ "source": …, "profiles": [ … ] }`.
  ///
  /// - Throws: an error that names the file, the place, the value and what would be right.
  public static func profiles(contentsOf url: URL) throws(ProfileError) -> [NetworkProfile] {
    try profiles(json: try ProfileFile.read(url), file: url.lastPathComponent)
  }

  /// Reads all profiles of a document, which holds one or a list: `{ "source": …, "profiles": [ … ] }`.
  ///
  /// - Throws: an error that names the file, the place, the value and what would be right.
  public static func profiles(json: Data, file: String = "profile") throws(ProfileError) -> [NetworkProfile] {
    var profiles: [NetworkProfile] = []
    for entry in try ProfileFormat.entries(in: json, file: file) {
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
    ProfileFormat.write(self).prettyText
  }
}

extension NetworkProfile: Encodable {
  /// Encodes the profile in the profile format, version 1; ``formatText`` keeps the usual order of the keys, too.
  public func encode(to encoder: any Encoder) throws {
    try ProfileFormat.write(self).encode(to: encoder)
  }
}

/// Reads a file that may be anything: the wrong one, a folder, a device without an end.
private enum ProfileFile {
  static func read(_ url: URL) throws(ProfileError) -> Data {
    let name = url.lastPathComponent
    guard url.isFileURL else {
      throw .unreadable(file: name, reason: "is no file on this machine; load \(url.absoluteString.quoted) yourself")
    }
    let path = url.resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
      throw .unreadable(file: name, reason: "there is no such file: \(path.quoted)")
    }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw .unreadable(file: name, reason: "is no ordinary file")
    }
    if let size = attributes[.size] as? NSNumber, size.int64Value > Int64(JSONParser.largestSize) {
      throw JSONParser.tooLarge(file: name, size: "\(size.int64Value) bytes")
    }
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      // One byte more than allowed, so that a file that grew meanwhile is refused rather than cut off.
      return try handle.read(upToCount: JSONParser.largestSize + 1) ?? Data()
    } catch {
      throw .unreadable(file: name, reason: "cannot be read: \(path.quoted)")
    }
  }
}
