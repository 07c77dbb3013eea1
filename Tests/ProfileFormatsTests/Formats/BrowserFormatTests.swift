import LinkSimulator
import NetworkConditions
import ProfileFormats
import Testing

struct BrowserFormatTests {
  @Test func `Chrome's throughput is read as bytes per second and its latency as a round trip`() throws {
    let profile = try NetworkProfile(
      #"{"offline": false, "latency": 562.5, "downloadThroughput": 180000, "uploadThroughput": -1}"#, as: .chrome)
    #expect(profile.base.down == LinkConditions(rate: .kilobitsPerSecond(1_440), delay: .microseconds(281_250)))
    #expect(profile.base.up == LinkConditions(delay: .microseconds(281_250)))
    #expect(profile.base.model == .devTools)
  }

  @Test func `a message of the DevTools protocol is read by its parameters`() throws {
    let conditions = #"{"offline": false, "latency": 40, "downloadThroughput": 64000, "uploadThroughput": -1}"#
    let message = #"{"id": 3, "method": "Network.emulateNetworkConditions", "params": \#(conditions)}"#
    let profile = try NetworkProfile(message, as: .chrome)
    #expect(profile.base == (try NetworkProfile(conditions, as: .chrome)).base)
  }

  @Test func `Puppeteer's conditions become profiles with their names`() throws {
    let all = try ProfileFormat.chrome.profiles(
      in: FormatDocument(
        #"{"Slow 3G": {"download": 50000, "upload": 50000, "latency": 2000}, "Off": {"download": 0, "upload": 0, "latency": 0}}"#,
        file: "conditions.json"))
    #expect(all.map(\.profile.name) == ["Slow 3G", "Off"])
    #expect(all[0].profile.base.down.rate == .kilobitsPerSecond(400))
    #expect(all[1].profile.base.outage == .refuse)
  }

  @Test(arguments: ["download", "upload", "latency"])
  func `conditions without the key offline are offline only if both rates and the latency are zero`(key: String) throws
  {
    let numbers = ["download", "upload", "latency"].map { "\"\($0)\": \($0 == key ? 100 : 0)" }
    let profile = try NetworkProfile("{\(numbers.joined(separator: ", "))}", as: .chrome)
    #expect(profile.base.outage == nil && profile.base != PathConditions())
  }

  @Test func `Chrome's options that a profile cannot hold are listed as lost, unless they have no effect`() throws {
    func lost(_ options: String) throws -> [String] {
      let all = try ProfileFormat.chrome.profiles(in: FormatDocument("{\"latency\": 1, \(options)}", file: "c.json"))
      #expect(all[0].profile.base.up == LinkConditions(delay: .microseconds(500)))
      return all[0].losses.map(\.subject)
    }
    #expect(
      try lost(#""packetLoss": 2.5, "packetQueueLength": 7, "packetReordering": true"#)
        == ["packetLoss", "packetQueueLength", "packetReordering"])
    #expect(try lost(#""packetLoss": 0, "packetReordering": false"#) == [])
    #expect(try lost(#""connectionType": "wifi", "urlPattern": "*""#) == ["connectionType", "urlPattern"])
  }

  @Test(arguments: [
    (#"{"latency": "1"}"#, "c.json: latency: \"1\" is not the latency in milliseconds, a number"),
    (#"[{"latency": -1}]"#, "c.json: [0].latency: -1 is negative"),
    (#"{"download": 1, "downloadThroughput": 1}"#, "both \"download\" and \"downloadThroughput\""),
    (#"{"latency": 1, "downlaod": 1}"#, "did you mean \"download\""), ("[]", "there are no network conditions"),
    ("{\n\"latency\": }", "c.json: line 2, column 12"), (#"{"a": 3}"#, "c.json: a: found 3 where"),
    (#"{"download": 1e300, "latency": 1}"#, "more than"),
    ("{\"a\": {}, \"\\u0033G é\": {\n  \"latency\": [true, 2]}}", "(line 2, column 14)"),
    ("[{\"latency\": 1, \"x\": \"]}\\\"\"},\n {\"latency\": 1, \"download\": -7}]", "(line 1, column 22)"),
  ])
  func `an error in Chrome's JSON names line and column or the key's path`(text: String, reason: String) {
    let error = #expect(throws: ProfileError.self) {
      try ProfileFormat.chrome.profiles(in: FormatDocument(text, file: "c.json"))
    }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test func `a Lighthouse preset becomes the network that Lighthouse simulates`() throws {
    let text = #"""
      {"rttMs": 150, "throughputKbps": 1638.4, "requestLatencyMs": 562.5, "downloadThroughputKbps": 1474.5600000000002,
       "uploadThroughputKbps": 675, "cpuSlowdownMultiplier": 4}
      """#
    let all = try ProfileFormat.lighthouse.profiles(in: FormatDocument(text, file: "l.json"))
    let path = all[0].profile.base
    #expect(path.down == LinkConditions(rate: Bandwidth(bitsPerSecond: 1_677_722), delay: .milliseconds(75)))
    // 675 of 1024 bits are nine tenths of 768 kbit/s.
    #expect(path.up.rate == .kilobitsPerSecond(768))
    #expect(all[0].losses.map(\.subject) == ["cpuSlowdownMultiplier"])
    let applied = try NetworkProfile(#"{"requestLatencyMs": 562.5, "downloadThroughputKbps": 900}"#, as: .lighthouse)
    #expect(applied.base.down == LinkConditions(rate: .kilobitsPerSecond(1_024), delay: .milliseconds(75)))
    let simulated = try ProfileFormat.lighthouse.profiles(
      in: FormatDocument(#"{"rttMs": 150, "throughputKbps": 1600}"#, file: "s.json"))
    #expect(simulated[0].losses == [])
  }

  @Test(arguments: [
    ("simulate", 150, 1_600, PathConditions.Model.link), ("devtools", 600, 1_440, PathConditions.Model.devTools),
  ])
  func `a Lighthouse report's throttling method decides which of its values are used`(
    method: String, trip: Int, rate: Int64, model: PathConditions.Model
  ) throws {
    let throttling = #"{"rttMs": 150, "throughputKbps": 1600, "requestLatencyMs": 600, "downloadThroughputKbps": 1440}"#
    let settings = #"{"throttlingMethod": "\#(method)", "throttling": \#(throttling)}"#
    for text in [
      #"{"audits": {}, "configSettings": \#(settings)}"#, #"{"audits": {}, "settings": \#(settings)}"#, settings,
    ] {
      let path = try NetworkProfile(text, as: .lighthouse).base
      #expect(path.down.delay + path.up.delay == .milliseconds(trip))
      #expect(path.down.rate == Bandwidth(bitsPerSecond: rate * 1_024))
      #expect(path.model == model)
    }
    let provided = #"{"configSettings": {"throttlingMethod": "provided", "throttling": \#(throttling)}}"#
    #expect(throws: ProfileError.self) { try NetworkProfile(provided, as: .lighthouse) }
    #expect(throws: ProfileError.self) { try NetworkProfile(#"{"settings": {}}"#, as: .lighthouse) }
  }

  @Test(arguments: [
    (#""rttMs": 40, "throughputKbps": 1024"#, ["rttMs", "throughputKbps"]),
    (#""rttMs": 40, "requestLatencyMs": 150, "throughputKbps": 1024, "downloadThroughputKbps": 900"#, []),
    (#""rttMs": 0, "throughputKbps": 0"#, []),
  ])
  func `Lighthouse's method devtools lists simulated values as lost if the applied ones are missing`(
    values: String, lost: [String]
  ) throws {
    let text = #"{"throttlingMethod": "devtools", "throttling": {\#(values)}}"#
    let all = try ProfileFormat.lighthouse.profiles(in: FormatDocument(text, file: "lighthouserc.json"))
    #expect(all.flatMap(\.losses).map(\.subject) == lost)
  }

  @Test func `a WebPageTest profile is read as bits per second, round trip and per cent of loss`() throws {
    let text =
      "[3G]\nlabel=\"Mobile\"\nbwIn=1600000\nbwOut=768000\nlatency=300\nplr=1.5\ntimeout=120\n[Native]\nbwIn=0\n"
    let all = try ProfileFormat.webPageTest.profiles(in: FormatDocument(text, file: "connectivity.ini"))
    #expect(all.map(\.profile.name) == ["3G", "Native"])
    #expect(all[0].profile.summary == "Mobile")
    #expect(
      all[0].profile.base.up
        == LinkConditions(rate: .kilobitsPerSecond(768), delay: .milliseconds(150), loss: .independent(.percent(1.5))))
    #expect(all[0].losses.map(\.subject) == ["timeout=120"])
    #expect(all[1].profile.base == .unlimited)
  }

  @Test(arguments: [
    ("bwIn=1", 1, 1), ("[a]\nbwin=1", 2, 1), ("[a]\n  bwIn = fast", 2, 10), ("[a]\n[a]", 2, 1), ("[a", 1, 1),
    ("[a]\nplr=101", 2, 5), ("[a]\nlatency=1\nlatency=2", 3, 1),
  ])
  func `an error in a WebPageTest file names line and column`(text: String, line: Int, column: Int) {
    let error = #expect(throws: ProfileError.self) {
      try ProfileFormat.webPageTest.profiles(in: FormatDocument(text, file: "c.ini"))
    }
    guard case .syntax(_, let l, let c, _)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(l == line && c == column, "\(l) \(c)")
  }

  /// Exports a profile with these directions to WebPageTest, and returns the text and the lost parts.
  private func written(_ down: LinkConditions, _ up: LinkConditions) -> (text: String, lost: [String]) {
    let document = NetworkProfile(name: "x", base: PathConditions(down: down, up: up)).exported(as: .webPageTest)
    return (document.text, document.losses.map(\.subject))
  }

  @Test func `WebPageTest export writes the greater of two losses and lists the other as lost`() {
    let few = LinkConditions(loss: .independent(.percent(1)))
    let many = LinkConditions(loss: .independent(.percent(3)))
    for (text, lost) in [written(few, many), written(many, few)] {
      #expect(text.contains("plr=3\n"), "\(text)")
      #expect(lost.contains("loss"))
    }
  }

  @Test func `WebPageTest export writes burst loss as its mean loss`() {
    let bursts = LinkConditions(loss: .bursts(GilbertElliott(goodToBad: .percent(1), badToGood: .percent(9))))
    #expect(written(bursts, bursts).text.contains("plr=10\n"))
  }

  @Test(arguments: [(0, false), (1, false), (2, true), (-1, true)])
  func `WebPageTest export lists unequal delays that no round trip can express`(more: Int64, isSaid: Bool) {
    let up = LinkConditions(delay: .nanoseconds(100))
    #expect(written(LinkConditions(delay: .nanoseconds(100 + more)), up).lost.contains("delay") == isSaid)
  }

  @Test func `exporting a profile lists its throttling model as lost if the format has none`() throws {
    let throttled = try NetworkProfile.named("chrome.slow-4G")
    let link = try NetworkProfile.named("webpagetest.cable")
    func loses(_ profile: NetworkProfile, _ format: ProfileFormat) -> Bool {
      profile.exported(as: format).losses.contains { $0.subject == "model" }
    }
    #expect(!loses(throttled, .chrome) && !loses(throttled, .lighthouse) && !loses(link, .lighthouse))
    #expect(loses(throttled, .netem) && loses(throttled, .mahimahi) && loses(throttled, .toxiproxy))
    #expect(loses(link, .chrome) && !loses(.unlimited, .chrome))
  }

  @Test func `a profile that throttles as DevTools does survives the Lighthouse format`() throws {
    let document = try NetworkProfile.named("chrome.slow-4G").exported(as: .lighthouse)
    #expect(document.text.contains(#""throttlingMethod": "devtools""#))
    #expect(document.text.contains(#""requestLatencyMs": 562.5"#))
    let back = try NetworkProfile(document.text, as: .lighthouse)
    #expect(back.base == (try NetworkProfile.named("chrome.slow-4G").base))
  }

  @Test func `an unlimited network is written for Lighthouse without a loss and with no throttling method`() {
    for model in PathConditions.Model.allCases {
      var path = PathConditions.unlimited
      path.model = model
      let document = NetworkProfile(name: "x", base: path).exported(as: .lighthouse)
      #expect(document.text.contains(#""rttMs": 0"#) && document.losses.isEmpty, "\(document.text)")
    }
  }
}
