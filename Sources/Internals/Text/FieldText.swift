import Foundation

extension String {
  /// The text as a CSV field, quoted if necessary (RFC 4180, section 2).
  package var csvField: String {
    guard utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return self }
    return "\"\(String(UnicodeScalarView(unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] })))\""
  }

  /// The text as the message of an annotation of GitHub Actions.
  package var annotationText: String {
    replacingOccurrences(of: "%", with: "%25").replacingOccurrences(of: "\r", with: "%0D")
      .replacingOccurrences(of: "\n", with: "%0A")
  }

  /// The text as the title of an annotation of GitHub Actions.
  package var annotationTitle: String {
    annotationText.replacingOccurrences(of: ":", with: "%3A").replacingOccurrences(of: ",", with: "%2C")
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
