import Dispatch
import Foundation
import Internals
import NetworkConditions
import Testing
import Thoroughness
import URLLoading

@testable import FailureSearch

/// Searches with clients that never return: each is a failure like any other.
///
/// They run one at a time, because such a client uses much memory before it reaches its limit.
@Suite(.serialized) struct EndlessClientTests {
  private static let stub: @Sendable (SimulatedNetwork) async throws -> Void = {
    $0.stub("/feed", with: .json("[1,2,3]"))
  }

  private static func load(_ network: SimulatedNetwork, bySession: Bool = false) async throws -> Bool {
    let url = try #require(URL(string: "https://api.notes.test/feed"))
    let request = URLRequest(url: url, timeoutInterval: 20)
    if bySession { return (try? await network.session.data(for: request)) != nil }
    return (try? await network.data(for: request)) != nil
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `a client whose continuation is never resumed fails and is shrunk to one fault`()
    async throws
  {
    var search = try FailureSearch("flaky", seeds: 0..<400)
    search.prepare = Self.stub
    let report = try await search.run { network in
      if try await Self.load(network) { return }
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    let failure = try #require(report.failures.first)
    #expect(failure.fingerprint.isHang)
    #expect(failure.message.contains("of virtual time, and the closure has not returned"))
    #expect(failure.schedule?.faults.count == 1, "\(failure)")
    // A run that hangs takes long, so only two confirm it.
    if case .shrunk(let shrunk) = failure.outcome { #expect(shrunk.confirmingReruns == 2) }
    #expect("\(failure.token)".hasPrefix("netcond1:"))
    #expect("\(report)".contains("under \"flaky\", seed \(failure.seed)"))
  }

  @Test func `a client that retries for ever without waiting fails under the offline seed`() async throws {
    var search = try FailureSearch("3G", seeds: 0..<4)
    (search.prepare, search.options.requestLimit) = (Self.stub, 200)
    let report = try await search.run { network in
      if network.seed == 2 { network.goOffline() }
      while true { if try await Self.load(network) { return } }
    }
    let failure = try #require(report.failures.first)
    #expect(failure.seed == 2)
    #expect(failure.fingerprint.isEndless)
    #expect(failure.message.contains("requests"))
    // The report says once how to repeat the run.
    #expect(!failure.message.contains("It ran") && !failure.message.contains("netcond1:"), "\(failure.message)")
  }

  // A session's cancelled requests are not counted, so that such a loop ends only after 300,000 jobs.
  @Test(arguments: Thoroughness.isWhole ? [false, true] : [false])
  func `an exploration finds a client that retries for ever after its cancellation`(bySession: Bool)
    async throws
  {
    var exploration = try FailureSearch.everyFault(upTo: 1, under: "3G")
    (exploration.timeLimit, exploration.faults.kinds) = (nil, [.status, .cancel, .refused])
    exploration.options.requestLimit = 200
    exploration.prepare = Self.stub
    let report = try await exploration.run { network in
      while true { if try await Self.load(network, bySession: bySession) { return } }
    }
    // After its cancellation the client retries at once, and fails as cancelled at once.
    let failure = try #require(report.failures.first)
    #expect(report.failures.count == 1)
    #expect(failure.example.first?.contains("cancelled") == true, "\(failure.example)")
    #expect(failure.token.hasPrefix("netcond1:"))
  }

  @Test func `a run in which nothing moved is made again, and the second run decides`() async throws {
    let isOver = DispatchSemaphore(value: 0)
    defer { isOver.signal() }
    var search = try FailureSearch("3G", seeds: 0..<9, until: .allFailures)
    (search.options.patience, search.workers, search.capture) = (.milliseconds(300), 1, .nothing)
    let runs = Locked(0)
    let report = try await search.run { network in
      guard network.seed == 5 else { return }
      let isFirst = runs.withLock { runs in
        runs += 1
        return runs == 1
      }
      if isFirst { hold(until: isOver) }
    }
    #expect(report.failures.isEmpty && report.runs == 9 && runs.value == 2)
  }

  @Test func `a client that blocks its thread for ever fails with seed and token and is not shrunk`()
    async throws
  {
    let isOver = DispatchSemaphore(value: 0)
    // The run is made twice.
    defer { for _ in 0..<2 { isOver.signal() } }
    var search = try FailureSearch("3G", seeds: 0..<9, until: .allFailures)
    (search.options.patience, search.workers, search.capture) = (.milliseconds(300), 1, .nothing)
    let report = try await search.run { network in
      if network.seed == 5 { hold(until: isOver) }
    }
    let failure = try #require(report.failures.first)
    #expect(report.failures.count == 1)
    #expect(failure.seed == 5)
    // The seeds after it were not run.
    #expect(report.runs == 6)
    #expect(failure.message.contains("Nothing has moved for 0.3 seconds of real time"))
    #expect("\(failure)".contains("It was not cut down: its client may still be running"))
    #expect("\(failure.token)".hasPrefix("netcond1:"))
  }

  // With stalls, the first runs look for the client's waits.
  @Test(arguments: [[.status], [.status, .stall]] as [Set<FaultKinds.Kind>])
  func `an exploration ends with the first client that blocks its thread for ever`(kinds: Set<FaultKinds.Kind>)
    async throws
  {
    let isOver = DispatchSemaphore(value: 0)
    // The run is made twice.
    defer { for _ in 0..<2 { isOver.signal() } }
    var exploration = try FailureSearch.everyFault(upTo: 1, of: kinds, under: "3G")
    (exploration.options.patience, exploration.workers, exploration.capture) = (.milliseconds(300), 1, .nothing)
    exploration.prepare = Self.stub
    let report = try await exploration.run { network in
      let url = try #require(URL(string: "https://api.notes.test/feed"))
      let (_, response) = try await network.data(for: URLRequest(url: url, timeoutInterval: 20))
      if (response as? HTTPURLResponse)?.statusCode == 503 { hold(until: isOver) }
    }
    let failure = try #require(report.failures.first)
    #expect(report.isPartial && report.failures.map(\.points) == [1])
    #expect(failure.text.contains("It was not cut down: its client may still be running"), "\(failure.text)")
  }
}

/// Blocks a thread like a busy loop, but without processor time.
private func hold(until isOver: DispatchSemaphore) { isOver.wait() }
