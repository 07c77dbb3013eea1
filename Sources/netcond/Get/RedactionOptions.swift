import NetworkConditions
import URLLoading

/// The options about secrets, which `netcond get` and `netcond record` share.
enum RedactionOptions {
  static let secretsOption = Option(
    "secrets", help: "keep passwords, tokens, cookies and keys, which are left out otherwise")
  static let redactOption = Option(
    "redact", value: "NAME", repeats: true, help: "leave out what stands under this name too: a field, an item, a key")

  static let all = [secretsOption, redactOption]

  static func redaction(_ arguments: Arguments) -> Redaction {
    let base: Redaction = arguments[flag: secretsOption] ? .none : .standard
    return base.adding(arguments[all: redactOption])
  }
}

extension Redaction {
  /// The fields of a response as they may be shown.
  func headers(of response: HTTPURLResponse) -> [HeaderField] {
    var fields: [String: String] = [:]
    for (name, value) in response.allHeaderFields { fields["\(name)"] = "\(value)" }
    return headers(fields)
  }
}
