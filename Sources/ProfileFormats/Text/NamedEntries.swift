import NetworkConditions

/// Reads documents that hold one entry, a list of them, or an object of them by name.
enum NamedEntries {
  /// - Parameters:
  ///   - what: what an entry is, for errors.
  ///   - isEntry: whether an object with these keys is an entry itself.
  ///   - read: reads one entry, given its name when it has one.
  static func read(
    _ reader: FormatReader, of what: String, isEntry: ([String]) -> Bool,
    _ read: (String?, FormatReader) throws(ProfileError) -> ImportedProfile
  ) throws(ProfileError) -> [ImportedProfile] {
    var entries: [(String?, FormatReader)] = []
    if case .array = reader.value {
      for element in try reader.elements(of: "a list of \(what)") { entries.append((try name(element), element)) }
    } else {
      let object = try reader.openObject(of: what)
      if isEntry(object.keys) {
        entries.append((try name(reader), reader))
      } else {
        entries = object.entries.map { ($0.key, $0.value) }
      }
    }
    guard !entries.isEmpty else { throw reader.error("there are no \(what) in this document") }
    guard entries.count <= FormatDocument.mostProfiles else {
      throw reader.error(FormatDocument.tooMany(entries.count))
    }
    var profiles: [ImportedProfile] = []
    for (name, entry) in entries { profiles.append(try read(name, entry)) }
    return profiles
  }

  private static func name(_ reader: FormatReader) throws(ProfileError) -> String? {
    guard case .object = reader.value else { return nil }
    let object = try reader.openObject(of: "an entry")
    for key in ["title", "name"] {
      if case .string(let name)? = object[key]?.value, !name.isEmpty { return name }
    }
    return nil
  }
}
