import LinkSimulator
import NetworkConditions
import ProfileFormats
import Testing

struct ComcastCommandTests {
  private func imported(_ line: String) throws -> ImportedProfile {
    try #require(try ProfileFormat.netem.profiles(in: FormatDocument(line, file: "run.sh")).first)
  }

  @Test func `the example in Comcast's README is read, and its unsupported options are listed`() throws {
    let result = try imported(
      "$ comcast --device=eth0 --latency=250 --target-bw=1000 --default-bw=1000000 --packet-loss=10% "
        .dropFirst(2) + "--target-addr=8.8.8.8,10.0.0.0/24 --target-proto=tcp,udp,icmp --target-port=80,22,1000:2000")
    #expect(result.profile.base == (try imported("delay 250ms rate 1000kbit loss 10%")).profile.base)
    #expect(
      result.losses.map(\.subject) == [
        "--default-bw 1000000", "--target-addr 8.8.8.8,10.0.0.0/24", "--target-proto tcp,udp,icmp",
        "--target-port 80,22,1000:2000",
      ])
  }

  @Test(arguments: [
    ("sudo comcast -latency 40 -packet-loss 0.5", "delay 40ms loss 0.5%"),
    ("comcast --latency=-1 --dry-run", "loss 0%"),
    ("~/go/bin/comcast --device eth1 --target-bw 750", "rate 750kbit"),
  ])
  func `a comcast command gives the same profile as its netem options`(line: String, netem: String) throws {
    let result = try imported(line)
    #expect(result.profile.base == (try imported(netem)).profile.base)
    #expect(result.losses.isEmpty, "\(result.losses)")
  }

  @Test func `a packet loss with more than two decimals is listed as rounded`() throws {
    #expect(try imported("comcast --packet-loss=0.125%").losses.map(\.subject) == ["--packet-loss 0.125%"])
  }

  @Test(arguments: [
    ("comcast --latencey=5", #"line 1, column 9: "--latencey=5" is not an option of comcast; did you mean --latency?"#),
    ("comcast --latency=5ms", #"column 19: "5ms" is not the latency in ms, a whole number"#),
    ("comcast --packet-loss=ten", #""ten" is not the packet loss"#), ("comcast --stop", "sets up no network"),
    ("comcast --target-bw=-2", #""-2" is not the bandwidth in kbit/s"#),
    ("comcast --target-bw=0", "tc refuses a bandwidth of 0"),
    ("comcast latency=5", #""latency=5" is not an option of comcast"#),
  ])
  func `an error in a comcast command names the wrong word`(line: String, reason: String) {
    let error = #expect(throws: ProfileError.self) { try imported(line) }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }
}
