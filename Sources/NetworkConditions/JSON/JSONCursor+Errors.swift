extension JSONCursor {
  package func error(_ reason: String) -> ProfileError {
    .value(file: file, path: path, reason: reason)
  }

  var path: String {
    steps.reduce("") { path, step in
      switch step {
      case .index(let index): "\(path)[\(index)]"
      case .key(let key): FormatReader.path(path, to: key)
      }
    }
  }

  func wrong(_ what: String, _ right: String) -> ProfileError {
    guard let byte = peek else { return syntax("the document ends where \(what) should be") }
    let isValue = "{[\"-tfn0123456789".utf8.contains(byte)
    guard isValue else { return syntax("\(here) where \(what) should be, \(right)") }
    return error("\(shown) is not \(what), \(right)")
  }

  var shown: String {
    switch peek {
    case UInt8(ascii: "{")?: return "an object"
    case UInt8(ascii: "[")?: return "a list"
    case UInt8(ascii: "\"")?:
      var copy = self
      return (try? copy.text())?.quoted ?? "an unterminated string"
    default:
      let rest = bytes[position...].prefix(40).prefix { $0 > 0x20 && $0 < 0x7F && !",]}".utf8.contains($0) }
      return String(decoding: rest, as: UTF8.self)
    }
  }

  var noValue: ProfileError {
    syntax("\(here) where a value should be\(peek == nil || isLenient ? "" : "; a string needs quotation marks")")
  }

  var here: String {
    guard position < bytes.count else { return "the document ends" }
    let rest = String(decoding: bytes[position...].prefix(16), as: UTF8.self)
    return rest.unicodeScalars.first.map { "found \(String($0).quoted)" } ?? "the document ends"
  }

  func checkDepth(_ depth: Int) throws(ProfileError) {
    guard depth <= deepest else { throw syntax("nested deeper than \(deepest) levels") }
  }

  /// A syntax error at a byte position; by default, at the next byte.
  func syntax(_ reason: String, at place: Int? = nil) -> ProfileError {
    var (line, lineStart) = (1, 0)
    let place = min(place ?? position, bytes.count)
    for index in 0..<place where bytes[index] == 0x0A {
      line += 1
      lineStart = index + 1
    }
    var column = 1
    for byte in bytes[lineStart..<place] where byte & 0xC0 != 0x80 { column += 1 }
    return .syntax(file: file, line: line, column: column, reason: reason)
  }
}
