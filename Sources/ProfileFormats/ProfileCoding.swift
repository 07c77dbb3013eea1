public import NetworkConditions

/// Another tool's format for network conditions, from which profiles are read and to which they are written.
///
/// To add one, write a file with a conforming type and add the type to ``ProfileFormat/all``. The conformance test
/// covers all formats in that list.
public protocol ProfileCoding: Sendable {
  /// The word that names the format on a command line, such as `toxiproxy`.
  var name: String { get }
  /// A description of the format in one line.
  var summary: String { get }

  /// Reads all profiles of a document, each with the parts that the simulator cannot represent.
  ///
  /// Any bytes must give a result or an error, in finite time and with memory in proportion to the document.
  func profiles(in document: FormatDocument) throws(ProfileError) -> [ImportedProfile]

  /// Writes a profile so that it reads back the same, and lists the parts that the format cannot hold.
  func export(_ profile: NetworkProfile) -> ExportedDocument
}

/// The list of all formats of other tools.
public enum ProfileFormat {
  /// All formats, in the order of listings.
  public static let all: [any ProfileCoding] = [
    NetemFormat(), TrafficControlFormat(), ChromeFormat(), LighthouseFormat(), WebPageTestFormat(), ToxiproxyFormat(),
    LinkConditionerFormat(), DummynetFormat(), MahimahiFormat(), ThroughputLogFormat(),
  ]

  /// Returns the format with this name, ignoring case; `nil` when there is none.
  public static func named(_ name: String) -> (any ProfileCoding)? {
    all.first { $0.name == name.lowercased() }
  }
}
