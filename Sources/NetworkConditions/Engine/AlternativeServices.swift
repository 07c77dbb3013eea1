/// The servers that have announced HTTP/3 in an answer, with `Alt-Svc` (RFC 7838).
///
/// Announcements of another host or port are ignored.
struct AlternativeServices {
  private struct Alternative {
    let expiry: SimulatedInstant
    /// Whether the client keeps the announcement when its network changes.
    let persists: Bool
  }

  private var alternatives: [ServerAddress: Alternative] = [:]

  func offersHTTP3(_ server: ServerAddress, at time: SimulatedInstant) -> Bool {
    alternatives[server].map { time < $0.expiry } ?? false
  }

  /// Reads an answer's `Alt-Svc` fields, which replace the server's earlier announcements (RFC 7838, section 3).
  mutating func learn(from head: ResponseHead, of server: ServerAddress, at time: SimulatedInstant) {
    let fields = head.headers.filter { ASCII.equalIgnoringCase($0.name, "Alt-Svc") }.map(\.value)
    guard !fields.isEmpty else { return }
    alternatives[server] =
      fields.flatMap { Self.parts(of: $0, between: ",") }.lazy
      .compactMap { Self.alternative($0, to: server, at: time) }.first
  }

  /// Forgets the announcements that do not survive a change of the client's network (RFC 7838, section 2.2).
  mutating func forgetNetwork() {
    alternatives = alternatives.filter { $0.value.persists }
  }

  /// Reads one member of the list, such as `h3=":443"; ma=86400`; `nil` unless it offers HTTP/3 on the same host and port.
  private static func alternative(
    _ text: String, to server: ServerAddress, at time: SimulatedInstant
  ) -> Alternative? {
    let parts = parts(of: text, between: ";").map { $0.split(separator: "=", maxSplits: 1).map(unquoted) }
    guard let service = parts.first, service.count == 2, service[0] == "h3",
      [":\(server.port)", "\(server.host):\(server.port)"].contains(service[1].lowercased())
    else { return nil }
    func parameter(_ name: String) -> String? { parts.dropFirst().first { $0.count == 2 && $0[0] == name }?[1] }
    // The default is one day (RFC 7838, section 3.1). Larger numbers count as 2^31 (RFC 9111, section 1.2.2).
    let age = parameter("ma").flatMap { UInt64($0) } ?? 86_400
    return Alternative(
      expiry: time.advanced(by: .seconds(Int64(min(age, 1 << 31)))), persists: parameter("persist") == "1")
  }

  private static func unquoted(_ text: Substring) -> String {
    let text = text.drop { $0 == " " || $0 == "\t" }
    return String(text.first == "\"" ? text.dropFirst().prefix { $0 != "\"" } : text.prefix { $0 != " " && $0 != "\t" })
  }

  /// Splits a text at a character, but not inside quoted strings.
  private static func parts(of text: String, between separator: Character) -> [String] {
    var isQuoted = false
    return text.split { character in
      if character == "\"" { isQuoted.toggle() }
      return character == separator && !isQuoted
    }.map(String.init)
  }
}
