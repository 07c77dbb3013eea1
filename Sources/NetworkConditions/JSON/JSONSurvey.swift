extension JSONCursor {
  /// The most values in a document; large documents may have one for each four bytes.
  private static let fewValues = 1_000_000

  private struct Frame {
    let closing: UInt8
    /// The keys of an object so far, as byte ranges without quotation marks.
    var keys: [Range<Int>] = []
    /// The number of values before the present one.
    var count = 0
    /// How many of the row's values are neither lists nor objects.
    var bare = 0

    var isObject: Bool { closing == UInt8(ascii: "}") }
  }

  /// Rejects shapes that no real file has: rows above `longest`, and numbers of which `number` returns a problem.
  package mutating func survey(
    longestRow longest: Int = .max,
    number: (_ digits: ArraySlice<UInt8>, _ key: ArraySlice<UInt8>) -> String? = { _, _ in nil }
  ) throws(ProfileError) {
    let mostValues = max(Self.fewValues, bytes.count / 4)
    var open: [Frame] = []
    var values = 0
    repeat {
      skipSpace()
      values += 1
      let start = position
      guard values <= mostValues else {
        throw .value(
          file: file, path: "",
          reason: "contains more than \(mostValues) values in \(bytes.count) bytes; no such file does")
      }
      if peek == UInt8(ascii: "{") || peek == UInt8(ascii: "[") {
        open.append(Frame(closing: Self.closing(bytes[position])))
        try checkDepth(open.count)
        position += 1
        skipSpace()
        if peek != open[open.count - 1].closing {
          if open[open.count - 1].isObject { try takeKey(&open) }
          continue
        }
      } else {
        try takeScalar()
        if let last = open.indices.last {
          open[last].bare += 1
          guard open[last].isObject || open[last].bare <= longest else {
            throw .value(
              file: file, path: path(of: open.dropLast()),
              reason: "is a list of more than \(longest) numbers and strings; no such file has one")
          }
        }
        if bytes[start] == UInt8(ascii: "-") || bytes[start].isDigit {
          let key = open.last { $0.isObject }?.keys.last ?? 0..<0
          if let problem = number(bytes[start..<position], bytes[key]) {
            throw .value(file: file, path: path(of: open[...]), reason: problem)
          }
        }
      }
      try close(&open)
    } while !open.isEmpty
    try end()
  }

  private mutating func takeScalar() throws(ProfileError) {
    switch peek {
    case UInt8(ascii: "\"")?: try skipText()
    case let byte? where byte == UInt8(ascii: "-") || byte.isDigit: try skipNumber()
    case nil: throw syntax("the document ends where a value should be")
    default:
      guard takeWord("true") || takeWord("false") || takeWord("null") else {
        throw syntax("\(here) where a value should be; a string needs quotation marks")
      }
    }
  }

  /// Closes the lists and objects that end after a value, and moves to the next value of the first open one.
  private mutating func close(_ open: inout [Frame]) throws(ProfileError) {
    while let frame = open.last {
      guard try next(frame.closing, isFirst: false) else {
        open.removeLast()
        continue
      }
      open[open.count - 1].count += 1
      if frame.isObject { try takeKey(&open) }
      return
    }
  }

  private mutating func takeKey(_ open: inout [Frame]) throws(ProfileError) {
    skipSpace()
    let start = position
    let name = try key()
    // The key as written: unescaping it could cost more than the rest of the document.
    let range = start + 1..<(bytes[start + 1..<position].lastIndex(of: UInt8(ascii: "\"")) ?? position)
    let last = open.count - 1
    guard open[last].keys.count < 1_000 else { throw syntax("an object has more than 1000 keys", at: start) }
    guard !open[last].keys.contains(where: { bytes[$0].elementsEqual(bytes[range]) }) else {
      throw syntax("the key \(name.quoted) is given twice in one object", at: start)
    }
    open[last].keys.append(range)
  }

  private func path(of open: ArraySlice<Frame>) -> String {
    open.reduce("") { path, frame in
      guard frame.isObject else { return "\(path)[\(frame.count)]" }
      return frame.keys.last.map { FormatReader.path(path, to: String(decoding: bytes[$0], as: UTF8.self)) } ?? path
    }
  }
}
