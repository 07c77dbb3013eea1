import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

/// Changing conditions, timeouts, and the printed form of a network.
struct ConditionTests {
  let feed = url("http://api.example.com/feed")

  @Test func `an offline network fails requests at once and serves them when it is online again`() async throws {
    let network = SimulatedNetwork.immediate()
    network.stub("http://api.example.com/feed", with: .text("x"))
    network.goOffline()
    let error = await #expect(throws: URLError.self) { try await network.data(for: URLRequest(url: feed)) }
    #expect(error?.code == .notConnectedToInternet)
    network.goOnline()
    let (data, _) = try await network.data(for: URLRequest(url: feed))
    #expect(data == Data("x".utf8))
    network.goOffline(.drop)
    network.use(.unlimited)
    let names = network.timeline.events.compactMap {
      if case .conditionsChanged(let name) = $0.kind { name } else { nil }
    }
    #expect(names == ["offline (refuse)", "3G", "offline (drop)", "unlimited"])
  }

  @Test func `a printed network shows its profile, seed and number of transfers`() async throws {
    let network = SimulatedNetwork("unlimited", seed: 42, pace: .immediate)
    #expect("\(network)" == "unlimited, seed 42: 0 transfers until 0.000000 s, 0 stubs")
    network.stub("/feed", with: .text("x"))
    _ = try await network.data(for: URLRequest(url: feed))
    #expect("\(network)".hasPrefix("unlimited, seed 42: 1 transfer until ") && "\(network)".hasSuffix(" s, 1 stub"))
    #expect("\(SimulatedNetwork("tunel"))".hasPrefix("no network: no profile is called \"tunel\""))
  }

  @Test func `a network that stops recording packets discards its records`() async throws {
    let network = SimulatedNetwork.immediate()
    network.stub("http://api.example.com/feed", with: .text("x"))
    network.recordsPackets = true
    _ = try await network.data(for: URLRequest(url: feed))
    #expect(network.timeline.packets.map { $0.log.records.isEmpty } == [false])
    network.recordsPackets = false
    #expect(network.timeline.packets.isEmpty)
    network.recordsPackets = true
    #expect(network.timeline.packets.map { $0.log.records.isEmpty } == [true])
  }

  @Test func `a network that changes its profile while it is offline is online again`() async throws {
    let network = SimulatedNetwork.immediate()
    network.stub("http://api.example.com/feed", with: .text("x"))
    network.goOffline()
    try network.use("wifi")
    #expect(network.path.status == .satisfied)
    #expect(try await network.data(for: URLRequest(url: feed)).0 == Data("x".utf8))
  }

  @Test func `requests of one rule share a path and its connections`() async throws {
    let slow = NetworkProfile(name: "slow", down: LinkConditions(delay: .milliseconds(50)))
    let rules = [ProfileRule(match: RequestMatch(path: "/feed"), use: slow)]
    let run = try await Simulation(NetworkProfile(name: "mine", rules: rules)) { [feed] network in
      network.stub("/feed", with: .text("x"))
      network.recordsPackets = true
      for _ in 0..<2 { _ = try await network.data(for: URLRequest(url: feed)) }
    }
    #expect(run.timeline.transfers.map(\.reusedConnection) == [false, true])
    #expect(run.timeline.packets.map(\.log.records.isEmpty) == [true, false])
  }

  @Test func `an outage of the whole network does not restart the phases of another path`() async throws {
    var out = PathConditions.unlimited
    out.outage = .refuse
    let isle = NetworkProfile(
      name: "isle",
      phases: [
        .init("open", for: .seconds(10), conditions: .unlimited), .init("out", for: .seconds(5), conditions: out),
        .init("open again", conditions: .unlimited),
      ])
    var profile = NetworkProfile.unlimited
    profile.rules = [ProfileRule(match: RequestMatch(path: "/feed"), use: isle)]
    let run = try await Simulation(NetworkProfile.unlimited) { [feed, profile] network in
      network.stub("/feed", with: .text("x"))
      network.use(profile)
      _ = try await network.data(for: URLRequest(url: feed))
      try await network.clock.sleep(for: .seconds(4))
      network.use(profile)
      network.goOffline()
      network.goOnline()
      var codes: [URLError.Code?] = []
      for second in [9, 11, 14, 16] as [Int64] {
        try await network.clock.sleep(until: .zero.advanced(by: .seconds(second)))
        do {
          _ = try await network.data(for: URLRequest(url: feed))
          codes.append(nil)
        } catch let error as URLError {
          codes.append(error.code)
        }
      }
      return codes
    }
    #expect(run.value == [nil, .notConnectedToInternet, .notConnectedToInternet, nil])
  }

