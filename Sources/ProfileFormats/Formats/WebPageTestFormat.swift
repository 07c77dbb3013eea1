import Foundation
import Internals
import NetworkConditions

extension ProfileFormat {
  /// The file `connectivity.ini` of WebPageTest.
  ///
  /// A section is a profile. `bwIn` and `bwOut` are bits per second; 0 is no limit. `latency` is the round trip in
  /// milliseconds, half in each direction. `plr` is the loss of each direction in per cent. Lost on import: `timeout`,
  /// which concerns tests. Source: www/settings/connectivity.ini.sample of WebPageTest, and internal/traffic_shaping.py
  /// of wptagent, which gives each direction half of the latency and all of the loss.
  public static let webPageTest = ProfileFormat(WebPageTestFormat())
}

struct WebPageTestFormat: ProfileCoding {
  var name: String { "webpagetest" }
  var summary: String { "connectivity.ini of WebPageTest: bit/s and round trips" }

  private static let keys = ["label", "bwIn", "bwOut", "latency", "plr", "timeout", "hidden", "default", "isDefault"]

  private struct Section {
    var name: String
    var place: Place
    var conditions = PathConditions()
    var label = ""
    var losses = LossList()
    var known = Set<String>()
  }

  func profiles(in document: FormatDocument) throws(ProfileError) -> [ImportedProfile] {
    var sections: [Section] = []
    var names = Set<String>()
    try TextLine.forEach(of: try document.text(), file: document.file) { line throws(ProfileError) in
      let text = line.content
      if text.hasPrefix(";") || text.hasPrefix("#") { return }
      if text.hasPrefix("[") {
        guard text.hasSuffix("]"), text.count > 2 else {
          throw line.place.error("\(text.quoted) is not a section; write its name in brackets, for example [3G]")
        }
        let name = String(text.dropFirst().dropLast())
        guard names.insert(name).inserted else { throw line.place.error("the section \(name.quoted) is given twice") }
        guard sections.count < FormatDocument.mostProfiles else {
          throw line.place.error(FormatDocument.tooMany(sections.count + 1))
        }
        sections.append(Section(name: name, place: line.place))
        return
      }
      guard !sections.isEmpty else { throw line.place.error("a section must come first; write for example [3G]") }
      try Self.read(line, into: &sections[sections.count - 1])
    }
    guard !sections.isEmpty else {
      throw Place(file: document.file).error("there is no section; write for example [3G]")
    }
    return sections.map { section in
      var profile = NetworkProfile(name: document.profileName(section.name), base: section.conditions)
      profile.summary = section.label
      return ImportedProfile(profile, from: self, losses: section.losses.losses)
    }
  }

  private static func read(_ line: TextLine, into section: inout Section) throws(ProfileError) {
    guard let equals = line.content.firstIndex(of: "=") else {
      throw line.place.error("\(line.content.quoted) is not a setting; write for example bwIn=1600000")
    }
    let key = line.content[..<equals].trimmingCharacters(in: .whitespaces)
    let value = line.word(after: equals)
    guard keys.contains(key) else {
      let near = NearNames.find(key, among: keys, atMost: 2).map(\.quoted)
      throw line.place.error("unknown setting \(key.quoted)\(NearNames.question(near) ?? "")")
    }
    guard section.known.insert(key).inserted else { throw line.place.error("\(key) is given twice in this section") }
    switch key {
    case "label": section.label = value.text
    case "bwIn": section.conditions.down.rate = try rate(value)
    case "bwOut": section.conditions.up.rate = try rate(value)
    case "latency":
      guard
        let trip = DecimalNumber(value.text)?.count(times: 1_000_000, limit: PathConditions.longestRoundTrip)
      else {
        throw value.error("\(value.shown) is not a latency, the round trip in milliseconds; write for example 300")
      }
      section.conditions.setRoundTrip(trip)
    case "plr":
      guard let share = DecimalNumber(value.text)?.percent else {
        throw value.error("\(value.shown) is not a loss, a share in per cent from 0 to 100; write for example 1.5")
      }
      section.conditions.lose(share)
    default: section.losses.add("\(key)=\(value.text.prefix(40))", "a setting of tests, not of the network")
    }
  }

  private static func rate(_ word: Word) throws(ProfileError) -> Bandwidth? {
    guard let bits = DecimalNumber(word.text)?.count(limit: Bandwidth.maximum.bitsPerSecond) else {
      throw word.error("\(word.shown) is not a rate in bits per second; write for example 1600000, or 0 for no limit")
    }
    return bits == 0 ? nil : Bandwidth(bitsPerSecond: bits)
  }

  func export(_ profile: NetworkProfile) -> ExportedDocument {
    var steady = SteadyConditions(profile)
    steady.dropNameResolution()
    steady.writeOutageAsLoss()
    steady.keep(LinkAbilities())
    let path = steady.conditions
    RoundTripText.listUneven(path, &steady.losses)
    let loss = RoundTripText.shared(path, &steady.losses)
    let name = String(profile.portableName.map { "[]\r\n".contains($0) ? " " : $0 }).trimmingCharacters(
      in: .whitespaces)
    let label = String(profile.summary.map { "\"\r\n".contains($0) ? " " : $0 }).trimmingCharacters(in: .whitespaces)
    let text = """
      [\(name.isEmpty ? "profile" : name)]
      label="\(label)"
      bwIn=\(path.down.rate?.bitsPerSecond ?? 0)
      bwOut=\(path.up.rate?.bitsPerSecond ?? 0)
      latency=\(path.roundTrip.millisecondText)
      plr=\(loss?.percentText ?? "0")

      """
    return ExportedDocument(text: text, losses: steady.losses.losses)
  }
}
