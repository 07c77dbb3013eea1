import Internals
import NetworkConditions
import Testing

@testable import NetworkConditionsTesting
import URLLoading

/// Tests under the suite's network, except for those with their own trait.
@Suite(.network("EDGE", seed: 3)) struct NetworkTraitTests {
  private static let count = Mutex(0)
  private static let seen = Mutex<Set<Int>>([])
  /// A number that no other instance has.
  private let instance = NetworkTraitTests.count.withLock { count in
    count += 1
    return count
  }

  @Test func `a test without a trait of its own has the network of its suite`() {
    #expect(NetworkUnderTest.network.profile.name == "EDGE")
    #expect(NetworkUnderTest.network.seed == 3)
  }

  @Test(.network("3G", seed: 5)) func `a test's own trait replaces the trait of its suite`() {
    #expect(NetworkUnderTest.network.profile.name == "3G")
    #expect(NetworkUnderTest.network.seed == 5)
  }

  @Test(.network("flaky", seeds: 0..<20)) func `each run has a new instance of the suite`() async {
    await loadWhatComes()
    #expect(Self.seen.withLock { $0.insert(instance).inserted })
  }

  @Test(.network(.unlimited), arguments: 1...3)
  func `a test with arguments has its own network for each argument`(_ number: Int)
    async throws
  {
    NetworkUnderTest.network.stub("/", with: .text("\(number)"))
    let url = try #require(URL(string: "https://api.example.com/"))
    #expect(try await NetworkUnderTest.session.data(from: url).0 == Data("\(number)".utf8))
    #expect(NetworkUnderTest.network.timeline.transfers.count == 1)
  }

  @Test func `a sleep of an hour in a test takes an hour of virtual time`() async throws {
    let start = NetworkUnderTest.clock.now
    try await NetworkUnderTest.clock.sleep(for: .seconds(3600))
    #expect(NetworkUnderTest.clock.now == start.advanced(by: .seconds(3600)))
  }
}

struct NetworkUnderTestTests {
  @Test func `two network traits on one test are an issue, and the test does not run`() async throws {
    let traits: [NetworkTrait] = [.network("3G"), .network("tunnel")]
    let issues = try await recorded(traits[1], and: traits) { Issue.record("it ran") }
    // A suite's trait may stand behind an extension with its tests.
    #expect(try await recorded(traits[0], and: traits.reversed()) {}.isEmpty)
    #expect(issues.map(\.text) == ["A test runs over one network: keep one trait `.network(…)`."])
  }

