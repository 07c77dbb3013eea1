import Internals
import LinkSimulator

/// A value of a document with its path, so that every error can name its place.
package struct FormatReader {
  package let value: JSONValue
  package let file: String
  /// The path of the value, such as `phases[2].down`; empty for the document.
  package let path: String

  package init(value: JSONValue, file: String, path: String) {
    (self.value, self.file, self.path) = (value, file, path)
  }

  package func error(_ reason: String) -> ProfileError {
    .value(file: file, path: path, reason: reason)
  }

  // MARK: Objects and lists

  package func object(keys: [String], of what: String) throws(ProfileError) -> FormatObject {
    let object = try openObject(of: what)
    for member in object.members where !keys.contains(member.key) {
      let near = NearNames.find(member.key, among: keys, atMost: 3).map(\.quoted)
      let remedy =
        NearNames.question(near) ?? "; \(what) has the keys \(keys.map(\.quoted).joined(separator: ", "))"
      throw self.member(member).error("unknown key\(remedy)")
    }
    return object
  }

  package func openObject(of what: String) throws(ProfileError) -> FormatObject {
    guard case .object(let members) = value else {
      throw error("found \(value.shown) where \(what) should be, an object in braces")
    }
    return FormatObject(reader: self, members: members)
  }

  package func elements(of what: String) throws(ProfileError) -> [FormatReader] {
    guard case .array(let elements) = value else {
      throw error("found \(value.shown) where \(what) should be, a list in square brackets")
    }
    return elements.enumerated().map { index, element in
      FormatReader(value: element, file: file, path: "\(path)[\(index)]")
    }
  }

  func member(_ member: JSONValue.Member) -> FormatReader {
    FormatReader(value: member.value, file: file, path: Self.path(path, to: member.key))
  }

  /// The path of a member; a key that is not a plain word is quoted.
  package static func path(_ path: String, to key: String) -> String {
    let isPlain =
      !key.isEmpty
      && key.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0 == "-" || $0 == "_" || ("0"..."9").contains($0)
      }
    let key = isPlain && key.unicodeScalars.count <= 60 ? key : key.quoted
    return path.isEmpty ? key : "\(path).\(key)"
  }

  // MARK: Plain values

  package func string(_ what: String) throws(ProfileError) -> String {
    guard case .string(let text) = value else { throw error("found \(value.shown) where \(what) should be, a string") }
    return text
  }

  package func bool() throws(ProfileError) -> Bool {
    guard case .bool(let flag) = value else { throw error("\(value.shown) is neither true nor false") }
    return flag
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ what: String) throws(ProfileError) -> Choice {
    guard case .string(let name) = value, let choice = Choice(rawValue: name) else {
      let names = Choice.allCases.map(\.rawValue.quoted).joined(separator: " or ")
      throw error("\(value.shown) is not a valid \(what); write \(names)")
    }
    return choice
  }

  /// A number without a unit, such as a status.
  func count(_ range: ClosedRange<Int>, _ what: String) throws(ProfileError) -> Int {
    guard case .number(let text) = value, let number = Int(text), range.contains(number) else {
      let most = range.upperBound == .max ? "up" : "to \(range.upperBound)"
      throw error("\(value.shown) is not \(what), a whole number from \(range.lowerBound) \(most)")
    }
    return number
  }

  package func number(_ range: ClosedRange<Double>, _ what: String) throws(ProfileError) -> Double {
    guard case .number(let text) = value, let number = Double(text), range.contains(number) else {
      throw error("\(value.shown) is not \(what), \(Self.text(of: range, "a number"))")
    }
    return number
  }

  /// A whole number below 2^53, written as `1000`, `1e3` or `1000.0`.
  package func wholeNumber(_ range: ClosedRange<Int64>, _ what: String) throws(ProfileError) -> Int64 {
    let bounds = Double(range.lowerBound)...Double(range.upperBound)
    guard case .number(let text) = value, let number = Double(text), bounds.contains(number), number == number.rounded()
    else { throw error("\(value.shown) is not \(what), \(Self.text(of: bounds, "a whole number"))") }
    return Int64(number)
  }

  private static func text(of range: ClosedRange<Double>, _ kind: String) -> String {
    "\(kind) from \(range.lowerBound.shortDescription) to \(range.upperBound.shortDescription)"
  }

  // MARK: Quantities

  private func quantity<Value>(
    _ kind: QuantityText.Kind, _ parse: (String) throws(ProfileError) -> Value
  ) throws(ProfileError) -> Value {
    switch value {
    case .string(let text):
      do throws(ProfileError) {
        return try parse(text)
      } catch {
        throw self.error(error.sentence)
      }
    case .number:
      throw error(kind.error("\(value.shown) has no unit").sentence)
    default:
      throw error(kind.error("\(value.shown) is not \(kind.name)").sentence)
    }
  }

  package func duration() throws(ProfileError) -> Duration {
    try quantity(.duration) { text throws(ProfileError) in try Duration(parsing: text) }
  }

  func length(of what: String) throws(ProfileError) -> Duration {
    let duration = try duration()
    guard duration.wholeNanoseconds > 0 else {
      throw error("\(value.shown) is not a length for \(what); write more than 0, for example \"45 s\"")
    }
    return duration
  }

  package func probability() throws(ProfileError) -> Probability {
    try quantity(.probability) { text throws(ProfileError) in try Probability(parsing: text) }
  }

  func place() throws(ProfileError) -> BytePosition {
    value == .string("\(BytePosition.anywhere)") ? .anywhere : .after(try bytes())
  }

  func direction() throws(ProfileError) -> Direction {
    guard case .string(let name) = value, let direction = Direction(rawValue: name) else {
      throw error("\(value.shown) is not a direction; write \"up\" or \"down\"")
    }
    return direction
  }

  func bytes() throws(ProfileError) -> ByteQuantity {
    try quantity(.bytes) { text throws(ProfileError) in try ByteQuantity(parsing: text) }
  }

  func packets() throws(ProfileError) -> Int {
    try quantity(.packets) { text throws(ProfileError) in try Int(packets: text) }
  }

  /// A rate; `nil` for `unlimited`.
  func rate() throws(ProfileError) -> Bandwidth? {
    if value == .string("unlimited") { return nil }
    return try quantity(.rate) { text throws(ProfileError) in try Bandwidth(parsing: text) }
  }
}

package struct FormatObject {
  package let reader: FormatReader
  let members: [JSONValue.Member]

  package var keys: [String] { members.map(\.key) }

  package var entries: [(key: String, value: FormatReader)] { members.map { ($0.key, reader.member($0)) } }

  package subscript(_ key: String) -> FormatReader? {
    members.first { $0.key == key }.map(reader.member)
  }

  package func required(_ key: String, _ remedy: String) throws(ProfileError) -> FormatReader {
    guard let value = self[key] else { throw reader.error("the key \(key.quoted) is missing; \(remedy)") }
    return value
  }
}
