import LinkSimulator

/// Reads and writes jitter: `{ "normal": "8 ms", "correlation": "25 %" }`, or `"none"`.
enum JitterFormat {
  private static let shapes = Jitter.Distribution.allCases

  static func read(_ reader: FormatReader) throws(ProfileError) -> Jitter? {
    if reader.value == .string("none") { return nil }
    if case .string = reader.value { throw reader.error(remedy(reader.value.shown)) }
    if case .number = reader.value { throw reader.error(remedy(reader.value.shown)) }
    let object = try reader.object(keys: shapes.map(\.rawValue) + ["correlation"], of: "jitter")
    var chosen: (Jitter.Distribution, Duration)?
    for shape in shapes {
      guard let spread = object[shape.rawValue] else { continue }
      if let chosen { throw spread.error("jitter has one distribution, and \(chosen.0.rawValue.quoted) is given") }
      chosen = (shape, try spread.duration())
    }
    guard let chosen else { throw reader.error(remedy("this")) }
    let correlation = try object["correlation"]?.probability() ?? .zero
    return Jitter(chosen.0, spread: chosen.1, correlation: correlation)
  }

  static func write(_ jitter: Jitter?) -> JSONValue {
    guard let jitter else { return .string("none") }
    var members = [JSONValue.Member(jitter.distribution.rawValue, .string(jitter.spread.formatText))]
    if jitter.correlation != .zero { members.append(.init("correlation", .string(jitter.correlation.formatText))) }
    return .object(members)
  }

  private static func remedy(_ shown: String) -> String {
    let names = shapes.map(\.rawValue.quoted).joined(separator: ", ")
    return "\(shown) names no distribution, one of \(names); write for example {\"normal\": \"8 ms\"}"
  }
}
