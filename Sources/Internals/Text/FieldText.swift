extension String {
  /// The text as a CSV field, quoted if necessary (RFC 4180, section 2).
  package var csvField: String {
    guard utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return self }
    return "\"\(String(UnicodeScalarView(unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] })))\""
  }
}

extension StringProtocol {
  /// Whether the text is a token, as HTTP methods and field names must be (RFC 9110, 5.6.2).
  package var isToken: Bool {
    let signs = "!#$%&'*+-.^_`|~".utf8
    return !isEmpty
      && utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || signs.contains(byte)
          // A letter; setting bit 0x20 makes it lower case.
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      }
  }
}
