import LinkSimulator
import NetworkConditions
import ProfileFormats
import Testing

struct DummynetFormatTests {
  private func imported(_ text: String) throws -> ImportedProfile {
    try #require(try ProfileFormat.dummynet.profiles(in: FormatDocument(text, file: "pipes.sh")).first)
  }

  @Test func `dummynet rules decide which pipe is the upload and which the download`() throws {
    let result = try imported(
      """
      sudo dnctl pipe 7 config bw 330Kbit/s delay 100ms plr 0.01 queue 60
      sudo dnctl pipe 8 config bw 4100byte/s delay 20
      echo "dummynet out proto tcp from any to any pipe 7\ndummynet in quick all pipe 8" | sudo pfctl -f -
      """)
    #expect(
      result.profile.base.up
        == LinkConditions(
          rate: .kilobitsPerSecond(330), delay: .milliseconds(100), loss: .independent(.percent(1)), queue: 60))
    #expect(
      result.profile.base.down
        == LinkConditions(rate: Bandwidth(bitsPerSecond: 32_800), delay: .milliseconds(20), queue: 50))
  }

  @Test func `one dummynet pipe shapes both directions, and of two pipes the first is the download`() throws {
    let one = try imported("dnctl pipe 1 config bw 780Kbit/s delay 100ms plr 0.01 queue 50").profile.base
    #expect(one.down == one.up)
    #expect(one.down.loss == .independent(.percent(1)))
    let two = try imported("ipfw pipe 2 config delay 5\nipfw pipe 1 config delay 3").profile.base
    #expect(two.down.delay == .milliseconds(3))
    #expect(two.up.delay == .milliseconds(5))
    let rule = try imported("ipfw add pipe 3 ip from any to any out\nipfw pipe 3 config bw 1MByte/s").profile.base
    #expect(rule.up.rate == .megabitsPerSecond(8))
    #expect(rule.down == .unlimited)
  }

  @Test func `a pipe that a script configures again has its last configuration, and the import says so`() throws {
    let result = try imported(
      "dnctl pipe 1 config bw 20Mbit/s delay 40\nsleep 45\ndnctl -q flush\ndnctl pipe 1 config bw 1500Kbit/s")
    #expect(result.profile.base.down == LinkConditions(rate: .kilobitsPerSecond(1500), queue: 50))
    #expect(result.losses.map(\.description) == ["pipe 1: of several configurations the last one counts"])
    #expect(try imported("dnctl pipe 1 config delay 1\ndnctl pipe 2 config delay 2").losses.isEmpty)
  }

  @Test(arguments: [
    ("dnctl pipe 1 config bw 1.6Mbit/s", "1600Kbit/s for 1.6 Mbit/s"), ("dnctl pipe 1 config delay 20000", "10000 ms"),
    ("dnctl pipe 1 config plr 1.5", "from 0 to 1"), ("dnctl pipe 1 config bv 1", "is not an option of a pipe"),
    ("dummynet in all pipe 1\ndnctl pipe 2 config delay 1", "pipe 1, which is not configured"), ("ls", "no pipe"),
    ("dnctl pipe 1 config bw 3Gbit/s", "more than dummynet's limit"), ("dnctl pipe 1 config bw", "should follow bw"),
  ])
  func `an error in a dummynet script names the mistake or the allowed values`(text: String, reason: String) {
    let error = #expect(throws: ProfileError.self) { try imported(text) }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test func `a profile is exported as two dummynet pipes`() throws {
    let text = try NetworkProfile.named("3G").exported(as: .dummynet).text
    #expect(text.contains("dnctl pipe 1 config bw 780Kbit/s delay 100ms plr 0 queue 100\n"))
    #expect(text.contains("dnctl pipe 2 config bw 330Kbit/s delay 100ms plr 0 queue 100\n"))
  }

  @Test func `dummynet's queue is counted in packets of 1500 bytes, and a pipe without a bandwidth has none`() throws {
    #expect(try imported("dnctl pipe 1 config delay 5").profile.base.down == LinkConditions(delay: .milliseconds(5)))
    // 65536 bytes are 43.7 packets; 64000 would be 42.7.
    #expect(try imported("dnctl pipe 1 config bw 1Mbit/s queue 64KBytes").profile.base.down.queue == 43)
  }

  @Test func `a queue that dummynet would refuse is exported as the nearest accepted queue`() throws {
    let link = LinkConditions(rate: .megabitsPerSecond(1), queue: 1)
    let document = NetworkProfile(name: "short", base: PathConditions(down: link, up: link)).exported(as: .dummynet)
    #expect(document.text.contains("bw 1Mbit/s delay 0ms plr 0 queue 2\n"), "\(document.text)")
    #expect(document.losses.map(\.subject).contains("down.queue"))
  }
}
