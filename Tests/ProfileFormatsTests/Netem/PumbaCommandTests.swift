import LinkSimulator
import NetworkConditions
import ProfileFormats
import Testing

struct PumbaCommandTests {
  private func imported(_ line: String) throws -> ImportedProfile {
    try #require(try ProfileFormat.netem.profiles(in: FormatDocument(line, file: "run.sh")).first)
  }

  @Test func `a pumba delay is read in milliseconds, and unsupported options are listed`() throws {
    let result = try imported(
      "pumba --interval 10m netem --duration 5m --tc-image gaiadocker/iproute2 delay --time 3000 --jitter 30 "
        + "--correlation 20 --distribution normal web")
    let link = LinkConditions(
      delay: .seconds(3), jitter: Jitter(.normal, spread: .milliseconds(30), correlation: .percent(20)), reorders: true)
    #expect(result.profile.base == PathConditions(down: link, up: link))
    #expect(result.losses.map(\.subject) == ["--duration 5m", "--interval"])
  }

  /// Each command stands beside the netem line that Pumba would run for it.
  @Test(arguments: [
    ("pumba netem delay --time 3000 web", "delay 3000ms 10ms 20"), ("pumba netem delay", "delay 100ms 10ms 20"),
    ("pumba netem delay -t 5 -j=0 -c 0 web", "delay 5ms"),
    // Without a jitter, tc reads the correlation as the jitter.
    ("pumba netem delay --time 100 --jitter 0 web", "delay 100ms 20us"),
    // Options may follow the containers, up to two hyphens.
    ("pumba netem delay re2:s.* -t 150 -j 0 db --correlation=0", "delay 150ms"),
    ("pumba netem delay web -- -t 150", "delay 100ms 10ms 20"),
    ("pumba netem loss --percent 20 a b", "loss 20%"), ("pumba netem loss -p 100 a", "loss 100%"),
    ("pumba netem loss", "loss 0%"),
    ("pumba netem loss-state --p13 1 --p31 30 web", "loss state 1 30 0 100 0"),
    ("pumba netem loss-state --p13 1 web", "loss state 1 100 0 100 0"),
    ("pumba netem loss-gemodel --pg 1 --pb 30 --one-h 70 --one-k 0.5 web", "loss gemodel 1 30 70 0.5"),
    ("pumba netem loss-gemodel -p 1 web", "loss gemodel 1 100 100 0"), ("pumba netem rate web", "rate 100kbit"),
    ("pumba netem rate --rate 1mbit web", "rate 1mbit"),
    (
      "docker run --rm -v /var/run/docker.sock:/var/run/docker.sock gaiaadm/pumba:0.9.0 netem loss -p 1.5 web",
      "loss 1.5%"
    ),
    ("sudo /usr/local/bin/pumba netem -i eth1 --pull-image=false --limit 1 delay -t 70 're2:^a'", "delay 70ms 10ms 20"),
  ])
  func `a pumba command gives the same profile as its netem options`(line: String, netem: String) throws {
    let result = try imported(line)
    #expect(result.profile.base == (try imported(netem)).profile.base)
    #expect(result.losses.isEmpty, "\(result.losses)")
  }

  @Test(arguments: [
    ("pumba netem duplicate --percent 5 -c 10 web", ["duplicate 5.00 10.00"]), ("pumba netem corrupt -p 5 web", []),
    ("pumba netem loss --percent 20 --correlation 10 web", ["loss 20.00 10.00"]),
    ("pumba netem loss --percent 0.125 web", ["--percent 0.125"]),
    ("pumba netem -t 10.0.0.1 --egress-port 80 loss web", ["--target 10.0.0.1", "--egress-port 80"]),
    ("pumba netem rate --packetoverhead 20 web", ["rate overhead 20"]),
    ("pumba netem rate --packetoverhead -20 web", ["rate overhead -20"]),
  ])
  func `a pumba command's unsupported options are listed`(line: String, subjects: [String]) throws {
    #expect(try imported(line).losses.map(\.subject) == subjects)
  }

  @Test func `two pumba commands shape two directions when comments name the directions`() throws {
    let base = try imported("# down\npumba netem rate -r 2mbit web\n# up\npumba netem delay -t 7 -c 0 -j 0 web").profile
      .base
    #expect(base.down == (try imported("rate 2mbit")).profile.base.down)
    #expect(base.up.delay == .milliseconds(7))
  }

  @Test(arguments: [
    (
      "pumba netem delay --tmie 5 web",
      #"line 1, column 19: "--tmie" is not an option of pumba netem delay; did you mean --time?"#
    ),
    ("pumba netem delai web", #""delai" is not a command of pumba netem; it has corrupt, delay,"#),
    ("pumba netem", "a command should follow netem"), ("pumba kill web", "there is no netem in this command"),
    ("pumba netem delay --time 5ms", #""5ms" is not the number of --time, a whole number from 1"#),
    ("pumba netem delay --time 5 web", "the jitter, 10 ms, is above the delay, 5 ms"),
    ("pumba netem loss --percent 20%", #"column 28: "20%" is not --percent, a percentage from 0 to 100"#),
    (
      "pumba netem rate --cellsize=-1 web",
      #""-1" is not the number of --cellsize, a whole number from 0"#
    ),
    ("pumba netem rate --rate=1Mbps", #"column 25: "1Mbps" is not a rate of pumba"#),
    ("pumba netem delay --time", #"a value should follow "--time""#),
    ("pumba netem delay -d gauss", #""gauss" names a table"#),
  ])
  func `an error in a pumba command names the wrong word`(line: String, reason: String) {
    let error = #expect(throws: ProfileError.self) { try imported(line) }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }
}
