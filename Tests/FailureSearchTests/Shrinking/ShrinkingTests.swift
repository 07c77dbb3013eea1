import Internals
import LinkSimulator
import NetworkConditions

import Testing

@testable import FailureSearch
import URLLoading

struct ShrinkingTests {
  struct Broken: Error {}

  /// The first failure of a search under a profile made in the test, after shrinking.
  private static func shrunk(
    _ profile: NetworkProfile, seeds: Range<UInt64> = 0..<200, clients: Int = 1,
    prepare: @escaping @Sendable (SimulatedNetwork) -> Void = { $0.stub("/*", with: .bytes(count: 4_000)) },
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) async throws -> FoundFailure.Shrunk {
    var search = FailureSearch(profile, seeds: seeds)
    search.clients = clients
    search.prepare = prepare
    let report = try await search.run(body)
    guard case .shrunk(let shrunk) = try #require(report.failures.first).outcome else {
      Issue.record("\(report)")
      throw Broken()
    }
    #expect(report.failures[0].summary.contains(" clients)") == (shrunk.clients > 1))
    #expect(Set(report.failures[0].timeline.transfers.map(\.client)).count <= shrunk.clients)
    #expect(shrunk.failedReruns == 10 && shrunk.courses == 1 && shrunk.isComplete)
    // Reruns that all fail are steady.
    #expect(["\(FailureText.unsteady)", "limit of runs"].allSatisfy { !"\(report)".contains($0) })
    return shrunk
  }

  private static func load(_ path: String, timeout: Double = 60, _ network: SimulatedNetwork) async -> Bool {
    let url = URL(string: "https://api.example.com\(path)") ?? URL(fileURLWithPath: "/")
    return (try? await network.data(for: URLRequest(url: url, timeoutInterval: timeout))) != nil
  }

  @Test func `shrinking a failure that needs two faults of many leaves these two`() async throws {
    let profile = NetworkProfile(
      name: "breaking", down: LinkConditions(loss: .independent(.percent(3))),
      faults: [FaultRule(.reset(after: .bytes(777)), probability: .percent(20))])
    let shrunk = try await Self.shrunk(profile) { network in
      var results: [Bool] = []
      for number in 0..<6 { results.append(await Self.load("/\(number)", network)) }
      if !results[1], !results[4] { throw Broken() }
    }
    #expect(shrunk.originalFaults >= 2)
    let targets = shrunk.schedule.faults.map { fault -> String? in
      guard case .request(let match, .reset) = fault.kind else { return nil }
      return match.url
    }
    #expect(targets == ["https://api.example.com/1", "https://api.example.com/4"])
  }

  @Test func `when shrinking removes a first request's fault, the second request's fault moves to the first`()
    async throws
  {
    let rules = [
      FaultRule(.refused, match: RequestMatch(nth: 1)), FaultRule(.status(code: 429), match: RequestMatch(nth: 2)),
    ]
    let shrunk = try await Self.shrunk(NetworkProfile(name: "limiting", faults: rules), seeds: 0..<1) { network in
      let orders = URL(string: "https://api.example.com/orders")!
      for _ in 0..<3 {
        guard let (_, response) = try? await network.session.data(from: orders) else { continue }
        if (response as? HTTPURLResponse)?.statusCode == 429 { throw Broken() }
        return
      }
    }
    #expect(shrunk.originalFaults == 2)
    #expect(shrunk.schedule.faults.map(\.description) == ["the 1st GET https://api.example.com/orders: status 429"])
  }

  @Test(arguments: [(3, 3), (4, 1)])
  func `shrinking keeps an expectation's values if up to three faults are left then`(requests: Int, faults: Int)
    async throws
  {
    let profile = NetworkProfile(name: "resetting", faults: [FaultRule(.reset(after: .bytes(77)))])
    let shrunk = try await Self.shrunk(profile) { network in
      var failures = 0
      for number in 0..<requests where await !Self.load("/\(number)", network) { failures += 1 }
      let check = FailedChecks.Check("(failures → \(failures)) == 0", at: "A.swift:1")
      if failures > 0 { throw try #require(FailedChecks([check], label: "check")) }
    }
    #expect(shrunk.originalFaults == requests && shrunk.schedule.faults.count == faults, "\(shrunk)")
  }

  @Test func `shrinking drops a fault that only changes the time at which a client without an end is stopped`()
    async throws
  {
    let rules = [
      FaultRule(.refused, match: RequestMatch(path: "/0")),
      FaultRule(.delay(.seconds(1)), match: RequestMatch(path: "/1")),
    ]
    var search = FailureSearch(NetworkProfile(name: "refusing", faults: rules), seeds: 0..<1)
    search.prepare = { $0.stub("/*", with: .text("a")) }
    search.options.requestLimit = 20
    let report = try await search.run { network in
      let isAnswered = await Self.load("/0", network)
      _ = await Self.load("/1", network)
      while !isAnswered { _ = await Self.load("/2", network) }
    }
    let faults = try #require(report.failures.first?.schedule).faults
    #expect(faults.map(\.description) == ["the 1st GET https://api.example.com/0: connection refused"], "\(report)")
  }

  @Test func `shrinking keeps a fault whose removal would change the client's error`() async throws {
    struct HalfBroken: Error {}
    let shrunk = try await Self.shrunk(
      NetworkProfile(name: "resetting", faults: [FaultRule(.reset(after: .bytes(77)))])
    ) {
      network in
      let (one, other) = (await Self.load("/1", network), await Self.load("/2", network))
      if !one, !other { throw Broken() }
      if !one || !other { throw HalfBroken() }
    }
    #expect(shrunk.schedule.faults.count == 2)
  }

  @Test func `shrinking replaces an endless stall by a short stall of a round length`() async throws {
    let profile = NetworkProfile(name: "stalling", faults: [FaultRule(.stall(after: .bytes(1_234)))])
    let shrunk = try await Self.shrunk(profile) { network in
      if await !Self.load("/", timeout: 5, network) { throw Broken() }
    }
    guard case .request(_, .stall(let bytes, let length?)) = try #require(shrunk.schedule.faults.first).kind else {
      Issue.record("\(shrunk.schedule)")
      return
    }
    #expect(bytes == .zero)
    #expect(length > .seconds(4) && length < .seconds(9))
    #expect(length.components.attoseconds % 100_000_000_000_000_000 == 0)
  }

  /// A close 4.97 to 5.05 s after the response meets the second request.
  ///
  /// The client repeats after 5.01 s, and a packet takes 40 ms. The roundest of these lengths is 5 s.
  @Test func `shrinking rounds the idle time before a connection close to 5 s`() async throws {
    let link = LinkConditions(delay: .milliseconds(40))
    var profile = NetworkProfile(
      name: "closing", down: link, up: link,
      faults: [FaultRule(.idleClose(after: .milliseconds(4_987)), probability: .percent(30))])
    profile.configuration.repeats = .none
    let shrunk = try await Self.shrunk(profile) { network in
      for number in 0..<4 {
        guard await Self.load("/\(number)", network) else { throw Broken() }
        try await network.clock.sleep(for: .milliseconds(5_010))
      }
    }
    let fault = try #require(shrunk.schedule.faults.first)
    #expect(shrunk.schedule.faults.count == 1)
    guard case .request(_, .idleClose(after: .seconds(5))) = fault.kind else {
      Issue.record("\(shrunk.schedule)")
      return
    }
  }

  @Test func `shrinking replaces a connection timeout by a short delay that also breaks the client`() async throws {
    let profile = NetworkProfile(name: "unanswered", faults: [FaultRule(.connectTimeout)])
    let shrunk = try await Self.shrunk(profile) { network in
      if await !Self.load("/", timeout: 0.3, network) { throw Broken() }
    }
    guard case .request(_, .delay(let delay)) = try #require(shrunk.schedule.faults.first).kind else {
      Issue.record("\(shrunk.schedule)")
      return
    }
    #expect(delay <= .milliseconds(500))
  }

  @Test func `shrinking a failure on a link with four impairments leaves one fault`() async throws {
    var link = LinkConditions(
      delay: .milliseconds(10), jitter: Jitter(.normal, spread: .milliseconds(2)), loss: .independent(.percent(1)))
    link.corruption = .percent(6)
    link.duplication = .percent(30)
    link.reorder(.percent(10))
    // On a fresh connection: a lost SYN-ACK alone takes a second.
    let shrunk = try await Self.shrunk(NetworkProfile(name: "rough", down: link)) { network in
      if await !Self.load("/", timeout: 0.2, network) { throw Broken() }
    }
    #expect(shrunk.originalFaults > 1)
    #expect(shrunk.schedule.faults.count == 1)
  }

  @Test(arguments: [2, 3])
  func `shrinking removes clients that the failure does not need`(needed: Int) async throws {
    let profile = NetworkProfile(
      name: "crowded", faults: [FaultRule(.status(code: 503), match: RequestMatch(path: "/pay", nth: needed))])
    let shrunk = try await Self.shrunk(profile, clients: 9) { network in
      let url = URL(string: "https://api.example.com/pay") ?? URL(fileURLWithPath: "/")
      let (_, response) = try await network.data(for: URLRequest(url: url))
      if (response as? HTTPURLResponse)?.statusCode == 503 { throw Broken() }
    }
    #expect(shrunk.clients == needed)
    #expect(shrunk.schedule.faults.count == 1)
  }

  @Test func `shrinking halves the number of clients until the failure needs more`() async throws {
    let reset = FaultRule(.reset(after: .zero), match: RequestMatch(nth: 1))
    let profile = NetworkProfile(name: "crowded", faults: [reset])
    let shrunk = try await Self.shrunk(profile, seeds: 0..<1, clients: 64) { network in
      if await !Self.load("/", network) { throw Broken() }
    }
    #expect(shrunk.clients == 1)
    // Six halvings, each with a run that has no fault; ten runs confirm the result.
    #expect(shrunk.reruns < 35)
  }

  @Test(arguments: [true, false])
  func `shrinking takes seed 0 unless the client fails under it without a fault`(fails: Bool) async throws {
    let profile = NetworkProfile(name: "resetting", faults: [FaultRule(.reset(after: .bytes(77)))])
    let shrunk = try await Self.shrunk(profile, seeds: 7..<8) { network in
      let isLoaded = await Self.load("/", network)
      if !isLoaded || (fails && network.seed == 0) { throw Broken() }
    }
    #expect(shrunk.schedule.seed == (fails ? 7 : 0))
  }

  @Test func `a failure that the recorded faults do not cause is not shrunk`() async throws {
    // Both phases have the base's conditions, so they are not recorded.
    let profile = NetworkProfile(
      name: "alike",
      phases: [.init("one", for: .seconds(1), conditions: .unlimited), .init("two", conditions: .unlimited)])
    let report = try await FailureSearch(profile, seeds: 0..<1).run { network in
      try await network.clock.sleep(for: .seconds(2))
      if network.timeline.events.contains(where: { $0.kind == .phaseEntered("two") }) { throw Broken() }
    }
    guard case .notReproduced(let reason) = try #require(report.failures.first).outcome else {
      Issue.record("\(report)")
      return
    }
    #expect(reason.hasPrefix("the recorded faults alone do not cause it; "))
  }

  @Test func `a failure that no longer happens while it is shrunk is reported as not reproduced`() async throws {
    let profile = NetworkProfile(name: "resetting", faults: [FaultRule(.reset(after: .bytes(77)))])
    let runs = Locked(0)
    _ = try await Self.shrunk(profile, seeds: 7..<8) { network in
      runs.withLock { $0 += 1 }
      if await !Self.load("/", network) { throw Broken() }
    }
    // The last ten runs only confirm the failure.
    let left = Locked(runs.value - 10)
    let report = try await FailureSearch(profile, seeds: 7..<8).run { network in
      network.stub("/*", with: .bytes(count: 4_000))
      let isLoaded = await Self.load("/", network)
      let isLate = left.withLock { left in
        left -= 1
        return left < 0
      }
      if !isLoaded, !isLate { throw Broken() }
    }
    guard case .notReproduced(let reason) = try #require(report.failures.first).outcome else {
      Issue.record("\(report)")
      return
    }
    #expect(reason == "it failed while its faults were removed, but not in 10 further runs of the rest")
  }

  @Test func `shrinking removes all unneeded jitter in fewer than 40 runs`() async throws {
    let profile = NetworkProfile(
      name: "jittery",
      down: LinkConditions(delay: .milliseconds(50), jitter: Jitter(.uniform, spread: .milliseconds(20))),
      faults: [FaultRule(.status(code: 500), match: RequestMatch(path: "/9"))])
    let shrunk = try await Self.shrunk(
      profile, prepare: { $0.stub("/*", with: .bytes(count: 100_000)) },
      { network in
        for number in 0..<10 {
          let url = URL(string: "https://api.example.com/\(number)") ?? URL(fileURLWithPath: "/")
          let (_, response) = try await network.data(for: URLRequest(url: url))
          if (response as? HTTPURLResponse)?.statusCode == 500 { throw Broken() }
        }
      })
    #expect(shrunk.originalFaults > 500)
    #expect(shrunk.schedule.faults.count == 1)
    #expect(shrunk.reruns < 40)
  }

  @Test func `a failure that reached the limit of runs is not reported as completely shrunk`() async throws {
    let outage = PathConditions(outage: .drop)
    let profile = NetworkProfile(
      name: "long", phases: [.init("a", for: .seconds(3), conditions: outage), .init("b", conditions: .unlimited)])
    for (limit, isComplete) in [(5, false), (6, false), (40, true)] {
      var search = FailureSearch(profile, seeds: 0..<1)
      search.startsAnywhere = false
      search.rerunLimit = limit
      search.prepare = { $0.stub("/*", with: .bytes(count: 60_000)) }
      let report = try await search.run { network in
        if await !Self.load("/x", timeout: 0.5, network) { throw Broken() }
      }
      guard case .shrunk(let shrunk) = try #require(report.failures.first).outcome else {
        Issue.record("\(report)")
        return
      }
      #expect(shrunk.isComplete == isComplete, "\(limit): \(shrunk)")
    }
  }

  @Test func `shrinking stops at its limit of runs, and the report says so`() async throws {
    let profile = NetworkProfile(name: "lossy", down: LinkConditions(loss: .independent(.percent(20))))
    var search = FailureSearch(profile, seeds: 0..<50)
    search.rerunLimit = 12
    search.prepare = { $0.stub("/*", with: .bytes(count: 60_000)) }
    let report = try await search.run { network in
      for number in 0..<3 { _ = await Self.load("/\(number)", network) }
      if network.timeline.transfers.map(\.retransmissions).reduce(0, +) > 25 { throw Broken() }
    }
    guard case .shrunk(let shrunk) = try #require(report.failures.first).outcome else {
      Issue.record("\(report)")
      return
    }
    #expect(!shrunk.isComplete)
    #expect(shrunk.reruns == 22)
    #expect("\(report)".contains("The limit of runs was reached: fewer or weaker faults may be enough."))
  }

  @Test func `a report says that a weaker fault may be enough when the limit of runs was reached`() async throws {
    var exploration = try FailureSearch.everyFault(upTo: 1, under: "3G")
    (exploration.faults.kinds, exploration.rerunLimit, exploration.timeLimit) = ([.outage], 1, nil)
    exploration.prepare = { $0.stub("/*", with: .bytes(count: 2_000)) }
    let report = try await exploration.run { network in
      let url = URL(string: "https://api.example.com/feed")!
      _ = try await network.session.data(from: url)
    }
    let failure = try #require(report.failures.first)
    #expect(failure.text.contains("The limit of runs was reached: a weaker fault may be enough."), "\(failure.text)")
  }
}
