import LinkSimulator
import NetworkConditions
import ProfileFormats
import Testing

struct ToxicCommandsTests {
  private func imported(_ text: String) throws -> [ImportedProfile] {
    try ProfileFormat.toxiproxy.profiles(in: FormatDocument(text, file: "run.sh"))
  }

  @Test func `toxiproxy-cli commands for one proxy become one profile`() throws {
    let all = try imported(
      """
      #!/bin/sh
      toxiproxy-cli create -l localhost:26379 -u localhost:6379 redis
      toxiproxy-cli toxic add -t latency -a latency=1000 -a jitter=50 redis
      toxiproxy-cli -h http://10.0.0.1:8474 toxic add --type bandwidth --upstream --attribute rate=64 redis
      toxiproxy-cli t a redis -t latency -u -a latency=7
      toxiproxy-cli toxic add -n gone -t reset_peer --toxicity=0.5 -d redis
      toxiproxy-cli toxic add -t latency -a latency=5,jitter=2 db
      toxiproxy-cli toxic remove -n gone redis
      """)
    #expect(all.map(\.profile.name) == ["redis", "db"])
    let redis = all[0].profile
    #expect(
      redis.base.down == LinkConditions(delay: .seconds(1), jitter: Jitter(.uniform, spread: .milliseconds(50))))
    #expect(redis.base.up == LinkConditions(rate: .kilobitsPerSecond(512), delay: .milliseconds(7)))
    #expect(redis.faults == [FaultRule(.reset(after: .zero), probability: .percent(50))])
    #expect(all[0].losses.map(\.subject) == ["toxic remove", "reset_peer.toxicity"])
    #expect(all[1].profile.base.down.delay == .milliseconds(5))
  }

  @Test(arguments: [
    (
      "toxiproxy-cli toxic add -t latencey web",
      #"line 1, column 28: "latencey" is not a toxic; did you mean "latency"?"#
    ),
    (
      "toxiproxy-cli toxic add -t latency -a latencey=5 web",
      #"column 39: "latencey=5": unknown key; did you mean "latency"?"#
    ),
    ("toxiproxy-cli toxic add -t latency -a latency=5ms web", #"column 39: "5ms" is not"#),
    ("toxiproxy-cli toxic add -t latency -a latency web", #""latency" is not an attribute"#),
    ("toxiproxy-cli toxic add -t latency --toxicity 2 web", "column 47: 2 is not a toxicity"),
    ("toxiproxy-cli toxic add -t latency -u -d web", "either --upstream or --downstream"),
    ("toxiproxy-cli toxic add -t latency", "the name of a proxy should end toxic add"),
    ("toxiproxy-cli toxic add web", "the type is missing"),
    ("toxiproxy-cli toxic add -t latency a b", #""b" follows the name of the proxy"#),
    (
      "toxiproxy-cli toxic add --tpye latency a",
      #""--tpye" is not an option of toxiproxy-cli toxic add; did you mean --type?"#
    ),
    ("toxiproxy-cli toxic update -n a -a latency=5 web", #""update" is not supported"#),
    ("toxiproxy-cli toggle web", #""toggle" is not supported"#), ("toxiproxy-cli list", "no toxic is added"),
  ])
  func `an error in a toxiproxy-cli command names the wrong word`(line: String, reason: String) {
    let error = #expect(throws: ProfileError.self) { try imported(line) }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test func `the last value of a repeated toxic attribute counts`() throws {
    let all = try imported("toxiproxy-cli toxic add -t latency -a latency=5 -a latency=9 web")
    #expect(all[0].profile.base.down.delay == .milliseconds(9))
  }

  @Test func `commands of toxiproxy-cli that add no toxic change nothing, under each of their names`() throws {
    let add = "toxiproxy-cli toxic add -t latency -a latency=5 web\n"
    for name in ["create", "c", "new", "list", "l", "li", "ls", "inspect", "i", "ins"] {
      #expect(try imported("\(add)toxiproxy-cli \(name) web")[0].losses == [], "\(name)")
    }
    for name in ["delete", "d"] {
      #expect(try imported("\(add)toxiproxy-cli \(name) web")[0].losses.map(\.subject) == ["delete"], "\(name)")
    }
    for name in ["remove", "r", "delete", "d"] {
      let losses = try imported("\(add)toxiproxy-cli t \(name) -n gone web")[0].losses
      #expect(losses.map(\.subject) == ["toxic \(name)"])
    }
  }
}
