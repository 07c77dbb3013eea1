extension JSONCursor {
  /// Rejects shapes that no real file has: rows above `longest`, and numbers of which `number` returns a problem.
  ///
  /// - Parameter few: the most values in a document; larger documents may have one for each four bytes.
  package mutating func survey(
    longestRow longest: Int = .max, few: Int = 1_000_000,
    number: ((_ digits: String, _ key: String) -> String?)? = nil
  ) throws(ProfileError) {
    let most = max(few, bytes.count / 4)
    var left = most
    try survey(longest, number, most, &left)
    try end()
  }

  private mutating func survey(
    _ longest: Int, _ number: ((_ digits: String, _ key: String) -> String?)?, _ most: Int, _ left: inout Int
  ) throws(ProfileError) {
    guard left > 0 else {
      throw .value(
        file: file, path: "", reason: "contains more than \(most) values in \(bytes.count) bytes; no such file does")
    }
    left -= 1
    skipSpace()
    let start = position
    switch peek {
    case UInt8(ascii: "{"):
      try members { cursor, _ throws(ProfileError) in try cursor.survey(longest, number, most, &left) }
    case UInt8(ascii: "["):
      // How many of the row's values are neither lists nor objects.
      var bare = 0
      try elements { cursor throws(ProfileError) in
        if let byte = cursor.peek, !"{[".utf8.contains(byte) { bare += 1 }
        guard bare <= longest else {
          cursor.steps.removeLast()
          throw cursor.error("is a list of more than \(longest) numbers and strings; no such file has one")
        }
        try cursor.survey(longest, number, most, &left)
      }
    default:
      try skip()
      guard let number, bytes[start] == UInt8(ascii: "-") || bytes[start].isDigit else { return }
      let key = steps.reversed().lazy.compactMap { if case .key(let key) = $0 { key } else { nil } }.first ?? ""
      if let problem = number(String(decoding: bytes[start..<position], as: UTF8.self), key) { throw error(problem) }
    }
  }
}
