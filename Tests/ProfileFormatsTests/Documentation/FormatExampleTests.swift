import Foundation
import LinkSimulator
import NetworkConditions
import ProfileFormats
import Testing

// The examples of the module's pages and declarations, word for word: they must compile and give the shown results.

struct FormatExampleTests {
  @Test func `the documented netem import and toxiproxy export give the documented results`() throws {
    let profile = try NetworkProfile(netem: "delay 100ms 20ms 25% distribution normal loss gemodel 1% 10% rate 1mbit")
    let network = SimulatedNetwork(profile, seed: 42)

    let document = try NetworkProfile.named("3G").exported(as: .toxiproxy)
    print(document.text)
    for loss in document.losses { print(loss) }
    #expect(network.profile == profile)
    #expect(document.losses.count == 2)
  }

  @Test func `an import lists its losses, also in the profile's source`() throws {
    let imported = try NetworkProfile.imported(Data("delay 5ms slot 800us".utf8), as: .netem)
    for loss in imported[0].losses { print(loss) }
    #expect(
      imported[0].losses.map(\.description) == [
        "slot: the simulator delivers each packet when it arrives, not in slots"
      ])
    #expect(
      imported[0].profile.source
        == "imported from netem; left out: slot: the simulator delivers each packet when it arrives, not in slots")
  }

  @Test func `a trace in mahimahi format is read with its mean rate`() throws {
    let trace = try DeliveryTrace(mahimahi: Data("0\n12\n12\n40\n".utf8))
    print(trace.meanRate, trace.mahimahi().text)
    #expect(trace.meanRate == .kilobitsPerSecond(1_200))
  }

  @Test func `a toxiproxy latency toxic becomes the delay of a profile`() throws {
    let staging = try NetworkProfile(#"{"type": "latency", "attributes": {"latency": 300}}"#, as: .toxiproxy)
    #expect(staging.base.down.delay == .milliseconds(300))
  }

  @Test func `each format has a row in the documented table of formats`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appendingPathComponent("Sources/ProfileFormats/ProfileFormats.docc/Formats.md"), encoding: .utf8)
    for format in ProfileFormat.all { #expect(page.contains("| `\(format.name)` |"), "\(format.name)") }
  }
}
