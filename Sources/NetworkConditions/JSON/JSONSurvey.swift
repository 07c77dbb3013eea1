extension JSONCursor {
  /// The most values in a document; large documents may have one for each four bytes.
  private static let fewValues = 1_000_000

  /// Rejects shapes that no real file has: rows above `longest`, and numbers of which `number` returns a problem.
  package mutating func survey(
    longestRow longest: Int = .max, number: ((_ digits: String, _ key: String) -> String?)? = nil
  ) throws(ProfileError) {
    var values = 0
    try survey(longest, number, &values)
    try end()
  }

  private mutating func survey(
    _ longest: Int, _ number: ((_ digits: String, _ key: String) -> String?)?, _ values: inout Int
  ) throws(ProfileError) {
    let mostValues = max(Self.fewValues, bytes.count / 4)
    values += 1
    guard values <= mostValues else {
      throw .value(
        file: file, path: "",
        reason: "contains more than \(mostValues) values in \(bytes.count) bytes; no such file does")
    }
    skipSpace()
    let start = position
    switch peek {
    case UInt8(ascii: "{"):
      try members { cursor, _ throws(ProfileError) in try cursor.survey(longest, number, &values) }
    case UInt8(ascii: "["):
      // How many of the row's values are neither lists nor objects.
      var bare = 0
      try elements { cursor throws(ProfileError) in
        if let byte = cursor.peek, !"{[".utf8.contains(byte) { bare += 1 }
        guard bare <= longest else {
          cursor.steps.removeLast()
          throw cursor.error("is a list of more than \(longest) numbers and strings; no such file has one")
        }
        try cursor.survey(longest, number, &values)
      }
    default:
      try skip()
      guard let number, bytes[start] == UInt8(ascii: "-") || bytes[start].isDigit else { return }
      let key = steps.reversed().lazy.compactMap { if case .key(let key) = $0 { key } else { nil } }.first ?? ""
      if let problem = number(String(decoding: bytes[start..<position], as: UTF8.self), key) { throw error(problem) }
    }
  }
}
