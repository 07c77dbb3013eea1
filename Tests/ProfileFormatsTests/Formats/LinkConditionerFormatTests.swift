import Foundation
import LinkSimulator
import NetworkConditions
import ProfileFormats
import Testing

struct LinkConditionerFormatTests {
  private let entries: [String: Any] = [
    "Profiles": [
      "Our train": [
        "DownlinkBandwidth": 2.5, "DownlinkBandwidthUnit": 1, "DownlinkDelay": 100, "DownlinkPacketLossRatio": 1.5,
        "UplinkBandwidth": 330, "UplinkBandwidthUnit": 0, "UplinkDelay": 65, "UplinkPacketLossRatio": 0,
        "DNSDelayValue": 3_000, "RunOnInterface": "en0", "ExcludeLoopback": true, "ProtocolFamily": 0,
      ] as [String: Any]
    ],
    "SelectedProfile": "Our train",
  ]

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `XML and binary preferences are read`(form: PropertyListSerialization.PropertyListFormat) throws {
    let data = try PropertyListSerialization.data(fromPropertyList: entries, format: form, options: 0)
    let all = try ProfileFormat.linkConditioner.profiles(in: FormatDocument(data, file: "prefs.plist"))
    let profile = try #require(all.first).profile
    #expect(profile.name == "Our train")
    #expect(
      profile.base.down
        == LinkConditions(
          rate: .kilobitsPerSecond(2_500), delay: .milliseconds(100), loss: .independent(.percent(1.5))))
    #expect(profile.base.up == LinkConditions(rate: .kilobitsPerSecond(330), delay: .milliseconds(65)))
    #expect(profile.base.dnsDelay == .seconds(3))
    #expect(all[0].losses.map(\.subject) == ["RunOnInterface"])
  }

  @Test func `Foundation can read an exported property list`() throws {
    let profile = NetworkProfile(
      name: "a & <b>", down: LinkConditions(rate: .kilobitsPerSecond(780.5), delay: .microseconds(2_500)))
    let document = profile.exported(as: .linkConditioner)
    #expect(document.losses.isEmpty)
    let value = try PropertyListSerialization.propertyList(from: document.data, format: nil)
    #expect((value as? [String: Any])?["SelectedProfile"] as? String == "a & <b>")
    let profiles = try #require((value as? [String: Any])?["Profiles"] as? [String: [String: Double]])
    #expect(
      profiles == [
        "a & <b>": [
          "DNSDelayValue": 0, "DownlinkBandwidth": 780.5, "DownlinkBandwidthUnit": 0, "DownlinkDelay": 2.5,
          "DownlinkPacketLossRatio": 0, "UplinkBandwidth": 0, "UplinkBandwidthUnit": 0, "UplinkDelay": 0,
          "UplinkPacketLossRatio": 0,
        ]
      ])
  }

  @Test(arguments: [
    ("<plist><dict><key>a</key></plist>", 1, 26), ("<plist>\n<dicd/></plist>", 2, 1), ("<plist><array>", 1, 15),
    ("<plist><dict><key>a</key><integer>x</integer></dict></plist>", 1, 26), ("hello", 1, 1),
    ("<plist><dict><key>a</key><true/><key>a</key><true/></dict></plist>", 1, 33),
    ("<plist><string>&nbsp;</string></plist>", 1, 16),
  ])
  func `an XML error in Link Conditioner preferences names line and column`(text: String, line: Int, column: Int) {
    let error = #expect(throws: ProfileError.self) {
      try ProfileFormat.linkConditioner.profiles(in: FormatDocument(text, file: "a.plist"))
    }
    guard case .syntax(_, let l, let c, _)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(l == line && c == column, "\(l) \(c)")
  }

  @Test func `a property list as text, as defaults read prints it, is refused with the way to XML`() {
    let error = #expect(throws: ProfileError.self) {
      try ProfileFormat.linkConditioner.profiles(in: FormatDocument(" { UplinkDelay = 50; }", file: "a.plist"))
    }
    #expect(error.map { "\($0)" }?.contains("write XML with defaults export or plutil -convert xml1") == true)
  }

  @Test func `a wrong value in Link Conditioner preferences is named by its path`() {
    // The references mean B and C.
    let key = "A&#66;&#x00000043;"
    let text = "<plist><dict><key>\(key)</key><dict><key>UplinkDelay</key><integer>-5</integer></dict></dict></plist>"
    let error = #expect(throws: ProfileError.self) {
      try ProfileFormat.linkConditioner.profiles(in: FormatDocument(text, file: "a.plist"))
    }
    #expect(error?.sentence == "a.plist: ABC.UplinkDelay: -5 is negative; a delay in milliseconds is not")
  }

  @Test(arguments: ["<array/>", "<dict/>"])
  func `an empty property list has no profiles`(list: String) {
    let error = #expect(throws: ProfileError.self) {
      try ProfileFormat.linkConditioner.profiles(in: FormatDocument("<plist>\(list)</plist>", file: "a.plist"))
    }
    #expect(error?.description.contains("there are no profiles") == true, "\(String(describing: error))")
  }

  @Test func `a binary property list that contains itself is refused`() {
    // An array of itself: one value at offset 8, marked as an array of one, which is value 0.
    var bytes = Array("bplist00".utf8) + [0xA1, 0x00, 0x08]
    bytes += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
    bytes += [0, 0, 0, 0, 0, 0, 0, 10]
    let error = #expect(throws: ProfileError.self) {
      try ProfileFormat.linkConditioner.profiles(in: FormatDocument(Data(bytes), file: "a.plist"))
    }
    #expect(error?.description.contains("nested deeper") == true, "\(String(describing: error))")
  }

  @Test(arguments: [(32, false), (33, true)])
  func `an XML property list may be nested 32 levels deep`(count: Int, isTooDeep: Bool) {
    let text = "<plist>" + String(repeating: "<array>", count: count) + String(repeating: "</array>", count: count)
    let error = #expect(throws: ProfileError.self) {
      try ProfileFormat.linkConditioner.profiles(in: FormatDocument(text + "</plist>", file: "a.plist"))
    }
    #expect(error?.description.contains("nested deeper") == isTooDeep, "\(String(describing: error))")
  }

  @Test func `a binary property list has names in UTF-16 and numbers with a sign`() throws {
    func read(_ delay: Int) throws -> [ImportedProfile] {
      let list = ["Profiles": ["Zug nach Köln €": ["DownlinkDelay": delay]]]
      let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
      return try ProfileFormat.linkConditioner.profiles(in: FormatDocument(data, file: "prefs.plist"))
    }
    #expect(try read(5).map(\.profile.name) == ["Zug nach Köln €"])
    let error = #expect(throws: ProfileError.self) { try read(-5) }
    #expect(error?.description.contains("-5 is negative") == true, "\(String(describing: error))")
  }
}
