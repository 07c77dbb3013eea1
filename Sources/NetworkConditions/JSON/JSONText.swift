extension JSONValue {
  private enum Layout {
    case compact
    /// JSON on one line, with a space after each comma and colon.
    case spaced
    /// JSON on one line, with spaces inside braces, too.
    case line
    /// JSON on several lines, indented for this depth.
    case lines(Int)
  }

  package var compactText: String { text(.compact) }

  package var lineText: String { text(.spaced) }

  /// The document for people: two spaces for each level, and short, shallow values on one line.
  package var prettyText: String { text(.lines(0)) + "\n" }

  private func text(_ layout: Layout) -> String {
    var text = ""
    write(to: &text, layout)
    return text
  }

  private func write(to text: inout String, _ layout: Layout) {
    switch self {
    case .string(let value): Self.write(value, to: &text)
    case .number(let value): text += value
    case .bool(let value): text += value ? "true" : "false"
    case .null: text += "null"
    case .object(let members):
      writeElements(members.count, "{", "}", to: &text, layout) { index, text, inner in
        Self.write(members[index].key, to: &text)
        if case .compact = layout { text += ":" } else { text += ": " }
        members[index].value.write(to: &text, inner)
      }
    case .array(let elements):
      writeElements(elements.count, "[", "]", to: &text, layout) { index, text, inner in
        elements[index].write(to: &text, inner)
      }
    }
  }

  private var isShort: Bool {
    switch self {
    case .object(let members): members.count <= 6 && members.allSatisfy { $0.value.depth <= 1 }
    case .array(let elements): elements.allSatisfy { $0.depth == 0 }
    default: true
    }
  }

  private var depth: Int {
    switch self {
    case .object(let members): 1 + (members.map(\.value.depth).max() ?? 0)
    case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
    default: 0
    }
  }

  private func writeElements(
    _ count: Int, _ open: String, _ close: String, to text: inout String, _ layout: Layout,
    element: (Int, inout String, Layout) -> Void
  ) {
    var inner = layout
    var (first, between, last) = ("", ",", "")
    switch layout {
    case .compact: break
    case .spaced: between = ", "
    case .lines(let depth) where !isShort && count > 0:
      inner = .lines(depth + 1)
      let line = "\n" + String(repeating: "  ", count: depth)
      (first, between, last) = (line + "  ", "," + line + "  ", line)
    case .line, .lines:
      inner = .line
      let gap = open == "{" && count > 0 ? " " : ""
      (first, between, last) = (gap, ", ", gap)
    }
    text += open + first
    for index in 0..<count {
      if index > 0 { text += between }
      element(index, &text, inner)
    }
    text += last + close
  }

  package static func quoted(_ value: String) -> String {
    var text = ""
    write(value, to: &text)
    return text
  }

  private static func write(_ value: String, to text: inout String) {
    text += "\""
    // Append the characters between two escapes in one piece.
    var rest = value[...]
    while let place = rest.utf8.firstIndex(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 == 0x7F }) {
      text += rest[..<place]
      let byte = value.utf8[place]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += "\\\(Unicode.Scalar(byte))"
      case UInt8(ascii: "\n"): text += "\\n"
      case UInt8(ascii: "\r"): text += "\\r"
      case UInt8(ascii: "\t"): text += "\\t"
      default: text += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))"
      }
      rest = value[value.utf8.index(after: place)...]
    }
    text += rest + "\""
  }
}

extension JSONValue: Codable {
  private struct MemberKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ key: String) { stringValue = key }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: MemberKey.self)
      for member in members { try container.encode(member.value, forKey: MemberKey(member.key)) }
    case .array(let elements): try elements.encode(to: encoder)
    case .string(let text): try text.encode(to: encoder)
    case .number(let text):
      if let whole = Int64(text) { try whole.encode(to: encoder) } else { try (Double(text) ?? 0).encode(to: encoder) }
    case .bool(let flag): try flag.encode(to: encoder)
    case .null: try Bool?.none.encode(to: encoder)
    }
  }

  /// Decodes any document; sorts an object's members by key, because decoders keep no order.
  package init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: MemberKey.self) {
      let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
      self = .object(try keys.map { Member($0.stringValue, try container.decode(JSONValue.self, forKey: $0)) })
      return
    }
    if (try? decoder.unkeyedContainer()) != nil {
      self = .array(try [JSONValue](from: decoder))
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .bool(flag)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let whole = try? container.decode(Int64.self) {
      self = .number("\(whole)")
    } else {
      self = .number("\(try container.decode(Double.self))")
    }
  }
}