  @Test func `without the network trait a test records an issue and its request fails`() async throws {
    let url = try #require(URL(string: "https://api.example.com/"))
    await withKnownIssue {
      await #expect(throws: (any Error).self) { try await NetworkUnderTest.network.data(for: URLRequest(url: url)) }
    } matching: { issue in
      issue.text.hasPrefix("There is no network under test here: add the trait `.network(\"3G\", seed: 42)`")
    }
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `a detached task of a captured client has the network of its run`() async throws {
    let issues = try await recorded(.network("3G", seed: 7)) {
      let seed = await Task.detached { NetworkUnderTest.network.seed }.value
      #expect(seed == 7)
    }
    #expect(issues.isEmpty)
  }

  @Test func `the error in a detached task advises reading the network in the test`() {
    let reason = NetworkUnderTest.reason(isInTest: false)
    #expect(reason.contains("`Task.detached`") && reason.contains("`let session = NetworkUnderTest.session`"))
    #expect(reason.hasSuffix("(netcond explain no-network-here)"))
  }

  @Test func `parallel tests each have their own network`() async throws {
    try await withThrowingTaskGroup(of: [Issue].self) { group in
      for number in 0..<8 as Range<UInt64> {
        group.addTask {
          try await recorded(.network("3G", seed: number)) {
            try await loadFiveFiles()
            #expect(NetworkUnderTest.network.seed == number)
            #expect(NetworkUnderTest.network.timeline.transfers.count == 5)
          }
        }
      }
      for try await issues in group { #expect(issues.isEmpty) }
    }
  }
}

#if os(Linux)
  /// Tests whose run is refused: each records one issue and is never called again, and later tests run.
  @Suite(.enabled(if: CaptureMode.obstacle == nil)) struct RefusedTraitTests {
    private static let url = URL(string: "https://api.example.com/feed")!

    /// Starts work that relies on an answer, and then makes a call that is refused.
    @Sendable private static func load(in session: URLSession) async throws {
      NetworkUnderTest.network.stub("/feed", with: .text("x").after(.seconds(5)))
      session.dataTask(with: url) { data, _, _ in print(data!.count) }.resume()
      async let data = mustLoad(in: session)
      try await NetworkUnderTest.clock.sleep(for: .seconds(1))
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/true")
      try process.run()
      try await NetworkUnderTest.clock.sleep(for: .seconds(1))
      print(await data)
    }

    private static func mustLoad(in session: URLSession) async -> Data {
      do { return try await session.data(from: url).0 } catch { fatalError("it threw \(error)") }
    }

    private static let traits: [NetworkTrait] = [
      .network("3G", seed: 1), .network("3G", seeds: 0..<9), .network("3G", everyFault: 1), .network("3G", clients: 3),
    ]

    @Test(arguments: traits)
    func `a test whose run is refused records one issue`(_ trait: NetworkTrait) async throws {
      let issues = try await recorded(trait) { try await Self.load(in: NetworkUnderTest.session) }
      #expect(issues.count == 1)
      #expect(issues.first?.text.contains("Another process (posix_spawn), at ") == true)
      #expect(issues.first?.text.contains("put an exit test into a test without a network") == true)
    }

    @Test func `the shared session is free again after a refused run`() async throws {
      let issues = try await recorded(.network("3G"), and: [SharedSessionTrait()]) { try await Self.load(in: .shared) }
      #expect(issues.count == 1)
      let next = try await recorded(.network("3G"), and: [SharedSessionTrait()]) {
        NetworkUnderTest.network.stub("/feed", with: .text("x"))
        let data = try await URLSession.shared.data(from: Self.url).0
        #expect(data.count == 1)
      }
      #expect(next.isEmpty)
    }
  }
#endif

struct LentFunctionTests {
  @Test func `a test function lent to simulations can be called several times`() async throws {
    let count = Mutex(0)
    try await LentFunction.lend({ count.withLock { $0 += 1 } }, of: "count()") { function in
      for _ in 0..<3 { try await function() }
    }
    #expect(count.withLock { $0 } == 3)
  }

  @Test func `the scope that lends a test function waits for calls that are still running`() async throws {
    let begun = Mutex(0)
    let ended = Mutex(0)
    let (stream, signal) = AsyncStream<Void>.makeStream()
    try await LentFunction.lend(
      {
        begun.withLock { $0 += 1 }
        for await _ in stream {}
        ended.withLock { $0 += 1 }
      }, of: "pay()", patience: .seconds(60)
    ) { function in
      for _ in 0..<3 { Task { try await function() } }
      while begun.withLock({ $0 }) < 3 { await Task.yield() }
      Task { signal.finish() }
    }
    #expect(ended.withLock { $0 } == 3)
  }

  @Test func `a lent test function throws a cancellation error after its scope has ended`() async throws {
    let kept = try await LentFunction.lend({}, of: "nothing()") { function in function }
    await #expect(throws: CancellationError.self) { try await kept() }
  }

  @Test func `a client that repeats its request for ever fails, and the test process goes on`() async throws {
    let url = try #require(URL(string: "https://x.example/"))
    let current = Mutex<SimulatedNetwork?>(nil)
    let error = await #expect(throws: SimulationError.self) {
      try await LentFunction.lend(
        {
          let network = try #require(current.withLock { $0 })
          while true { _ = try await network.data(from: url) }
        }, of: "load()", patience: .milliseconds(20)
      ) { function in
        _ = try await Simulation("3G", seed: 1, options: NetworkOptions(requestLimit: 50)) { network in
          network.stub("/", with: .status(503))
          current.withLock { $0 = network }
          try await function(over: network)
        }
      }
    }
    #expect(error?.description.contains("the limit is 50 requests. Give the client an end") == true)
  }
}
