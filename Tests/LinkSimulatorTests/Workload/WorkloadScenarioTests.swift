import Testing

@testable import LinkSimulator

struct WorkloadScenarioTests {
  static func request(_ id: String, bytes: Int64 = 1_000, after: [Int] = []) -> WorkloadScenario.Request {
    var request = WorkloadScenario.Request(id: id, host: "a", path: "/\(bytes).bin", method: .get)
    request.responseBytes = bytes
    request.after = after
    return request
  }

  /// A link of 1 byte a microsecond each way and a round trip of 100 ms.
  static func scenario(
    _ client: WorkloadScenario.Client, _ requests: [WorkloadScenario.Request]
  ) -> WorkloadScenario {
    let link = LinkConditions(rate: .kilobitsPerSecond(8_000), delay: .milliseconds(50))
    return WorkloadScenario(client, requests, over: ConditionSchedule(PathConditions(down: link, up: link)))
  }

  private static func milliseconds(_ outcome: WorkloadScenario.Outcome) -> [Double] {
    outcome.finished.map { $0.map { $0 / .milliseconds(1) } ?? .infinity }
  }

  @Test func `a request takes exactly a handshake, a round trip and its bytes' time`() {
    // SYN and SYN-ACK have 60 bytes each, the acknowledgement 52 and the request 52 + 146. The server's
    // acknowledgement has 52, the response 52 + 254 + 1000.
    let outcome = Self.scenario(.http1, [Self.request("0")]).run(seed: 1)
    #expect(outcome.finished == [.microseconds(200_000 + 60 + 60 + 52 + 52 + 146 + 52 + 52 + 254 + 1_000)])
    #expect(outcome.total == outcome.finished[0])
  }

  @Test func `a request starts after its dependencies and its own wait`() {
    var second = Self.request("1", after: [0])
    second.wait = .milliseconds(30)
    var third = Self.request("2")
    third.start = .milliseconds(500)
    let times = Self.milliseconds(Self.scenario(.http1, [Self.request("0"), second, third]).run(seed: 1))
    #expect(times[1] - times[0] > 130 && times[1] - times[0] < 132)
    #expect(times[2] > 600 && times[2] < 602)
  }

  @Test func `a request after a closed connection takes another handshake`() {
    var first = Self.request("0")
    first.closes = true
    let times = Self.milliseconds(Self.scenario(.http1, [first, Self.request("1", after: [0])]).run(seed: 1))
    #expect(times[1] - times[0] > 200 && times[1] - times[0] < 202)
  }

  @Test func `an upload that waits for 100 Continue takes one more round trip`() {
    var put = WorkloadScenario.Request(id: "0", host: "a", path: "/up", method: .put)
    put.requestBytes = 5_000
    let plain = Self.milliseconds(Self.scenario(.http1, [put]).run(seed: 1))[0]
    put.expects = true
    let waits = Self.milliseconds(Self.scenario(.http1, [put]).run(seed: 1))[0]
    #expect(waits - plain > 100 && waits - plain < 101)
  }

  @Test func `an HTTP/1.1 request over TLS takes one more round trip`() {
    let plain = Self.milliseconds(Self.scenario(.http1, [Self.request("0")]).run(seed: 1))[0]
    let secure = Self.milliseconds(Self.scenario(.secureHTTP1, [Self.request("0")]).run(seed: 1))[0]
    #expect(secure - plain > 100 && secure - plain < 110)
  }

  @Test func `an HTTP/3 request takes a round trip less than HTTP/2, which it falls back to where UDP is blocked`() {
    func time(_ client: WorkloadScenario.Client, blocksUDP: Bool = false) -> Double {
      var workload = Self.scenario(client, [Self.request("0")])
      if blocksUDP { workload.schedule = ConditionSchedule(blocking(workload.schedule.phases[0].conditions)) }
      return Self.milliseconds(workload.run(seed: 1))[0]
    }
    func blocking(_ conditions: PathConditions) -> PathConditions {
      var conditions = conditions
      conditions.udp = .blocked
      return conditions
    }
    let (newer, older) = (time(.http3), time(.http2))
    #expect(older - newer > 90 && older - newer < 105)
    // TCP starts 250 ms after QUIC.
    #expect(abs(time(.http3, blocksUDP: true) - older - 250) < 5)
  }

  @Test func `each end wakes up once during a TLS handshake`() {
    let times = [WorkloadScenario.Client.http1, .secureHTTP1].map { client in
      var workload = Self.scenario(client, [Self.request("0")])
      workload.schedule = ConditionSchedule(.symmetric(delay: .milliseconds(50)))
      workload.costs.waking = .milliseconds(3)
      return workload.run(seed: 1).finished[0]!
    }
    // With the same seed all other wake-ups take the same time. The two count as computing, of which 15 % are for the
    // server's tickets: those do not delay the request, since the client has to wake up before it sends one.
    #expect(times[1] - times[0] == .microseconds(100_000 + 6_000 * 85 / 100))
  }

