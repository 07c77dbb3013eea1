import Foundation
import Internals
import NetworkConditions
import Testing
import URLLoading

@testable import FailureSearch

/// Clients that break just after one of their own waits: faults of the usual lengths do not find them.
struct WaitLengthsTests {
  private struct Broken: Error {
    let what: String
  }

  private typealias Client = @Sendable (SimulatedNetwork) async throws -> Void

  private static func request(_ path: String, timeout: TimeInterval = 60) -> URLRequest {
    URLRequest(url: URL(string: "https://api.notes.test\(path)")!, timeoutInterval: timeout)
  }

  private static func explore(
    _ kinds: Set<FaultKinds.Kind>, _ client: @escaping Client
  ) async throws -> ExplorationReport {
    var exploration = try FailureSearch.everyFault(upTo: 1, of: kinds, under: "3G")
    exploration.scenario = "planted"
    exploration.prepare = { network in
      network.stub("/orders", with: .json("[1]"))
      network.stub("/token", with: .json("[1]"))
    }
    return try await exploration.run(client)
  }

  /// Sends a second request after 10 s without cancelling the first: the order is placed twice.
  private static let late: Client = { network in
    let placed = Placed()
    func order() async throws {
      _ = try await network.data(for: request("/orders"))
      placed.note()
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await order() }
      group.addTask {
        try await network.clock.sleep(for: .seconds(10))
        if placed.count == 0 { try await order() }
      }
      while true {
        do { if try await group.next() == nil { break } } catch is URLError {}
      }
    }
    if placed.count > 1 { throw Broken(what: "\(placed.count) orders") }
  }

  private final class Placed: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func note() { number.withLock { $0 += 1 } }
  }

  @Test func `lengths are chosen just before, just after and well after the longest waits that differ`() {
    func milliseconds(_ counts: Int...) -> [Duration] { counts.map { .milliseconds($0) } }
    let lengths = WaitLengths(
      Set(milliseconds(9, 10, 1_000, 1_200, 1_500, 4_000, 10_000)), beyond: [.seconds(20)], below: .seconds(10))
    // 1.5 s are 1.25 times 1.2 s, but 1.2 s are not 1.25 times 1 s; 9 ms are too short, and 10 s too long.
    #expect(lengths.waits == milliseconds(10, 1_200, 1_500, 4_000) && !lengths.hasMore)
    #expect(lengths.edges == milliseconds(9, 11, 1_199, 1_201, 1_499, 1_501, 3_999, 4_001))
    let longer = milliseconds(15, 1_800, 2_250, 6_000)
    #expect(lengths.all == Array(Set(lengths.edges + longer + [.seconds(20)])).sorted())
    let doubling = milliseconds(10, 20, 40, 80, 160, 320, 640)
    let longest = WaitLengths(Set(doubling), beyond: [], below: .seconds(10))
    #expect(longest.waits == Array(doubling.dropFirst()) && longest.hasMore)
    #expect(!WaitLengths(Set(doubling.dropFirst()), beyond: [], below: .seconds(10)).hasMore)
  }

  @Test func `an exploration finds a client that trusts a token for too long, though it shows no wait`() async throws {
    let report = try await Self.explore([.delay]) { network in
      let asked = network.clock.now
      _ = try? await network.data(for: Self.request("/token"))
      let age = asked.duration(to: network.clock.now)
      if age > .seconds(20), age < .seconds(35) { throw Broken(what: "an expired token") }
    }
    #expect(report.waits.isEmpty)
    let failure = try #require(report.failures.first, "\(report)")
    #expect(failure.example.first?.contains("30 s late") == true, "\(failure.example)")
  }

  @Test func `an exploration finds a client whose late first request arrives after its retry`() async throws {
    let report = try await Self.explore([.delay], Self.late)
    #expect(report.waits.contains(10_000_000_000))
    let failure = try #require(report.failures.first, "\(report)")
    // The answer to such a late request arrives while the second request is in progress.
    #expect(failure.example.first?.contains("9.999 s late") == true, "\(failure.example)")
    #expect(report.summary.contains("of the client's waits (10 s)"), "\(report.summary)")
  }

  @Test(arguments: [-50..<0, 0..<50])
  func `an exploration finds a client that breaks when an answer arrives just before or just after its timer`(
    window: Range<Int64>
  ) async throws {
    let report = try await Self.explore([.delay]) { network in
      let start = network.clock.now
      async let timer: Void = network.clock.sleep(for: .seconds(10))
      _ = try? await network.data(for: Self.request("/orders"))
      let late = start.advanced(by: .seconds(10)).duration(to: network.clock.now)
      try await timer
      if window.contains(late.wholeNanoseconds / 1_000_000) { throw Broken(what: "an answer after a timer") }
    }
    #expect(report.failures.first?.points == 1, "\(report)")
    #expect(report.summary.contains("let each answer arrive just before"), "\(report.summary)")
  }

  @Test func `an exploration finds a back-off that overflows only after ten minutes of outage`() async throws {
    let report = try await Self.explore([.outage]) { network in
      var wait: Int64 = 1
      while true {
        do {
          _ = try await network.data(for: Self.request("/orders", timeout: 5))
          return
        } catch is URLError {
          // An eleventh time does not fit into ten bits.
          if wait > 512 { throw Broken(what: "a wait of \(wait) s") }
          try await network.clock.sleep(for: .seconds(wait))
          wait *= 2
        }
      }
    }
    let failure = try #require(report.failures.first, "\(report)")
    // The longest faults are twice as long each time: ten minutes, and twenty.
    let longest = Set(report.lengths.compactMap(\.nanoseconds).filter { $0 >= 600_000_000_000 })
    #expect(failure.points > 0 && longest.isSuperset(of: [600_000_000_000, 1_200_000_000_000]))
  }

  @Test func `an exploration finds a client that uses up its attempts while the device is offline`() async throws {
    let client: @Sendable (SimulatedNetwork) async throws -> Void = { network in
      for attempt in 1...3 {
        do {
          _ = try await network.data(for: Self.request("/orders", timeout: 20))
          return
        } catch let error as URLError where attempt < 3 || error.code != .notConnectedToInternet {
          try await network.clock.sleep(for: .seconds(1))
        }
      }
    }
    // Dropped packets time out, so three attempts take a minute. Offline they are over after two seconds.
    #expect(try await Self.explore([.outage], client).failures.isEmpty)
    let report = try await Self.explore([.offline], client)
    let failure = try #require(report.failures.first, "\(report)")
    #expect(failure.example.first?.contains("the system knows it") == true, "\(failure.example)")
  }

  @Test func `an exploration finds a client whose first retry comes through after a short time offline`() async throws {
    let report = try await Self.explore([.offline]) { network in
      let arrivals = Mutex<[SimulatedInstant]>([])
      network.stub(.post, "/pay") { _ in
        arrivals.withLock { $0.append(network.clock.now) }
        return .status(201).after(.seconds(6))
      }
      var request = Self.request("/pay")
      request.httpMethod = "POST"
      for attempt in 0..<4 {
        do {
          _ = try await network.data(for: request)
          break
        } catch is URLError { try await network.clock.sleep(for: .seconds(1 << attempt)) }
      }
      // The server still works on the first request: only an outage shorter than the first wait lets the second arrive then.
      let times = arrivals.withLock { $0 }
      if times.count > 1, times[0].duration(to: times[1]) < .seconds(6) { throw Broken(what: "paid twice") }
    }
    let failure = try #require(report.failures.first, "\(report)")
    #expect(failure.example.first?.contains("for 999 ms") == true, "\(failure.example)")
  }

  @Test func `an exploration finds a circuit breaker that counts its own probe as a failure`() async throws {
    let report = try await Self.explore([.outage]) { network in
      // The breaker is open for 20 s after two failures; a probe during another probe keeps it open for ever.
      var failures = 0
      for _ in 0..<40 {
        if failures >= 2 {
          try await network.clock.sleep(for: .seconds(20))
          failures += 1
          if failures > 4 { throw Broken(what: "open for ever") }
        }
        do {
          _ = try await network.data(for: Self.request("/orders", timeout: 5))
          return
        } catch is URLError { failures += 1 }
      }
    }
    #expect(!report.failures.isEmpty && report.waits.contains(20_000_000_000), "\(report)")
  }

  @Test func `an exploration finds a client that uses a token that expired while a response was late`() async throws {
    let report = try await Self.explore([.delay, .outage]) { network in
      _ = try await network.data(for: Self.request("/token"))
      let expiry = network.clock.now.advanced(by: .seconds(300))
      while true {
        do {
          _ = try await network.data(for: Self.request("/orders", timeout: 30))
          break
        } catch is URLError { try await network.clock.sleep(for: .seconds(5)) }
      }
      if network.clock.now > expiry { throw Broken(what: "a request with a token that has expired") }
    }
    #expect(!report.failures.isEmpty, "\(report)")
  }

  @Test func `an exploration finds no failure in a client that retries correctly`() async throws {
    let report = try await Self.explore([.delay, .stall, .outage]) { network in
      for attempt in 0..<4 {
        do {
          _ = try await network.data(for: Self.request("/orders", timeout: 20))
          return
        } catch is URLError { try await network.clock.sleep(for: .seconds(1 << attempt)) }
      }
    }
    #expect(report.failures.isEmpty, "\(report)")
    #expect(report.headline.hasPrefix("No fault that was tried breaks planted"))
  }

  @Test func `an exploration whose longest fault length is zero ends`() async throws {
    var exploration = try FailureSearch.everyFault(upTo: 1, of: [.outage], under: "3G")
    exploration.faults.age = .zero
    exploration.prepare = { $0.stub("/orders", with: .json("[1]")) }
    let report = try await exploration.run { network in
      try await network.clock.sleep(for: .seconds(1))
      _ = try? await network.data(for: Self.request("/orders"))
    }
    #expect(report.failures.isEmpty)
  }

  @Test func `the tested lengths come from the client's longest waits, and similar waits count once`() {
    let seen: Set<Duration> = [
      .milliseconds(5), .milliseconds(100), .seconds(1), .milliseconds(1_100), .seconds(2), .seconds(4), .seconds(8),
      .seconds(16),
      .seconds(32), .seconds(7_200),
    ]
    let lengths = WaitLengths(seen, beyond: [], below: .seconds(3_600))
    #expect(lengths.waits == [.milliseconds(1_100), .seconds(2), .seconds(4), .seconds(8), .seconds(16), .seconds(32)])
    #expect(lengths.hasMore)
    let one = WaitLengths([.seconds(10)], beyond: [.seconds(1_200)], below: .seconds(3_600))
    #expect(one.all == [.milliseconds(9_999), .milliseconds(10_001), .seconds(15), .seconds(1_200)] && !one.hasMore)
    #expect(one.edges == [.milliseconds(9_999), .milliseconds(10_001)])
  }
}
