import Foundation
import NetworkConditions

/// Finds where in a document of JSON the value lies that a path leads to, so that an error can name line and column.
///
/// The document has been read before, so that its syntax is known to be right.
struct JSONLocator {
  private let bytes: [UInt8]
  private let target: String
  private var position = 0
  private var found: Int?

  /// The line and column, counted from 1, of the value at a path as errors write it; nothing when it is not there.
  static func place(of path: String, in data: Data) -> (line: Int, column: Int)? {
    var locator = JSONLocator(bytes: [UInt8](data), target: path)
    locator.value("")
    guard let found = locator.found else { return nil }
    let before = locator.bytes[..<found]
    let line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    let column = before.reversed().prefix { $0 != 0x0A }.reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    return (line, column)
  }

  private init(bytes: [UInt8], target: String) {
    self.bytes = bytes
    self.target = target
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(_ others: UInt8...) {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 || others.contains(byte) {
      position += 1
    }
  }

  private mutating func value(_ path: String) {
    skip()
    if path == target {
      found = position
      return
    }
    switch peek {
    case UInt8(ascii: "{"):
      position += 1
      skip()
      while found == nil, let byte = peek, byte != UInt8(ascii: "}") {
        let key = string()
        skip(UInt8(ascii: ":"))
        value(FormatReader.path(path, to: key))
        if found == nil { skip(UInt8(ascii: ",")) }
      }
      position += 1
    case UInt8(ascii: "["):
      position += 1
      skip()
      var index = 0
      while found == nil, let byte = peek, byte != UInt8(ascii: "]") {
        value("\(path)[\(index)]")
        index += 1
        if found == nil { skip(UInt8(ascii: ",")) }
      }
      position += 1
    case UInt8(ascii: "\""): _ = string()
    default:
      while let byte = peek, ![0x20, 0x0A, 0x0D, 0x09, 0x2C, 0x5D, 0x7D].contains(byte) { position += 1 }
    }
  }

  /// Takes a text, and gives what it says.
  private mutating func string() -> String {
    let start = position
    position += 1
    var isPlain = true
    while let byte = peek, byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") {
        isPlain = false
        position += 1
      }
      position += 1
    }
    position += 1
    let end = min(position, bytes.count)
    if isPlain { return String(decoding: bytes[min(start + 1, end)..<max(start + 1, end - 1)], as: UTF8.self) }
    let kind = DocumentKind("a text", usually: "short", atMostMebibytes: 1)
    let reader = try? kind.value(json: Data(bytes[start..<end]), file: "")
    if case .string(let text)? = reader?.value { return text }
    return ""
  }
}