  @Test func `the client's calls and the server's responses are processed one after another`() {
    var workload = Self.scenario(.http1, [Self.request("0"), Self.request("1")])
    let free = workload.run(seed: 1)
    workload.costs.thinking = .milliseconds(20)
    let slow = workload.run(seed: 1)
    // The server has already sent the acknowledgement of the request, so the response does not wait behind it.
    #expect(slow.finished[0]! - free.finished[0]! == .microseconds(20_000 - 52))
    #expect(slow.finished[1]! - slow.finished[0]! == .milliseconds(20))
    workload.costs.thinking = .zero
    workload.costs.call = .milliseconds(5)
    let late = workload.run(seed: 1)
    #expect(late.finished[0] == free.finished[0])
    #expect(late.finished[1]! - late.finished[0]! >= .milliseconds(4))
  }

  @Test func `a client begins its first request when it has set up its connection`() {
    var workload = Self.scenario(.http1, [Self.request("0"), Self.request("1")])
    workload.requests[1].start = .milliseconds(30)
    workload.costs.connect = .milliseconds(7)
    #expect(workload.run(seed: 1).times.map(\.begun) == [.milliseconds(7), .milliseconds(30)])
  }

  @Test func `a request's timings say when it began, was sent, was answered and ended`() {
    var workload = Self.scenario(.http1, [Self.request("0"), Self.request("1", after: [0])])
    workload.configuration.connectionsPerHost = 1
    let times = workload.run(seed: 1).times
    // The handshake takes 100.12 ms. The response fits into one packet, so its first byte is also its last.
    #expect(times[0].begun == .zero && times[0].sent == .microseconds(100_120))
    #expect(times[0].answered == times[0].finished)
    #expect(times[1].begun == times[0].finished && times[1].sent == times[1].begun)
    let large = Self.scenario(.http1, [Self.request("0", bytes: 50_000)]).run(seed: 1).times[0]
    #expect(large.answered! < large.finished!)
  }

  @Test func `an upload with a response body takes the time of that body too`() {
    var put = WorkloadScenario.Request(id: "0", host: "a", path: "/up", method: .put)
    put.requestBytes = 1_000
    let short = Self.milliseconds(Self.scenario(.http1, [put]).run(seed: 1))[0]
    put.responseBytes = 10_000
    let long = Self.milliseconds(Self.scenario(.http1, [put]).run(seed: 1))[0]
    #expect(long - short > 10 && long - short < 11)
  }

  @Test func `a name lookup costs a request one round trip`() {
    var workload = Self.scenario(.http1, [Self.request("0")])
    let known = Self.milliseconds(workload.run(seed: 1))[0]
    workload.needsResolution = true
    let unknown = Self.milliseconds(workload.run(seed: 1))[0]
    #expect(unknown - known > 100 && unknown - known < 101)
  }

  @Test func `a workload beyond its time limit has no total time`() {
    var workload = Self.scenario(.http1, [Self.request("0"), Self.request("1", bytes: 10_000_000)])
    workload.limit = .seconds(1)
    let outcome = workload.run(seed: 1)
    #expect(outcome.finished[0] != nil && outcome.finished[1] == nil && outcome.total == nil)
  }

  @Test func `a workload ends after three minutes if no other time limit is given`() {
    // The link carries 100 bytes a millisecond, so 16 MB take about 166 s with their headers, and 18 MB about 187 s.
    for (bytes, isInTime) in [(Int64(16_000_000), true), (18_000_000, false)] {
      let link = LinkConditions(rate: .kilobitsPerSecond(800), delay: .milliseconds(50))
      var workload = Self.scenario(.http1, [Self.request("0", bytes: bytes)])
      workload.schedule = ConditionSchedule(PathConditions(down: link, up: link))
      #expect((workload.run(seed: 1).total != nil) == isInTime)
    }
  }

  @Test func `a workload ends with its first failed request`() {
    var (second, third) = (Self.request("1"), Self.request("2"))
    (second.start, third.start) = (.seconds(2), .seconds(4))
    var workload = Self.scenario(.http1, [Self.request("0"), second, third])
    let works = workload.schedule.phases[0].conditions
    var fails = works
    fails.outage = .refuse
    workload.schedule = ConditionSchedule(phases: [
      .init("", for: .seconds(1), conditions: works), .init("", for: .seconds(2), conditions: fails),
      .init("", for: nil, conditions: works),
    ])!
    let times = workload.run(seed: 1).times
    #expect(times[0].finished != nil && times[1].finished == nil)
    #expect(times[2].begun == nil)
  }
}
