import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

@testable import FailureSearch

/// The points at which an exploration tries faults, in runs whose every packet takes 50 ms.
struct PointListTests {
  private typealias Client = @Sendable (SimulatedNetwork) async throws -> Void

  /// A run without a fault.
  private static func timeline(_ client: @escaping Client) async throws -> Timeline {
    let link = LinkConditions(delay: .milliseconds(50))
    let run = try await Simulation(NetworkProfile(name: "far", down: link, up: link)) { network in
      (network.recordsContents, network.recordsPackets) = (true, true)
      try await client(network)
    }
    return run.timeline
  }

  /// Sends requests in a row to `/0`, `/1` and so on, and stubs their responses.
  private static func inARow(_ count: Int, scheme: String = "http", _ response: StubResponse = .text("a")) -> Client {
    { network in
      network.stub("/*", with: response)
      for number in 0..<count { _ = try await network.data(for: request("\(scheme)://10.0.0.1/\(number)")) }
    }
  }

  private static func members(_ list: PointList) -> [PointClass.Member] {
    list.classes.flatMap { points in (0..<points.count).map { points[$0] } }
  }

  private static func faults(_ kinds: Set<FaultKinds.Kind>, _ timeline: Timeline) -> [ScheduledFault] {
    members(PointList(of: timeline, faultKinds: FaultKinds(kinds))).map(\.fault)
  }

  private static func instant(_ milliseconds: Int64) -> SimulatedInstant {
    .zero.advanced(by: .milliseconds(milliseconds))
  }

  @Test func `two answers swap their order if they end at most a millisecond apart`() async throws {
    for (gap, isSwapped) in [(Duration.milliseconds(1), true), (.microseconds(1_001), false)] {
      let timeline = try await Self.timeline { network in
        network.stub("/first", with: .text("a"))
        network.stub("/second", with: .text("a").after(gap))
        async let first = network.data(for: request("http://10.0.0.1/first"))
        async let second = network.data(for: request("http://10.0.0.1/second"))
        _ = try await (first, second)
      }
      // The first is delayed until just after the second.
      let late = ScheduledFault.request(.get, "http://10.0.0.1/first", .slowClose(delay: gap + .microseconds(1)))
      #expect(Self.faults([.order], timeline) == (isSwapped ? [late] : []))
    }
  }

  @Test func `a reset after the last byte of a request's head lets no byte of the body through`() async throws {
    let timeline = try await Self.timeline { network in
      network.stub(.post, "/pay", with: .text("a"))
      var payment = request("http://10.0.0.1/pay")
      payment.httpMethod = "POST"
      payment.httpBody = Data(count: 10)
      _ = try await network.data(for: payment)
    }
    let head = try #require(timeline.details.contents[0]).requestHeadBytes
    var counts: [Bool: Int] = [:]
    for points in PointList(of: timeline, faultKinds: FaultKinds([.reset])).classes {
      if case .lostOnTheWayThere(let bodyBegun) = points.key.effect { counts[bodyBegun] = points.count }
    }
    #expect(counts == [false: Int(head) + 1, true: 9])
  }

  @Test func `only a request that opens a connection can fail to connect`() async throws {
    let faults = Self.faults([.refused, .connectTimeout], try await Self.timeline(Self.inARow(3)))
    let first = "http://10.0.0.1/0"
    #expect(faults == [.request(.get, first, .refused), .request(.get, first, .connectTimeout)])
  }

  @Test func `a request fails in every other way before it starts late, so that examples are plain`() async throws {
    let timeline = try await Self.timeline(Self.inARow(1))
    let lateness = Self.faults([.refused, .reset, .delay], timeline).map { "\($0)".hasSuffix(" late") }
    #expect(lateness.first == false && lateness.last == true)
  }

  @Test(arguments: ["http", "https"])
  func `each packet of a connection belongs to the request that uses the connection`(scheme: String) async throws {
    let list = PointList(of: try await Self.timeline(Self.inARow(1, scheme: scheme)), faultKinds: FaultKinds([.packet]))
    #expect(!list.classes.isEmpty && list.classes.allSatisfy { $0.key.transfer == 0 })
  }

  @Test(arguments: [("http", 0), ("https", 3)])
  func `a server can go away and reset a stream only over HTTP/2`(scheme: String, count: Int) async throws {
    let timeline = try await Self.timeline(Self.inARow(1, scheme: scheme))
    #expect(Self.faults([.goAway, .resetStream], timeline).count == count)
  }

  @Test func `a second fault comes after the first one`() async throws {
    let timeline = try await Self.timeline(Self.inARow(3))
    let all = PointList(of: timeline, faultKinds: FaultKinds([.cancel, .status, .reset]))
    let past = Self.instant(200)
    let rest = PointList(of: timeline, faultKinds: all.faultKinds, after: past)
    let times = Self.members(all).map(\.time)
    #expect(times.contains { $0 < past } && times.contains(past))
    #expect(Self.members(rest).map(\.time).sorted() == times.filter { $0 > past }.sorted())
  }

