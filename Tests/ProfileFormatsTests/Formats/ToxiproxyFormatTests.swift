import LinkSimulator
import NetworkConditions
import ProfileFormats
import Testing

struct ToxiproxyFormatTests {
  private func imported(_ text: String) throws -> ImportedProfile {
    try #require(try ProfileFormat.toxiproxy.profiles(in: FormatDocument(text, file: "toxics.json")).first)
  }

  @Test func `toxics become link conditions and fault rules`() throws {
    let result = try imported(
      #"""
      [
        { "type": "latency", "stream": "downstream", "attributes": { "latency": 100, "jitter": 20 } },
        { "type": "latency", "stream": "downstream", "attributes": { "latency": 50 } },
        { "type": "bandwidth", "stream": "upstream", "attributes": { "rate": 64 } },
        { "type": "limit_data", "attributes": { "bytes": 2048 } },
        { "type": "timeout", "stream": "upstream", "attributes": { "timeout": 0 } },
        { "type": "slow_close", "toxicity": 0.5, "attributes": { "delay": 70 } },
        { "type": "reset_peer", "attributes": { "timeout": 0 } },
        { "type": "latency", "toxicity": 0, "attributes": { "latency": 999 } }
      ]
      """#)
    let path = result.profile.base
    #expect(path.down == LinkConditions(delay: .milliseconds(150), jitter: Jitter(.uniform, spread: .milliseconds(20))))
    #expect(path.up == LinkConditions(rate: .kilobitsPerSecond(512)))
    #expect(
      result.profile.faults == [
        FaultRule(.truncate(after: .bytes(2_048))), FaultRule(.stall(after: .zero)),
        FaultRule(.slowClose(delay: .milliseconds(70)), probability: .percent(50)), FaultRule(.reset(after: .zero)),
      ])
    #expect(result.losses.map(\.subject) == ["slow_close.toxicity"])
  }

  @Test func `what a toxic does otherwise here is listed as a loss`() throws {
    let result = try imported(
      #"""
      [
        { "type": "limit_data", "stream": "upstream", "attributes": { "bytes": 512 } },
        { "type": "latency", "attributes": { "jitter": 20 } }, { "type": "latency", "attributes": { "jitter": 30 } }
      ]
      """#)
    #expect(result.profile.faults == [FaultRule(.reset(after: .bytes(512), direction: .up))])
    #expect(result.profile.base.down.jitter?.spread == .milliseconds(30))
    #expect(result.losses.map(\.subject) == ["limit_data upstream", "latency.jitter"])
  }

  @Test func `the delays of several latency toxics add up to a year at most`() throws {
    let toxic = #"{"type": "latency", "attributes": {"latency": 20000000000}}"#
    let path = try imported("[\(toxic), \(toxic)]").profile.base
    #expect(path.down.delay == .seconds(8_760 * 3_600))
  }

  @Test func `a toxiproxy proxy is read with its toxics, and a disabled proxy refuses connections`() throws {
    let all = try ProfileFormat.toxiproxy.profiles(
      in: FormatDocument(
        #"""
        {"web": {"name": "web", "listen": ":1", "upstream": ":2", "enabled": true,
                 "toxics": [{"name": "a", "type": "bandwidth", "attributes": {"rate": 1}}]},
         "db": {"name": "db", "enabled": false, "toxics": []}}
        """#, file: "proxies.json"))
    #expect(all.map(\.profile.name) == ["web", "db"])
    #expect(all[0].profile.base.down.rate == .kilobitsPerSecond(8))
    #expect(all[1].profile.base.outage == .refuse)
  }

  @Test func `a proxy without toxics, as in a configuration of toxiproxy, is listed`() throws {
    let all = try imported(#"[{"name": "web", "listen": "[::]:8000", "upstream": "web:80", "enabled": true}]"#)
    #expect(all.losses.map(\.subject) == ["toxics"])
  }

  @Test func `unsupported toxics and attributes are listed as lost`() throws {
    #expect(try imported(#"{"type": "slicer", "attributes": {"delay": 1}}"#).losses.map(\.subject) == ["slicer"])
    #expect(try imported(#"{"type": "noop", "toxicity": 0.5}"#).losses.isEmpty)
    #expect(
      try imported(#"{"type": "timeout", "attributes": {"timeout": 5}}"#).losses.map(\.subject) == ["timeout.timeout"])
  }

  @Test(arguments: [
    (#"[{"type": "latencey"}]"#, "[0].type: \"latencey\" is not a toxic; did you mean \"latency\"?"),
    (#"{"type": "latency", "stream": "sideways"}"#, "stream: \"sideways\" is not a stream"),
    (#"{"type": "latency", "attributes": {"rate": 1}}"#, "attributes.rate: unknown key"),
    (#"{"type": "latency", "toxicity": 2}"#, "toxicity: 2 is not a toxicity"),
  ])
  func `an error in toxiproxy JSON names the path of the value`(text: String, reason: String) {
    let error = #expect(throws: ProfileError.self) { try imported(text) }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test func `a profile is exported as toxics, and rounded rates are listed`() throws {
    let document = try NetworkProfile.named("3G").exported(as: .toxiproxy)
    #expect(document.text.contains(#""name": "latency_downstream", "type": "latency""#), "\(document.text)")
    // 780 kbit/s are 97.5 KB/s.
    #expect(document.losses.map(\.subject) == ["down.rate", "up.rate"])
    let lossy = try NetworkProfile.named("very bad network").exported(as: .toxiproxy)
    #expect(lossy.losses.contains { $0.subject == "down.loss" })
  }

  @Test(arguments: [(PathConditions.Outage.drop, "timeout"), (.refuse, "reset_peer")])
  func `an outage is exported as the toxic that ends connections in the same way`(
    outage: PathConditions.Outage, toxic: String
  ) throws {
    var path = PathConditions(down: LinkConditions(delay: .milliseconds(9)))
    path.outage = outage
    let document = NetworkProfile(name: "p", base: path).exported(as: .toxiproxy)
    #expect(document.losses.map(\.subject) == ["outage"])
    let types = document.text.matches(of: #/"type": "(\w+)"/#).map(\.1)
    #expect(types == [toxic[...]])
  }

  @Test func `of several bandwidths in one direction the lowest applies`() throws {
    for rates in [[64, 128], [128, 64]] {
      let toxics = rates.map { #"{"type": "bandwidth", "attributes": {"rate": \#($0)}}"# }.joined(separator: ",")
      #expect(try imported("[\(toxics)]").profile.base.down.rate == .kilobitsPerSecond(512))
    }
  }

  @Test func `an exported rate is rounded, and normal jitter becomes uniform jitter of the same deviation`() throws {
    #expect(try NetworkProfile.named("3G").exported(as: .toxiproxy).text.contains(#""rate": 98"#))
    let link = LinkConditions(jitter: Jitter(.normal, spread: .milliseconds(10)))
    let document = NetworkProfile(name: "p", base: PathConditions(down: link)).exported(as: .toxiproxy)
    // A uniform spread of 17.3 ms has a standard deviation of 10 ms.
    #expect(document.text.contains(#""jitter": 17"#), "\(document.text)")
  }

  @Test func `a bandwidth of zero lets nothing pass, as in Toxiproxy`() throws {
    let text = #"[{"type": "bandwidth", "attributes": {"rate": 0}}, {"type": "bandwidth", "attributes": {"rate": 9}}]"#
    let profile = try imported(text).profile
    #expect(profile.base.down.rate == .zero)
    let document = profile.exported(as: .toxiproxy)
    #expect(document.text.contains(#""type": "bandwidth""#) && document.losses.isEmpty, "\(document)")
  }
}
