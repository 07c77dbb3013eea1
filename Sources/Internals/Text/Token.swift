extension StringProtocol {
  /// Whether the text is a token, as methods and names of header fields are (RFC 9110, 5.6.2).
  package var isToken: Bool {
    let signs = "!#$%&'*+-.^_`|~".utf8
    return !isEmpty
      && utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || signs.contains(byte)
          // A letter, in lower case.
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      }
  }
}
