import Internals
import LinkSimulator
import NetworkConditions
import Testing
import Thoroughness

@testable import FailureSearch
import URLLoading

struct FailureSearchTests {
  struct Short: Error, CustomStringConvertible {
    let count: Int
    var description: String { "only \(count) bytes" }
  }

  /// A client that fails if one of its three requests fails.
  private static let fragile: @Sendable (SimulatedNetwork) async throws -> Void = { network in
    network.stub("/files/*", with: .bytes(count: 20_000))
    for number in 0..<3 {
      let (data, _) = try await network.data(for: request("https://api.example.com/files/\(number)"))
      if data.count != 20_000 { throw Short(count: data.count) }
    }
  }

  @Test func `a search without failures reports its number of runs`() async throws {
    let report = try await FailureSearch("3G", seeds: 0..<20).run(Self.fragile)
    #expect(report.failures.isEmpty)
    #expect("\(report)" == #"No failure in 20 runs under "3G", seeds 0..<20; 0 of 20 met a fault."#)
  }

  @Test func `a search reports the same first failure with any number of workers`()
    async throws
  {
    var search = try FailureSearch("flaky", seeds: 0..<500)
    var texts = Set<String>()
    for workers in [1, 2, 5] {
      search.workers = .inProcess(workers)
      let report = try await search.run(Self.fragile)
      let failure = try #require(report.failures.first)
      guard case .shrunk(let shrunk) = failure.outcome else {
        Issue.record("\(failure)")
        return
      }
      #expect(shrunk.schedule.faults.count == 1)
      #expect(shrunk.failedReruns == 10 && shrunk.courses == 1)
      #expect(shrunk.reruns <= 500)
      texts.insert("\(report)")
    }
    #expect(texts.count == 1)
    #expect(texts.first?.contains("It takes 1 fault of the ") == true)
  }

  @Test func `a search for all failures groups seeds that fail in the same way`() async throws {
    let report = try await FailureSearch("flaky", seeds: 0..<150, until: .allFailures).run(Self.fragile)
    #expect(report.runs == 150)
    #expect(report.failures.count >= 2)
    #expect(Set(report.failures.map(\.fingerprint)).count == report.failures.count)
    #expect(report.failures.map(\.seedCount).reduce(0, +) > report.failures.count)
    // The printed report fits on one screen: the first failure, and one line for each other one.
    let text = "\(report)"
    #expect(Excerpt.height(of: text) <= Excerpt.screen, "\(text)")
    #expect(text.contains("Token:\n\(report.failures[0].token)"))
    #expect(text.contains("\n\nThe first of \(report.failures.count) failures. `failures` has each in whole:\n  "))
    #expect(text.contains(", seed \(report.failures[1].seed)"))
  }

  @Test func `an explanation gives the number of original faults only if shrinking removed some`() async throws {
    let report = try await FailureSearch("subway", seeds: 1..<2).run(Self.fragile)
    guard case .shrunk(let shrunk) = report.failures.first?.outcome else { throw Short(count: report.runs) }
    #expect(shrunk.originalFaults == 1)
    #expect(report.explanation.contains("packets vanish\n\nIt failed in "), "\(report.explanation)")
  }

