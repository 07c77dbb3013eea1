/// The formats that there are.
public enum ProfileFormat {
  /// All formats, in the order in which they are listed.
  public static let all: [any ProfileCoding] = [
    NetemFormat(), TrafficControlFormat(), ChromeFormat(), LighthouseFormat(), WebPageTestFormat(), ToxiproxyFormat(),
    LinkConditionerFormat(), DummynetFormat(), MahimahiFormat(), ThroughputLogFormat(),
  ]

  /// The format with this name, without regard to case; nothing when there is none.
  public static func named(_ name: String) -> (any ProfileCoding)? {
    all.first { $0.name == name.lowercased() }
  }
}
