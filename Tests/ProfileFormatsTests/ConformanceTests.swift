import FormatFuzzing
import Foundation
import LinkSimulator
import NetworkConditions
import ProfileFormats
import Testing

/// Tests every format in ``ProfileFormat/all``, so a new format needs no test of its own here.
struct ConformanceTests {
  static let names = ProfileFormat.all.map(\.name)

  /// Profiles with properties that no preset has.
  static let unusual: [NetworkProfile] = {
    let odd = LinkConditions(
      rate: Bandwidth(bitsPerSecond: 1_234_567), delay: .nanoseconds(123_456_789),
      jitter: Jitter(.paretoNormal, spread: .nanoseconds(1), correlation: .percent(0.07)),
      loss: .bursts(
        GilbertElliott(
          goodToBad: .percent(1.5), badToGood: .percent(33.3), lossWhenBad: .percent(70), lossWhenGood: .percent(0.01))),
      queue: 0, reorders: true)
    var impaired = LinkConditions(delay: .milliseconds(5), loss: .independent(.percent(2)))
    impaired.duplication = .percent(1.5)
    impaired.corruption = .percent(0.1)
    impaired.reorder(.percent(25), gap: 5)
    return [
      NetworkProfile(name: "impaired", down: impaired, up: LinkConditions(delay: .milliseconds(5))),
      NetworkProfile(name: "odd", down: odd, up: LinkConditions(rate: .zero, queue: 7), dnsDelay: .seconds(1)),
      NetworkProfile(name: "slowest", down: LinkConditions(rate: Bandwidth(bitsPerSecond: 1)), up: odd),
      NetworkProfile(
        name: "extreme",
        down: LinkConditions(rate: .maximum, delay: .seconds(8_760 * 3_600), queue: .max),
        up: LinkConditions(delay: .nanoseconds(1), jitter: Jitter(.normal, spread: .seconds(1_000_000)))),
      NetworkProfile(
        name: "jittery",
        down: LinkConditions(delay: .milliseconds(5), jitter: Jitter(.uniform, spread: .milliseconds(9)))),
      NetworkProfile(
        name: " [a]\n\"b\" & <c> \(String(repeating: "é", count: 200))", base: PathConditions(outage: .drop)),
      NetworkProfile(name: "off", base: PathConditions(down: odd, outage: .refuse)),
      NetworkProfile(
        name: "faults",
        faults: [
          FaultRule(.reset(after: .zero)), FaultRule(.stall(after: .zero)), FaultRule(.truncate(after: .bytes(9))),
          FaultRule(.slowClose(delay: .milliseconds(70)), probability: .percent(25)), FaultRule(.status(code: 503)),
          FaultRule(.idleClose(after: .seconds(5))),
          FaultRule(.truncate(after: .bytes(9)), match: RequestMatch(path: "/a")),
        ]),
      NetworkProfile(
        name: "phases",
        phases: [
          .init(for: .seconds(2), conditions: PathConditions(down: odd, up: odd)),
          .init("out", for: .milliseconds(1_500), conditions: PathConditions(outage: .drop)),
        ], repeats: true, rules: [ProfileRule(match: .any, use: "wifi")]),
      NetworkProfile(
        name: "traced",
        down: LinkConditions(trace: DeliveryTrace(offsets: [0, 5_000_000, 7_000_000], period: .milliseconds(7))!)),
    ]
  }()

  private func format(_ name: String) throws -> ProfileFormat { try #require(ProfileFormat.named(name)) }

  @Test(arguments: names)
  func `exporting and importing a profile changes it only where a loss is listed`(name: String) throws {
    let format = try format(name)
    var held = 0
    for profile in try NetworkProfile.all + Self.unusual {
      let document = profile.exported(as: format)
      let imported = try NetworkProfile.imported(document.data, as: format)
      try #require(imported.count == 1, "\(profile.name)")
      let again = imported[0].profile.exported(as: format)
      #expect(again.text == document.text, "\(profile.name)")
      if document.losses.isEmpty {
        held += 1
        #expect(Effect(imported[0].profile) == Effect(profile), "\(profile.name): \(document.text)")
        #expect(imported[0].losses.isEmpty, "\(profile.name)")
      } else {
        #expect(Set(document.losses).count == document.losses.count)
        #expect(document.losses.allSatisfy { !$0.subject.isEmpty && !$0.reason.isEmpty })
      }
      // If the effect of the profile changes, the export must list a loss.
      if Effect(imported[0].profile) != Effect(profile) { #expect(!document.losses.isEmpty, "\(profile.name)") }
    }
    // Most presets are rates and delays, which all formats except mahimahi can hold.
    // Chrome holds only presets with the model of DevTools.
    #expect(held >= (["mahimahi": 1, "chrome": 7][name] ?? 40), "\(held)")
  }

  @Test(arguments: names)
  func `an imported profile can be written and read in this package's own format`(name: String) throws {
    let format = try format(name)
    for document in try Corpus.documents(of: name) {
      let imported = try format.profiles(in: FormatDocument(Data(document), file: "corpus.txt"))
      #expect(!imported.isEmpty)
      for entry in imported {
        let again = try NetworkProfile(json: Data(entry.profile.formatText.utf8))
        #expect(again == entry.profile)
        #expect(entry.profile.source.hasPrefix("imported from \(name)"))
      }
      let all = NetworkProfile.formatText(of: imported.map(\.profile))
      #expect(try NetworkProfile.profiles(json: Data(all.utf8)).count == imported.count)
    }
  }

  @Test(arguments: names)
  func `empty documents, binary data and too large documents are errors`(name: String) throws {
    let format = try format(name)
    for bytes in [Data(), Data([0xFF, 0xFE, 0x00]), Data("\n\n".utf8), Data(repeating: 0, count: 100)] {
      #expect(throws: ProfileError.self) { try format.profiles(in: FormatDocument(bytes, file: "f")) }
    }
    let large = FormatDocument(Data(repeating: 0x20, count: FormatDocument.largestSize + 1), file: "f")
    #expect(throws: ProfileError.self) { try format.profiles(in: large) }
  }

  @Test func `each format has a unique name and a summary that fits a line of help`() {
    #expect(Set(Self.names).count == Self.names.count)
    for format in ProfileFormat.all {
      #expect(format.name.allSatisfy { $0.isLowercase || $0 == "-" })
      // Name and summary fit into one line of the help.
      #expect(format.name.count + format.summary.count <= 76)
      #expect(ProfileFormat.named(format.name.uppercased())?.name == format.name)
      #expect(throws: Never.self) { try Corpus.documents(of: format.name) }
    }
    #expect(ProfileFormat.named("nothing") == nil)
  }
}
