import Foundation
import NetworkConditions

extension ProfileFormat {
  /// Property lists of Apple's Network Link Conditioner, in XML or binary; written in XML.
  ///
  /// The preferences hold `Profiles`, a dictionary by name. A dictionary of profiles, an array of them with a `Name`
  /// each, and a single profile are read as well. `DownlinkBandwidth` and `UplinkBandwidth` are kbit/s, or Mbit/s where
  /// the unit beside them is 1; 0 is no limit. Delays are one-way milliseconds, also `DNSDelayValue`. `PacketLossRatio`
  /// is per cent. Lost on import: `RunOnInterface`, `ProtocolFamily` and the like, when they restrict anything.
  ///
  /// Source: the keys that the preference pane of the Network Link Conditioner and its counterpart on iOS read and
  /// write (`com.apple.network.prefPaneSimulate.plist`), as public scripts and class dumps show them. Apple documents
  /// none.
  public static let linkConditioner = ProfileFormat(LinkConditionerFormat())
}

struct LinkConditionerFormat: ProfileCoding {
  var name: String { "link-conditioner" }
  var summary: String { "property lists of Apple's Network Link Conditioner" }

  private static let keys: Set<String> = [
    "DownlinkBandwidth", "DownlinkBandwidthUnit", "DownlinkDelay", "DownlinkPacketLossRatio", "UplinkBandwidth",
    "UplinkBandwidthUnit", "UplinkDelay", "UplinkPacketLossRatio", "DNSDelayValue", "DNSDelayValueUnit",
  ]

  func profiles(in document: FormatDocument) throws(ProfileError) -> [ImportedProfile] {
    var list = FormatReader(value: try Self.list(document), file: document.file, path: "")
    if case .object = list.value { list = try list.openObject(of: "preferences")["Profiles"] ?? list }
    return try NamedEntries.read(list, of: "profiles", isEntry: { !Self.keys.isDisjoint(with: $0) }) {
      name, entry throws(ProfileError) in
      try self.read(entry, name: document.profileName(name))
    }
  }

  private static func list(_ document: FormatDocument) throws(ProfileError) -> JSONValue {
    let limit = 1 << 20
    if document.data.starts(with: BinaryPropertyList.magic), document.data.count <= limit {
      return try BinaryPropertyList.parse([UInt8](document.data), file: document.file)
    }
    let text = try document.text(atMost: limit)
    if text.first(where: { !$0.isWhitespace }) == "{" {
      throw Place(file: document.file).error(
        "a property list as text, such as defaults read prints, is not read; write XML with defaults export or "
          + "plutil -convert xml1")
    }
    return try XMLPropertyList.parse(text, file: document.file)
  }

  private func read(_ reader: FormatReader, name: String) throws(ProfileError) -> ImportedProfile {
    let object = try reader.openObject(of: "a profile")
    /// The value of a key, which may also be a number in a text.
    func value(_ key: String) -> FormatReader? {
      guard let reader = object[key], case .string(let text) = reader.value else { return object[key] }
      return FormatReader(value: .number(text), file: reader.file, path: reader.path)
    }
    var conditions = PathConditions()
    for (prefix, direction) in [("Downlink", Direction.down), ("Uplink", .up)] {
      let unit = try value("\(prefix)BandwidthUnit")?.count("a unit", times: 1, limit: 1) ?? 0
      let bits = try value("\(prefix)Bandwidth")?.count(
        unit == 0 ? "a rate in kbit/s" : "a rate in Mbit/s", times: unit == 0 ? 1_000 : 1_000_000,
        limit: Bandwidth.maximum.bitsPerSecond)
      if let bits, bits > 0 { conditions[direction].rate = Bandwidth(bitsPerSecond: bits) }
      conditions[direction].delay = .nanoseconds(try value("\(prefix)Delay")?.milliseconds("a delay") ?? 0)
      conditions[direction].loss = .single(try value("\(prefix)PacketLossRatio")?.percent("a loss") ?? .zero)
    }
    conditions.dnsDelay = .nanoseconds(try value("DNSDelayValue")?.milliseconds("a delay") ?? 0)
    var losses = LossList()
    for (key, entry) in object.entries where !Self.keys.contains(key) {
      switch (key, entry.value) {
      case ("Name", _), ("name", _), ("profileName", _), ("ExcludeLoopback", _): break
      case ("RunOnInterface", .string("All")), ("ProtocolFamily", .number("0")): break
      default:
        losses.add(
          String(key.prefix(60)), "\(entry.value.shown) is about where a profile is applied, not about the network")
      }
    }
    return ImportedProfile(NetworkProfile(name: name, base: conditions), from: self, losses: losses.losses)
  }

  func export(_ profile: NetworkProfile) -> ExportedDocument {
    var steady = SteadyConditions(profile)
    steady.writeOutageAsLoss()
    steady.keep(LinkAbilities())
    let name = profile.portableName
      .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
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
}
