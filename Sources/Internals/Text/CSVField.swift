extension String {
  /// The text as a field of comma-separated values, in quotes where it has to be (RFC 4180, section 2).
  package var csvField: String {
    guard utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return self }
    return "\"\(String(UnicodeScalarView(unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] })))\""
  }
}
