/// Which header values are left out of descriptions, logs and recordings, so that no credential ends up in them.
///
/// Only texts are redacted: the values themselves stay within reach of assertions.
public struct Redaction: Hashable, Sendable {
  /// The names of the fields whose values are left out, in lower case.
  public let headerNames: Set<String>

  /// What stands in place of a value that is left out.
  public static let placeholder = "<redacted>"

  /// Leaves out the values of `Authorization`, `Proxy-Authorization`, `Cookie` and `Set-Cookie`.
  public static let standard = Redaction(headerNames: ["Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie"])

  /// Leaves out nothing.
  public static let none = Redaction(headerNames: [])

  /// Creates a redaction of the named fields, without regard to case.
  public init(headerNames: some Sequence<String>) {
    self.headerNames = Set(headerNames.map { $0.lowercased() })
  }

  /// A redaction of these fields too.
  public func adding(_ names: String...) -> Redaction {
    Redaction(headerNames: headerNames.union(names.map { $0.lowercased() }))
  }

  /// The value as it may be shown.
  public func value(_ value: String, of name: String) -> String {
    headerNames.contains(name.lowercased()) ? Self.placeholder : value
  }

  /// The fields as they may be shown.
  public func headers(_ headers: [HeaderField]) -> [HeaderField] {
    headers.map { HeaderField($0.name, value($0.value, of: $0.name)) }
  }

  /// The fields as they may be shown, sorted by name.
  public func headers(_ headers: [String: String]) -> [HeaderField] {
    self.headers(headers.sorted { $0.key < $1.key }.map { HeaderField($0.key, $0.value) })
  }
}
