import Foundation
import Internals
import NetworkConditions
import Testing

@testable import netcond

struct ProfilesCommandTests {
  @Test func `the columns of the profile table align across groups`() {
    let text = ProfilesCommand.text(
      everyday: [FixedProfiles.steady, FixedProfiles.tunnel], presets: [FixedProfiles.preset], hidden: 0, width: 100,
      style: .none)
    #expect(
      text == """
        name           down          up     RTT  loss  what
        steady   780 kbit/s  330 kbit/s  100 ms   1 %  the same at all times
        tunnel    12 Mbit/s    5 Mbit/s   70 ms        a train

        tool
        tool.3G    1 Mbit/s    1 Mbit/s  200 ms        a preset

        """)
  }

  @Test func `the profile table counts the presets that it leaves out`() {
    let text = ProfilesCommand.text(everyday: [], presets: [], hidden: 3, width: 80, style: .none)
    #expect(text.hasSuffix("\nrates in bit/s; 3 presets of other tools: netcond profiles --all\n"))
  }

  @Test func `netcond profiles lists presets of other tools only with --all`() async throws {
    func names(_ words: String...) async throws -> [String] {
      let object = try await Shell().run(["profiles", "--json"] + words).object
      let profiles = try #require(object["profiles"] as? [[String: Any]])
      return profiles.compactMap { $0["name"] as? String }
    }
    let everyday = try await names()
    let all = try await names("--all")
    #expect(everyday.contains("3G") && everyday.allSatisfy { !$0.contains(".") })
    #expect(all.count > everyday.count)
    #expect(try NetworkProfile.all.count == all.count)
  }

  @Test(arguments: [80, 120])
  func `no line of the profile table is wider than the terminal`(width: Int) async {
    let outcome = await Shell(width: width).run("profiles", "--all")
    #expect(outcome.status == .done)
    for line in outcome.lines { #expect(line.count <= width, "\(line)") }
  }
}