  @Test func `a network that goes offline refuses requests, also where a phase drops packets`() async throws {
    var out = PathConditions.unlimited
    out.outage = .drop
    let profile = NetworkProfile(name: "hole", phases: [.init("out", conditions: out)])
    let run = try await Simulation(profile) { [feed] network in
      network.stub("/feed", with: .text("x"))
      network.goOffline()
      do {
        _ = try await network.data(for: URLRequest(url: feed))
        return nil as URLError.Code?
      } catch let error as URLError {
        return error.code
      }
    }
    #expect(run.value == .notConnectedToInternet && run.elapsed == .zero)
  }

  @Test func `an open request loses its connection when the network goes offline`() async throws {
    let network = SimulatedNetwork.immediate()
    let route = network.stub("http://api.example.com/feed", with: .text("x"))
    route.hold()
    async let answer = network.data(for: URLRequest(url: feed))
    await route.waitUntilCalled()
    network.goOffline()
    do {
      _ = try await answer
      Issue.record("the request should have failed")
    } catch {
      #expect((error as? URLError)?.code == .networkConnectionLost)
    }
  }

  @Test func `changing to a slower profile slows an open transfer`() async throws {
    let fast = SimulatedNetwork.immediate("wifi")
    let slowed = SimulatedNetwork.immediate("wifi")
    for network in [fast, slowed] { network.stub("/file", with: .bytes(count: 2_000_000)) }
    let file = URLRequest(url: url("http://api.example.com/file"))
    _ = try await fast.data(for: file)
    let (bytes, _) = try await slowed.bytes(for: file)
    var isFirst = true
    for try await _ in bytes.chunks where isFirst {
      isFirst = false
      try slowed.use("EDGE")
    }
    let usual = try #require(fast.timeline.transfers.first?.elapsed)
    let long = try #require(slowed.timeline.transfers.first?.elapsed)
    // 2 MB take half a second over wifi and more than a minute over EDGE.
    #expect(long > usual * 20)
    #expect(slowed.profile.name == "EDGE")
  }

