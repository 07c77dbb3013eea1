public import NetworkConditions

/// A format in which other tools keep network conditions: reads profiles from it and writes them in it.
///
/// To add one, write a file with a type that conforms, and name it in ``ProfileFormat/all``; the conformance test runs
/// over all that are named there.
public protocol ProfileCoding: Sendable {
  /// The word that names the format on a command line, such as `toxiproxy`.
  var name: String { get }
  /// A description of the format and its use, in one line.
  var summary: String { get }

  /// Reads all profiles of a document, each with what the simulator cannot hold of it: any bytes come to an end with a
  /// result or an error, in memory in proportion to the document.
  func profiles(in document: FormatDocument) throws(ProfileError) -> [ImportedProfile]

  /// Writes a profile, so that it reads back the same, and lists what the format cannot hold of it.
  func export(_ profile: NetworkProfile) -> ExportedDocument
}

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