  @Test func `a search tries each seed under each profile once`() async throws {
    var search = FailureSearch(.unlimited, seeds: 5..<7)
    search.profiles = ["near", "far", "farther"].map { NetworkProfile(name: $0) }
    let tried = Locked<[String]>([])
    let report = try await search.run { network in
      tried.withLock { $0.append("\(network.seed) \(network.profile.name)") }
    }
    #expect(report.failures.isEmpty)
    #expect(
      tried.value.sorted() == ["5 far", "5 farther", "5 near", "6 far", "6 farther", "6 near"])
  }

  @Test func `a printed failure with many requests fits a screen and leaves out the drawing`() async throws {
    struct Wordy: Error, DescribedFailure {
      let place: String? = nil
      let description = "the order is wrong"
      let details: String? = (0..<60).map { "line \($0)" }.joined(separator: "\n")
    }
    let report = try await FailureSearch("3G", seeds: 0..<1).run { network in
      network.stub("/a/*", with: .text("a"))
      for number in 0..<40 { _ = try? await network.data(for: request("https://api.example.com/a/\(number)")) }
      throw Wordy()
    }
    for text in ["\(report)", "\(report.failures[0])"] {
      #expect(Excerpt.height(of: text) <= Excerpt.screen, "\(text)")
      #expect(text.contains("line 6\n…\n") && !text.contains("GET /a/39"))
      #expect(text.contains("`timelineText` has the drawing") && text.contains("Token:\nnetcond1:"))
    }
  }

  /// A client that retries each failed request, and keeps the body of a response with status 200.
  private static func keepsWhatCame(_ framing: BodyFraming) -> @Sendable (SimulatedNetwork) async throws -> Void {
    { network in
      network.stub("/exports/*", with: .data(Data(count: 20_000)).framed(framing))
      var kept: [Int: Data] = [:]
      for attempt in 0..<30 where kept.count < 3 {
        do {
          let url = "http://api.example.com/exports/\(kept.count)"
          let (data, response) = try await network.data(for: request(url))
          if (response as? HTTPURLResponse)?.statusCode == 200 { kept[kept.count] = data }
        } catch {
          try await network.clock.sleep(for: .seconds(attempt))
        }
      }
      if let half = kept.values.first(where: { $0.count < 20_000 }) { throw Short(count: half.count) }
    }
  }

  @Test func `a search finds a cache that keeps half of a response that ends by closing the connection`()
    async throws
  {
    let search = try FailureSearch("flaky", seeds: 0..<200)
    for framing in [BodyFraming.length, .chunked] {
      let report = try await search.run(Self.keepsWhatCame(framing))
      #expect(report.failures.isEmpty, "\(report)")
    }
    let report = try await search.run(Self.keepsWhatCame(.untilClose))
    guard case .shrunk(let shrunk) = report.failures.first?.outcome else {
      Issue.record("\(report)")
      return
    }
    #expect(shrunk.schedule.faults.map(\.description).allSatisfy { $0.contains("cut off") }, "\(report)")
    #expect(shrunk.schedule.faults.count == 1 && shrunk.courses == 1)
  }

  @Test(arguments: ["flaky", "blackhole"])
  func `a failure without any fault is reported as such and not shrunk`(profile: String) async throws {
    let report = try await FailureSearch(profile, seeds: 5..<10).run { network in
      // Nothing passes through a black hole, and that is no fault.
      if profile == "blackhole" { _ = try await network.data(for: request("https://api.example.com/")) }
      throw Short(count: 0)
    }
    let failure = try #require(report.failures.first)
    guard case .withoutFault = failure.outcome else {
      Issue.record("\(failure)")
      return
    }
    let sentence = "It fails without any fault: look at the client, the test and the profile's steady conditions."
    #expect("\(report)".contains(sentence))
    #expect(!"\(report)".contains("@Test"))
  }

  @Test(arguments: Thoroughness.cases(2, of: 0..<5))
  func `an error that wraps a URLError is shrunk to one fault`(_ attempt: Int) async throws {
    enum Failure: Error { case network(any Error) }
    let report = try await FailureSearch("flaky", seeds: 0..<500).run { network in
      do {
        try await Self.fragile(network)
      } catch {
        throw Failure.network(error)
      }
    }
    let failure = try #require(report.failures.first)
    #expect(failure.schedule?.faults.count == 1, "\(failure)")
    #expect(failure.fingerprint.error.hasPrefix("Failure(network: URLError."))
  }

  @Test func `a client that waits for ever is a failure with the error deadlock`() async throws {
    let profile = NetworkProfile(name: "down", faults: [FaultRule(.refused)])
    var search = FailureSearch(profile, seeds: 0..<1)
    search.capture = .everything
    search.options.patience = .seconds(10)
    let report = try await search.run { network in
      network.stub("/", with: .text("x"))
      let answers = AsyncStream<Void>.makeStream()
      if (try? await network.data(for: request("https://api.example.com/"))) != nil { answers.continuation.finish() }
      for await _ in answers.stream {}
    }
    let failure = try #require(report.failures.first)
    #expect(failure.fingerprint.error == "deadlock")
    #expect(failure.schedule?.faults.count == 1)
  }

  @Test func `a client that retries beyond the time limit is reported as a run without an end`() async throws {
    var search = FailureSearch(NetworkProfile(name: "down", faults: [FaultRule(.refused)]), seeds: 0..<1)
    (search.options.timeLimit, search.rerunLimit) = (.seconds(60), 5)
    let report = try await search.run { network in
      network.stub("/", with: .text("never reached"))
      while (try? await network.data(for: request("https://api.example.com/"))) == nil {
        try await network.clock.sleep(for: .seconds(1))
      }
    }
    let failure = try #require(report.failures.first)
    #expect(failure.fingerprint.error == "a run without an end")
    #expect("\(report)".contains("the limit is 60.0 seconds. Open: 1 asleep on its clock, until 61"), "\(report)")
  }

  @Test
  func `a client that depends on earlier runs is not shrunk, and the report shows the first difference`() async throws {
    let runs = Mutex(0)
    let report = try await FailureSearch("3G", seeds: 0..<1).run { network in
      let run = runs.withLock { runs in
        runs += 1
        return runs
      }
      network.stub("/*", with: .text("x"))
      _ = try await network.data(for: request("https://api.example.com/?\(run)"))
      throw Short(count: 1)
    }
    guard case .notReproduced(let reason) = try #require(report.failures.first).outcome else {
      Issue.record("\(report)")
      return
    }
    #expect(reason.hasPrefix("two runs of seed 0 differ; first difference: event 0: "))
    #expect("\(report)".contains("Look for what outlives a run"))
  }

  @Test func `a failure that does not happen again is reported as having happened once`() async throws {
    let runs = Mutex(0)
    let report = try await FailureSearch("3G", seeds: 7..<8).run { _ in
      let isFirst = runs.withLock { runs in
        runs += 1
        return runs == 1
      }
      if isFirst { throw Short(count: 1) }
    }
    guard case .notReproduced(let reason) = try #require(report.failures.first).outcome else {
      Issue.record("\(report)")
      return
    }
    #expect(reason == #"seed 7 failed once, but gave "no failure" when it was run again"#)
  }

  @Test func `a failure that changes when it is run again is reported with its first error`() async throws {
    let runs = Mutex(0)
    let report = try await FailureSearch("3G", seeds: 7..<8).run { _ in
      let isFirst = runs.withLock { runs in
        runs += 1
        return runs == 1
      }
      if isFirst { throw URLError(.badURL) }
      throw URLError(.badServerResponse)
    }
    let failure = try #require(report.failures.first)
    #expect(failure.message.hasPrefix("URLError.badURL"), "\(failure.message)")
    guard case .notReproduced(let reason) = failure.outcome else {
      Issue.record("\(report)")
      return
    }
    #expect(reason.hasPrefix(#"seed 7 failed once, but gave "URLError.badServerResponse"#), "\(reason)")
  }

  @Test func `a search with impossible arguments is refused with one sentence that says why`() async throws {
    func error(_ search: FailureSearch) async -> String {
      do {
        _ = try await search.run { _ in }
        return ""
      } catch {
        return "\(error)"
      }
    }
    let end = "(netcond explain impossible-search)"
    #expect(
      await error(try FailureSearch("3G", seeds: 5..<5))
        == "Nothing can be searched: the range of seeds is empty: write for example 0..<200. \(end)")
    var nowhere = try FailureSearch("3G", seeds: 0..<5)
    nowhere.profiles = []
    #expect(
      await error(nowhere)
        == "Nothing can be searched: there is no profile: name one, for example \"tunnel\". \(end)")
    var nobody = try FailureSearch("3G", seeds: 0..<5)
    nobody.clients = 0
    #expect(await error(nobody) == "Nothing can be searched: 0 clients: at least 1 is needed. \(end)")
    #expect(throws: ProfileError.self) { try FailureSearch("tunel", seeds: 0..<5) }
  }

  @Test func `a search inside a simulation is refused`() async throws {
    await #expect(throws: SimulationFailure.self) {
      try await Simulation("3G") { _ in _ = try await FailureSearch("3G", seeds: 0..<2).run { _ in } }
    }
  }

  /// Evenly spread starts would give about 54: tunnel and portal last a quarter of each minute.
  @Test func `under the tunnel profile 150 of 200 seeds meet a fault even with a short request`()
    async throws
  {
    let report = try await FailureSearch("tunnel", seeds: 0..<200).run { network in
      network.stub("/", with: .bytes(count: 20_000))
      _ = try? await network.data(for: request("https://api.example.com/"))
    }
    #expect(report.runsWithFaults == 150)
    #expect("\(report)" == #"No failure in 200 runs under "tunnel", seeds 0..<200; 150 of 200 met a fault."#)
  }

  @Test func `each seed starts at another moment of the profile unless startsAnywhere is off`()
    async throws
  {
    func phases(startsAnywhere: Bool) async throws -> Set<String> {
      let seen = Mutex(Set<String>())
      var search = try FailureSearch("tunnel", seeds: 0..<40)
      search.startsAnywhere = startsAnywhere
      _ = try await search.run { network in
        for event in network.timeline.events {
          if case .phaseEntered(let name) = event.kind { seen.withLock { _ = $0.insert(name) } }
        }
      }
      return seen.withLock { $0 }
    }
    #expect(try await phases(startsAnywhere: true) == ["open track", "portal", "tunnel"])
    #expect(try await phases(startsAnywhere: false) == ["open track"])
  }

  @Test func `the drawn start of each seed lies within the profile's phases`() throws {
    let tunnel = try NetworkProfile.named("tunnel")
    let length = try #require(tunnel.schedule.period)
    let starts = (0..<500).map { tunnel.drawnStart($0).wholeNanoseconds }
    #expect(starts.allSatisfy { (0..<length).contains($0) })
    #expect(Set(starts).count > 400)
  }

  @Test func `a search under a profile with a start phase begins every seed in that phase`() async throws {
    let begun = Mutex(Set<String>())
    let report = try await FailureSearch("tunnel@portal", seeds: 0..<20).run { network in
      begun.withLock { _ = $0.insert(network.profile.phases[0].name) }
      throw URLError(.unknown)
    }
    #expect(begun.withLock { $0 } == ["portal"])
    #expect(report.failures[0].profile == "tunnel@portal")
  }

  @Test func `a recorded run that starts in an unnamed phase replays with the same events`() async throws {
    let phases = [0, 100, 200].map { delay in
      NetworkProfile.Phase(
        for: .seconds(10), conditions: PathConditions(down: LinkConditions(delay: .milliseconds(delay))))
    }
    let profile = NetworkProfile(name: "nameless", phases: phases, repeats: true)
    let runner = SearchRunner(
      profiles: [profile], prepare: { $0.stub("/x", with: .bytes(count: 10)) },
      body: { _ = try await $0.data(for: URLRequest(url: URL(string: "http://api.example.com/x")!)) },
      transport: nil, capture: .everything, options: NetworkOptions(), clients: 1, startsAnywhere: true)
    let course = try await runner.run(ReplayToken(profile, seed: 1, start: .seconds(15)), isRecorded: true)
    let schedule = try #require(course.schedule)
    #expect(schedule.faults.map(\.kind) == [.phase("1", from: .zero, for: .seconds(5))])
    #expect(try await runner.run(ReplayToken(schedule)).firstDifference(from: course) == nil)
  }
}

private func request(_ url: String) -> URLRequest {
  URLRequest(url: URL(string: url) ?? URL(fileURLWithPath: "/"))
}
