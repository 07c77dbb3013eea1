import Foundation
public import NetworkConditions

/// Property lists of Apple's Network Link Conditioner, in XML or binary; written in XML.
///
/// The preferences hold `Profiles`, a dictionary by name. A dictionary of profiles, an array of them with a `Name`
/// each, and a single profile are read as well. `DownlinkBandwidth` and `UplinkBandwidth` are kbit/s, or Mbit/s where
/// the unit beside them is 1; 0 is no limit. Delays are one-way milliseconds, also `DNSDelayValue`. `PacketLossRatio`
/// is per cent. Lost on import: `RunOnInterface`, `ProtocolFamily` and the like, when they restrict anything.
///
/// Source: the keys that the preference pane of the Network Link Conditioner and its counterpart on iOS read and write
/// (`com.apple.network.prefPaneSimulate.plist`), as public scripts and class dumps show them. Apple documents none.
public struct LinkConditionerFormat: ProfileCoding {
  /// Creates the format.
  public init() {}

  /// The word that names the format on a command line.
  public var name: String { "link-conditioner" }
  /// A description of the format in one line.
  public var summary: String { "property lists of Apple's Network Link Conditioner" }

  /// Reads all profiles of a document.
  public func profiles(in document: FormatDocument) throws(ProfileError) -> [ImportedProfile] {
    let value: JSONValue
    let limit = 1 << 20
    if document.data.starts(with: BinaryPropertyList.magic), document.data.count <= limit {
      value = try BinaryPropertyList.parse([UInt8](document.data), file: document.file)
    } else {
      let text = try document.text(atMost: limit)
      if text.first(where: { !$0.isWhitespace }) == "{" {
        throw Place(file: document.file).error(
          "a property list as text, such as defaults read prints, is not read; write XML with defaults export or "
            + "plutil -convert xml1")
      }
      value = try XMLPropertyList.parse(text, file: document.file)
    }
    return try Self.entries(value, document).map { entry throws(ProfileError) in
      let name = document.profileName(entry.name)
      return try LinkConditionerProfile.read(entry.members, path: entry.path, document.file, name, self)
    }
  }

  private struct Entry {
    var name: String?
    var path: String
    var members: [JSONValue.Member]
  }

  private static func entries(_ value: JSONValue, _ document: FormatDocument) throws(ProfileError) -> [Entry] {
    var path = ""
    var value = value
    if case .object(let members) = value, let profiles = members.first(where: { $0.key == "Profiles" }) {
      path = "Profiles"
      value = profiles.value
    }
    var entries: [Entry] = []
    func add(_ value: JSONValue, at path: String, name: String? = nil) throws(ProfileError) {
      guard case .object(let members) = value else {
        let reason = "found \(value.shownInList) where a profile, a dictionary, should be"
        throw .value(file: document.file, path: path, reason: reason)
      }
      entries.append(Entry(name: name ?? Self.name(members), path: path, members: members))
    }
    switch value {
    case .array(let elements):
      for (index, element) in elements.enumerated() { try add(element, at: "\(path)[\(index)]") }
    case .object(let members):
      if path.isEmpty, members.contains(where: { LinkConditionerProfile.keys.contains($0.key) }) {
        try add(value, at: "")
        break
      }
      for member in members {
        let place = path.isEmpty ? member.key : "\(path).\(member.key)"
        try add(member.value, at: String(place.prefix(80)), name: member.key)
      }
    default:
      throw .value(file: document.file, path: path, reason: "found \(value.shownInList) where profiles should be")
    }
    guard entries.count <= FormatDocument.mostProfiles else {
      throw .value(file: document.file, path: path, reason: FormatDocument.tooMany(entries.count))
    }
    guard !entries.isEmpty else { throw .value(file: document.file, path: path, reason: "there are no profiles") }
    return entries
  }

  private static func name(_ members: [JSONValue.Member]) -> String? {
    for member in members where ["Name", "name", "profileName"].contains(member.key) {
      if case .string(let text) = member.value { return text }
    }
    return nil
  }

  /// Writes a profile, and lists the parts that the format cannot hold.
  public func export(_ profile: NetworkProfile) -> ExportedDocument {
    var steady = SteadyConditions(profile)
    steady.writeOutageAsLoss()
    steady.keep(LinkAbilities())
    let name = Self.escaped(profile.portableName)
    let path = steady.conditions
    var lines: [String] = []
    func add(_ key: String, _ number: String) {
      let kind = number.contains(".") ? "real" : "integer"
      lines.append("\t\t\t<key>\(key)</key>\n\t\t\t<\(kind)>\(number)</\(kind)>")
    }
    add("DNSDelayValue", path.dnsDelay.millisecondText)
    for (prefix, link) in [("Downlink", path.down), ("Uplink", path.up)] {
      add("\(prefix)Bandwidth", link.rate?.kilobitsPerSecondText ?? "0")
      add("\(prefix)BandwidthUnit", "0")
      add("\(prefix)Delay", link.delay.millisecondText)
      add("\(prefix)PacketLossRatio", RoundTripText.probability(link.loss).percentText)
    }
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>Profiles</key>
      \t<dict>
      \t\t<key>\(name)</key>
      \t\t<dict>
      \(lines.joined(separator: "\n"))
      \t\t</dict>
      \t</dict>
      \t<key>SelectedProfile</key>
      \t<string>\(name)</string>
      </dict>
      </plist>

      """
    return ExportedDocument(text: text, losses: steady.losses.losses)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

extension ProfileCoding where Self == LinkConditionerFormat {
  /// Property lists of Apple's Network Link Conditioner.
  public static var linkConditioner: LinkConditionerFormat { LinkConditionerFormat() }
}