  @Test(arguments: [(60, false), (60.001, true)])
  func `a fault as long as one of the client's waits is shorter than the request's timeout`(
    timeout: TimeInterval, isTried: Bool
  ) async throws {
    let timeline = try await Self.timeline { network in
      network.stub("/*", with: .text("a"))
      var asked = request("http://10.0.0.1/0")
      asked.timeoutInterval = timeout
      _ = try await network.data(for: asked)
    }
    // A wait of 40 s gives lengths of 39.999 s, 40.001 s and 60 s.
    let waits = WaitLengths([.seconds(40)], beyond: [], below: .seconds(3_600))
    let list = PointList(of: timeline, faultKinds: FaultKinds([.slowClose]), lengths: waits)
    let late = ScheduledFault.request(.get, "http://10.0.0.1/0", .slowClose(delay: .seconds(60)))
    #expect(Self.members(list).map(\.fault).contains(late) == isTried)
  }

  @Test func `a transfer that the client cancels gets no fault that makes its end late`() async throws {
    let timeline = try await Self.timeline { network in
      network.stub("/*", with: .text("a").after(.seconds(5)))
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { _ = try? await network.data(for: request("http://10.0.0.1/0")) }
        try await network.clock.sleep(for: .seconds(1))
        group.cancelAll()
      }
    }
    #expect(timeline.transfers.map(\.outcome) == [.cancelled])
    #expect(Self.faults([.slowClose, .idleClose], timeline).isEmpty)
  }

  @Test(arguments: [(Duration.milliseconds(59_999), true), (.seconds(60), false)])
  func `a stall is a pause if it is shorter than the request's timeout`(length: Duration, isPause: Bool) async throws {
    var faultKinds = FaultKinds([.stall])
    faultKinds.moment = length
    let list = PointList(of: try await Self.timeline(Self.inARow(1)), faultKinds: faultKinds)
    let pauses = list.classes.filter { if case .pause = $0.key.effect { true } else { false } }
    #expect(pauses.isEmpty == !isPause)
  }

  @Test func `packets of a connection's handshake are in another class than later packets`() async throws {
    let list = PointList(of: try await Self.timeline(Self.inARow(1)), faultKinds: FaultKinds([.packet]))
    let roles = list.classes.compactMap { points -> PointClass.PacketRole? in
      if case .packet(.up, let role) = points.key.effect { role } else { nil }
    }
    #expect(roles == [.opening(0), .acknowledgement, .lastData])
  }

  @Test func `other transfers' events count for a transfer only until its own end`() async throws {
    let timeline = try await Self.timeline { network in
      network.stub("/*", with: .text("a"))
      async let first = network.data(for: request("http://10.0.0.1/0"))
      async let second = network.data(for: request("http://10.0.0.1/1"))
      _ = try await (first, second)
    }
    let (first, second) = (timeline.transfers[0], timeline.transfers[1])
    #expect(first.ended == second.ended)
    #expect(ListedTransfer.others(of: first, in: timeline).last == first.ended)
  }

  @Test func `each time belongs to a phase of the transfer that is in progress`() async throws {
    let pieces: [(Duration, Data)] = [(.zero, Data(count: 10)), (.seconds(1), Data(count: 10))]
    let timeline = try await Self.timeline { network in
      try await Self.inARow(1, .stream(pieces))(network)
      try await network.clock.sleep(for: .seconds(1))
    }
    let list = PointList(of: timeline, faultKinds: FaultKinds([.cancel]))
    // It connects until 100 ms, sends until 150 ms, and receives from 200 ms until 1,200 ms.
    let phases = [50, 120, 170, 200, 1_199, 1_200, 1_500].map { list.position(at: Self.instant($0)).phases }
    #expect(phases == [[.connecting], [.sending], [.waiting], [.receiving], [.receiving], [.after], [.after]])
  }

  @Test func `outages in different half seconds of a transfer are in different classes`() async throws {
    let pieces: [(Duration, Data)] = [(.zero, Data(count: 10)), (.seconds(1), Data(count: 10))]
    let timeline = try await Self.timeline(Self.inARow(1, .stream(pieces)))
    let list = PointList(of: timeline, faultKinds: FaultKinds([.outage]))
    // The points are halfway between events; between 200 ms and 1,200 ms nothing happens.
    #expect(Set(list.classes.map(\.key).filter { $0.transfer == 0 }.map(\.slot)) == [0, 1])
  }

  @Test func `resets of a huge upload are listed at each byte of its beginning, then at each segment`() async throws {
    let timeline = try await Self.timeline { network in
      network.stub(.post, "/pay", with: .text("a"))
      var payment = request("http://10.0.0.1/pay")
      payment.httpMethod = "POST"
      payment.httpBody = Data(count: 1 << 20)
      _ = try await network.data(for: payment)
    }
    let list = PointList(of: timeline, faultKinds: FaultKinds([.reset]))
    let places = list.classes.flatMap { points in (0..<points.count).map { points.place(of: $0) } }
    #expect(places.count < 300_000 && places.max()! > 1 << 20)
    #expect(!list.omissions.isEmpty)
  }
}

private func request(_ text: String) -> URLRequest {
  URLRequest(url: URL(string: text) ?? URL(fileURLWithPath: "/"))
}
