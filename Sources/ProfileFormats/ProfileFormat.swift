package import NetworkConditions

/// Another tool's format for network conditions, from which profiles are read and to which they are written.
public struct ProfileFormat: Sendable {
  let coding: any ProfileCoding

  init(_ coding: any ProfileCoding) { self.coding = coding }

  /// All formats, in the order of listings.
  public static let all: [ProfileFormat] = [
    netem, tc, chrome, lighthouse, webPageTest, toxiproxy, linkConditioner, dummynet, mahimahi, throughputLog,
  ]

  /// Returns the format with this name, ignoring case; `nil` when there is none.
  public static func named(_ name: String) -> ProfileFormat? {
    all.first { $0.name == name.lowercased() }
  }

  /// The word that names the format on a command line, such as `toxiproxy`.
  public var name: String { coding.name }
  /// A description of the format in one line.
  public var summary: String { coding.summary }

  package func profiles(in document: FormatDocument) throws(ProfileError) -> [ImportedProfile] {
    try coding.profiles(in: document)
  }
}

/// How a format is read and written.
///
/// To add one, write a file with a conforming type and a member of ``ProfileFormat``, and list that in
/// ``ProfileFormat/all``. The conformance test covers all formats in that list.
protocol ProfileCoding: Sendable {
  var name: String { get }
  var summary: String { get }

  /// Reads profiles from any bytes: returns them or throws, in finite time and with memory in proportion to the
  /// document.
  func profiles(in document: FormatDocument) throws(ProfileError) -> [ImportedProfile]

  /// Writes a profile so that it reads back the same, and lists the parts that the format cannot hold.
  func export(_ profile: NetworkProfile) -> ExportedDocument
}
