import Foundation
import NetworkConditions

/// Reads property lists in XML, and reports the line and column of an error.
///
/// Foundation's reader reports no column, silently takes the last of two equal keys, and loses the order of the profiles.
struct XMLPropertyList {
  private let scalars: [Unicode.Scalar]
  private let file: String
  private var position = 0

  /// The deepest nesting of lists and dictionaries, so that no document exhausts the stack.
  static let deepest = 32

  static func parse(_ text: String, file: String) throws(ProfileError) -> JSONValue {
    var parser = XMLPropertyList(scalars: Array(text.unicodeScalars), file: file)
    return try parser.document()
  }

  private struct Tag {
    var name: String
    var isEnd: Bool
    var isEmpty: Bool
    var start: Int
  }

  private mutating func document() throws(ProfileError) -> JSONValue {
    let root = try tag()
    guard root.name == "plist", !root.isEnd else {
      throw error("found <\(root.name)> where <plist> should be", at: root.start)
    }
    if root.isEmpty { throw error("the property list is empty", at: root.start) }
    let value = try self.value(try tag(), depth: 0)
    let end = try tag()
    guard end.name == "plist", end.isEnd else { throw error("</plist> should be here", at: end.start) }
    try skipMisc()
    if position < scalars.count { throw error("nothing may follow </plist>", at: position) }
    return value
  }

  private mutating func value(_ tag: Tag, depth: Int) throws(ProfileError) -> JSONValue {
    guard !tag.isEnd else { throw error("found </\(tag.name)> where a value should be", at: tag.start) }
    guard depth < Self.deepest else {
      throw error("nested deeper than \(Self.deepest) levels", at: tag.start)
    }
    switch tag.name {
    case "dict": return tag.isEmpty ? .object([]) : try dictionary(tag, depth: depth)
    case "array":
      var elements: [JSONValue] = []
      if tag.isEmpty { return .array([]) }
      while true {
        let next = try self.tag()
        if next.isEnd, next.name == "array" { return .array(elements) }
        elements.append(try value(next, depth: depth + 1))
      }
    case "true", "false":
      _ = try content(of: tag)
      return .bool(tag.name == "true")
    case "string": return .string(try content(of: tag))
    case "integer", "real":
      let text = try content(of: tag).trimmingCharacters(in: .whitespacesAndNewlines)
      guard DecimalNumber(text) != nil else { throw error("\(text.quoted) is not a number", at: tag.start) }
      return .number(text)
    case "date", "data":
      _ = try content(of: tag)
      return .null
    default: throw error("<\(tag.name)> is not an element of a property list", at: tag.start)
    }
  }

  private mutating func dictionary(_ tag: Tag, depth: Int) throws(ProfileError) -> JSONValue {
    var members: [JSONValue.Member] = []
    var keys = Set<String>()
    while true {
      let next = try self.tag()
      if next.isEnd, next.name == "dict" { return .object(members) }
      guard next.name == "key", !next.isEnd else {
        throw error("found <\(next.isEnd ? "/" : "")\(next.name)> where <key> should be", at: next.start)
      }
      let key = try content(of: next)
      guard keys.insert(key).inserted else { throw error("the key \(key.quoted) is given twice", at: next.start) }
      members.append(JSONValue.Member(key, try value(try self.tag(), depth: depth + 1)))
    }
  }

  // MARK: Tags and text

  private mutating func tag() throws(ProfileError) -> Tag {
    try skipMisc()
    let start = position
    guard position < scalars.count else { throw error("the document ends where an element should be", at: position) }
    guard scalars[position] == "<" else {
      throw error("found \(String(scalars[position]).quoted) where an element should be", at: position)
    }
    guard let end = scalars[position...].firstIndex(of: ">") else { throw error("this element has no end", at: start) }
    var inner = scalars[(position + 1)..<end]
    position = end + 1
    let isEnd = inner.first == "/"
    if isEnd { inner = inner.dropFirst() }
    let isEmpty = inner.last == "/"
    let name = inner.prefix { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }
    guard !name.isEmpty else { throw error("an element needs a name", at: start) }
    guard name.count <= 40 else {
      throw error("<\(text(name.prefix(40)))…> is not an element of a property list", at: start)
    }
    return Tag(name: text(name), isEnd: isEnd, isEmpty: isEmpty && !isEnd, start: start)
  }

  private mutating func content(of tag: Tag) throws(ProfileError) -> String {
    if tag.isEmpty { return "" }
    var result = String.UnicodeScalarView()
    while position < scalars.count {
      let scalar = scalars[position]
      if scalar == "&" {
        result.append(try entity())
      } else if scalar == "<" {
        if starts(with: "<!--") {
          try skip(to: "-->")
          continue
        }
        let end = try self.tag()
        guard end.isEnd, end.name == tag.name else {
          throw error("</\(tag.name)> should be here", at: end.start)
        }
        return String(result)
      } else {
        result.append(scalar)
        position += 1
      }
    }
    throw error("<\(tag.name)> has no end", at: tag.start)
  }

  private mutating func entity() throws(ProfileError) -> Unicode.Scalar {
    let start = position
    let window = scalars[position...].prefix(12)
    guard let end = window.firstIndex(of: ";") else { throw error("write &amp; for this sign", at: start) }
    let name = text(scalars[(start + 1)..<end])
    position = end + 1
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let code: UInt32? =
        name.hasPrefix("#x")
        ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
      guard let code, let scalar = Unicode.Scalar(code) else {
        throw error("\("&\(name);".quoted) is not a character", at: start)
      }
      return scalar
    }
  }

  private mutating func skipMisc() throws(ProfileError) {
    while position < scalars.count {
      switch scalars[position] {
      case " ", "\t", "\r", "\n", "\u{FEFF}": position += 1
      case "<" where starts(with: "<!--"): try skip(to: "-->")
      case "<" where starts(with: "<?"): try skip(to: "?>")
      case "<" where starts(with: "<!DOCTYPE"): try skip(to: ">")
      default: return
      }
    }
  }

  private func starts(with text: String) -> Bool { scalars[position...].starts(with: text.unicodeScalars) }

  private mutating func skip(to end: String) throws(ProfileError) {
    let start = position
    let mark = Array(end.unicodeScalars)
    while position < scalars.count {
      if scalars[position] == mark[0], starts(with: end) {
        position += mark.count
        return
      }
      position += 1
    }
    throw error("\(end.quoted) is missing after this", at: start)
  }

  private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String { String(String.UnicodeScalarView(scalars)) }

  private func error(_ reason: String, at place: Int) -> ProfileError {
    let lines = scalars[..<min(place, scalars.count)].split(separator: "\n", omittingEmptySubsequences: false)
    return Place(file: file, line: lines.count, column: (lines.last?.count ?? 0) + 1).error(reason)
  }
}