  @Test func `connection limits come from the profile or from the network's options`() async throws {
    func elapsed(_ profile: NetworkProfile, _ options: NetworkOptions = NetworkOptions()) async throws -> Duration {
      try await Simulation(profile, options: options) { [feed] network in
        network.stub("http://api.example.com/feed", with: .bytes(count: 1_000).after(.seconds(1)))
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<4 { group.addTask { _ = try await network.data(for: URLRequest(url: feed)) } }
          try await group.waitForAll()
        }
      }.elapsed
    }
    var narrow = NetworkProfile.unlimited
    narrow.configuration.connectionsPerHost = 2
    #expect(try await elapsed(.unlimited) < .seconds(1.5))
    #expect(try await elapsed(narrow) >= .seconds(2))
    let options = NetworkOptions(configuration: narrow.configuration)
    #expect(try await elapsed(.unlimited, options) == elapsed(narrow))
  }

  @Test func `a request to a silent server fails after its idle timeout`() async {
    let network = SimulatedNetwork.immediate()
    network.stub("http://api.example.com/feed", with: .never)
    let request = URLRequest(url: feed, cachePolicy: .useProtocolCachePolicy, timeoutInterval: 7.5)
    let error = await #expect(throws: URLError.self) { try await network.data(for: request) }
    #expect(error?.code == .timedOut)
    let transfer = network.timeline.transfers[0]
    #expect(transfer.outcome == .failed(.timedOut))
    // No byte has arrived since the server received the request.
    let received = transfer.requestReceived ?? .zero
    #expect(received.duration(to: transfer.ended ?? .zero) == .seconds(7.5))
  }

  @Test func `a slow response fails after the session's resource timeout`() async throws {
    let network = SimulatedNetwork.immediate("EDGE")
    network.stub("/file", with: .bytes(count: 5_000_000))
    let configuration = network.sessionConfiguration
    configuration.timeoutIntervalForResource = 30
    let session = URLSession(configuration: configuration)
    let result = await session.complete {
      $0.dataTask(with: url("http://api.example.com/file"), completionHandler: $1)
    }
    #expect(result.code == .timedOut)
    #expect(network.timeline.transfers[0].elapsed == .seconds(30))
  }

  @Test func `a resource timeout counts from the first request, also after a redirect`() async throws {
    let network = SimulatedNetwork.immediate("unlimited")
    network.stub("http://api.example.com/feed", with: .redirect(to: "/next").after(.seconds(6)))
    network.stub("http://api.example.com/next", with: .text("x").after(.seconds(6)))
    let configuration = network.sessionConfiguration
    configuration.timeoutIntervalForResource = 10
    let session = URLSession(configuration: configuration)
    let result = await session.complete { [feed] in $0.dataTask(with: feed, completionHandler: $1) }
    #expect(result.code == .timedOut)
    #expect(network.timeline.transfers.map(\.elapsed) == [.seconds(6), .seconds(4)])
  }

  @Test func `the events of a transfer are in order and end once`() async throws {
    let network = SimulatedNetwork.immediate()
    network.stub("http://api.example.com/feed", with: .bytes(count: 40_000))
    var events = network.events.makeAsyncIterator()
    _ = try await network.data(for: URLRequest(url: feed))
    var seen: [NetworkEvent] = []
    while let event = await events.next() {
      seen.append(event)
      if event.kind.isEnd { break }
    }
    #expect(seen.map(\.time) == seen.map(\.time).sorted())
    #expect(seen.contains { $0.kind == .response(status: 200) })
    #expect(seen.contains { $0.kind == .received(bytes: 40_000, of: 40_000) })
    #expect(seen.last?.kind == .finished)
    #expect(network.timeline.events.filter(\.kind.isEnd).count == 1)
  }

  @Test func `a network that has ended has an empty event stream`() async {
    let network = SimulatedNetwork.immediate()
    network.invalidate()
    for await event in network.events { Issue.record("\(event)") }
    var paths = network.pathUpdates.makeAsyncIterator()
    #expect(await paths.next()?.status == .satisfied)
    #expect(await paths.next() == nil)
  }

  @Test func `the phases of a transfer in the timeline add up to its total time`() async throws {
    let network = SimulatedNetwork.immediate()
    network.stub("https://api.example.com/feed", with: .bytes(count: 40_000).after(.milliseconds(300)))
    _ = try await network.data(for: URLRequest(url: url("https://api.example.com/feed")))
    let transfer = network.timeline.transfers[0]
    #expect(transfer.outcome == .finished)
    #expect(transfer.status == 200)
    #expect(transfer.bytesReceived == 40_000)
    #expect(transfer.rate.bytes.reduce(0, +) == 40_000)
    let total = transfer.phases.map { $0.start.duration(to: $0.end) }.reduce(.zero, +)
    #expect(total == transfer.elapsed)
    let waiting = try #require(transfer.phases.first { $0.kind == .waiting })
    // A round trip and the server's 300 ms.
    #expect(waiting.start.duration(to: waiting.end) >= .milliseconds(500))
  }

  @Test func `parallel networks do not share stubs or transfers`() async throws {
    let networks = (0..<20).map { _ in SimulatedNetwork.immediate() }
    for (index, network) in networks.enumerated() { network.stub("/who", with: .text("\(index)")) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, network) in networks.enumerated() {
        group.addTask {
          for _ in 0..<5 {
            let (data, _) = try await network.session.data(for: URLRequest(url: url("http://h.example/who")))
            #expect(String(decoding: data, as: UTF8.self) == "\(index)")
          }
        }
      }
      try await group.waitForAll()
    }
    for network in networks { #expect(network.timeline.transfers.count == 5) }
  }

  @Test func `an invalidated network cancels its open and later requests`() async {
    let network = SimulatedNetwork.immediate()
    let route = network.stub("http://api.example.com/feed", with: .text("x"))
    route.hold()
    let session = network.session
    async let first = session.complete { $0.dataTask(with: feed, completionHandler: $1) }
    await route.waitUntilCalled()
    network.invalidate()
    #expect(await first.code == .cancelled)
    let later = await URLSession(configuration: session.configuration).complete {
      $0.dataTask(with: feed, completionHandler: $1)
    }
    #expect(later.code == .cancelled)
  }

  @Test func `a rule sends requests over its profile, or fails them when the profile is unknown`() async throws {
    var profile = NetworkProfile(name: "mixed")
    profile.rules = [
      ProfileRule(match: RequestMatch(host: "slow.example"), use: "EDGE"),
      ProfileRule(match: RequestMatch(host: "wrong.example"), use: "EDG"),
    ]
    let network = SimulatedNetwork(profile, seed: 1, pace: .immediate)
    network.stub("/x", with: .text("x"))
    _ = try await network.data(for: URLRequest(url: url("http://slow.example/x")))
    _ = try await network.data(for: URLRequest(url: url("http://other.example/x")))
    let transfers = network.timeline.transfers
    #expect(transfers.map(\.profile) == ["EDGE", "mixed"])
    #expect(transfers[0].elapsed > .milliseconds(1600))
    let error = await #expect(throws: URLError.self) {
      try await network.data(for: URLRequest(url: url("http://wrong.example/x")))
    }
    #expect(error?.localizedDescription.contains("EDGE") == true)
  }

  @Test func `a new profile's rules use their own profiles, even under the same names as before`() async throws {
    func mixed(_ delay: Duration) -> NetworkProfile {
      let other = NetworkProfile(name: "other", down: LinkConditions(delay: delay))
      return NetworkProfile(name: "mixed", rules: [ProfileRule(match: .any, use: other)])
    }
    let network = SimulatedNetwork(mixed(.zero), seed: 1, pace: .immediate)
    network.stub("/x", with: .text("x"))
    for delay in [Duration.zero, .seconds(1)] {
      network.use(mixed(delay))
      _ = try await network.data(for: URLRequest(url: url("http://api.example/x")))
    }
    #expect(network.timeline.transfers.map { $0.elapsed > .seconds(1) } == [false, true])
  }
}
