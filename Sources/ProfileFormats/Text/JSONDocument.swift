import NetworkConditions

extension FormatDocument {
  /// Reads the document as JSON; errors name the line, the column, and the path to the value.
  func readingJSON<Result>(
    _ what: String, atMostMebibytes limit: Int = 1, _ body: (FormatReader) throws(ProfileError) -> Result
  ) throws(ProfileError) -> Result {
    let kind = DocumentKind(what, usually: "a few kilobytes", atMostMebibytes: limit)
    let reader = try kind.value(json: data, file: file)
    do throws(ProfileError) {
      return try body(reader)
    } catch {
      guard case .value(let file, let path, let reason) = error, let place = JSONParser.place(of: path, in: data)
      else { throw error }
      throw .value(file: file, path: path, reason: "\(reason) (line \(place.line), column \(place.column))")
    }
  }
}

extension FormatReader {
  func decimal(_ what: String) throws(ProfileError) -> DecimalNumber {
    guard case .number(let text) = value, let number = DecimalNumber(text) else {
      throw error("\(value.shown) is not \(what), a number")
    }
    return number
  }

  /// Returns a number times a fraction, rounded to a whole number from 0 to `limit`.
  func count(
    _ what: String, times factor: UInt64, over divisor: UInt64 = 1, limit: Int64
  ) throws(ProfileError) -> Int64 {
    let number = try decimal(what)
    guard !number.isNegative || number.isZero else { throw error("\(value.shown) is negative; \(what) is not") }
    guard let count = number.count(times: factor, over: divisor, limit: limit) else {
      throw error("\(value.shown) is more than \(what) can be here")
    }
    return count
  }

  func milliseconds(
    _ what: String, limit: Int64 = Duration.longest.wholeNanoseconds
  ) throws(ProfileError) -> Int64 {
    try count("\(what) in milliseconds", times: 1_000_000, limit: limit)
  }

  func percent(_ what: String) throws(ProfileError) -> Probability {
    guard let share = try decimal(what).percent else {
      throw error("\(value.shown) is not \(what), a share in per cent from 0 to 100")
    }
    return share
  }
}

enum NamedEntries {
  /// Reads one entry, or several by name; `isEntry` tells from an object's keys whether it is an entry itself.
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
    return try entries.map { (name, entry) throws(ProfileError) in try read(name, entry) }
  }

  private static func name(_ reader: FormatReader) throws(ProfileError) -> String? {
    guard case .object = reader.value else { return nil }
    let object = try reader.openObject(of: "an entry")
    for key in ["title", "name", "Name", "profileName"] {
      if case .string(let name)? = object[key]?.value, !name.isEmpty { return name }
    }
    return nil
  }
}
