public import Foundation
public import NetworkConditions

extension NetworkProfile {
  /// Reads the one profile of a text in another tool's format.
  ///
  /// ```swift
  /// let staging = try NetworkProfile(#"{"type": "latency", "attributes": {"latency": 300}}"#, as: .toxiproxy)
  /// ```
  ///
  /// The profile's `source` names all parts that the simulator cannot represent; ``imported(_:as:file:)`` lists them.
  ///
  /// - Throws: an error that names the place, the value and its correction; also unless there is exactly one profile.
  public init(_ text: String, as format: ProfileFormat) throws(ProfileError) {
    self = try Self.only(in: FormatDocument(text, file: format.name), as: format)
  }

  /// Reads the one profile of a file in another tool's format.
  ///
  /// - Throws: an error that names the place, the value and its correction; also unless there is exactly one profile.
  public init(contentsOf url: URL, as format: ProfileFormat) throws(ProfileError) {
    self = try Self.only(in: try FormatDocument(contentsOf: url), as: format)
  }

  /// Reads a line of tc-netem(8), from a bug report or a script: `delay 100ms 20ms loss 1% rate 1mbit`.
  ///
  /// Text before the options is allowed: `tc qdisc add dev eth0 root netem delay 100ms`.
  ///
  /// - Parameters:
  ///   - line: the options of netem, in tc's own units.
  ///   - direction: the direction that the line shapes; `nil` is both, each with the whole delay.
  /// - Throws: an error that names the column, the value and its correction. Options that tc refuses are errors.
  public init(netem line: String, direction: Direction? = nil) throws(ProfileError) {
    var profile = try NetworkProfile(line, as: .netem)
    if let direction {
      let source = profile.source
      profile = NetworkProfile(
        name: profile.name, down: direction == .down ? profile.base.down : .unlimited,
        up: direction == .up ? profile.base.up : .unlimited)
      profile.source = source
    }
    self = profile
  }

  /// Reads all profiles of a document in another tool's format, each with the parts that the simulator lacks.
  ///
  /// - Parameters:
  ///   - data: the document; text is UTF-8.
  ///   - format: such as `.toxiproxy`, or one of ``ProfileFormat/all``.
  ///   - file: the document's name in errors; also the name of a profile that has none.
  public static func imported(
    _ data: Data, as format: ProfileFormat, file: String? = nil
  ) throws(ProfileError) -> [ImportedProfile] {
    try format.profiles(in: FormatDocument(data, file: file ?? format.name))
  }

  /// Writes the profile in another tool's format, with a list of the parts that that format cannot hold.
  ///
  /// - Parameter format: such as `.toxiproxy`, or one of ``ProfileFormat/all``.
  public func exported(as format: ProfileFormat) -> ExportedDocument {
    format.coding.export(self)
  }

  private static func only(in document: FormatDocument, as format: ProfileFormat) throws(ProfileError) -> NetworkProfile
  {
    let imported = try format.profiles(in: document)
    guard imported.count == 1 else {
      throw .unreadable(file: document.file, reason: "holds \(imported.count) profiles, but one is wanted")
    }
    return imported[0].profile
  }
}
