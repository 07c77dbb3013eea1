import Testing
import URLLoading

@testable import NetworkConditions

/// Rules for every fault of a request; a new one needs an example here.
struct FaultConformanceTests {
  static let examples: [RequestFault] = [
    .dnsFailure, .refused, .connectTimeout, .tlsFailure, .reset(after: .bytes(100)), .stall(after: .bytes(100)),
    .truncate(after: .bytes(100)), .corrupt(at: .bytes(10)), .slowClose(delay: .seconds(1)),
    .idleClose(after: .seconds(1)), .idleForget(after: .seconds(1)), .goAway, .resetStream(after: .bytes(100)),
    .drip(bytes: 1_000, pause: .seconds(1)), .status(code: 503), .shorten(to: .bytes(10)),
    .redirect(to: "https://portal.example/"), .stale, .delay(.seconds(5)),
  ]

  @Test func `every fault has an example, and each key and description is unique`() {
    let keys = FaultFormat.kinds.map { $0.key }
    #expect(Set(Self.examples.map { type(of: $0.value).key }) == Set(keys))
    #expect(Set(keys).count == keys.count)
    let words = Self.examples.map(\.description)
    #expect(Set(words).count == words.count && words.allSatisfy { !$0.isEmpty && !$0.contains("\n") })
  }

  @Test(arguments: examples)
  func `a fault that strikes a request counts as used and appears in the timeline`(fault: RequestFault) async throws {
    let schedule = try FaultSchedule("wifi", faults: [.request(.get, "/one", nth: fault == .stale ? 2 : 1, fault)])
    let run = try await Self.run(schedule)
    #expect(run.unusedFaults.isEmpty)
    #expect(run.timeline.events.contains { $0.kind == .fault(fault.description) })
    #expect(run.timeline.transfers.count >= 2 && run.timeline.transfers.allSatisfy { $0.ended != nil })
    #expect(try await Self.run(FaultSchedule("wifi")).timeline != run.timeline)
    // Without capture the URL loading system follows a redirect in real time, and a busy machine delays it.
    guard CaptureMode.obstacle == nil else { return }
    #expect(try await Self.run(schedule).timeline == run.timeline)
  }

  private static func run(_ schedule: FaultSchedule) async throws -> Simulation<Void> {
    try await Simulation(replaying: schedule) { network in
      network.stub("/one", with: .bytes(count: 5_000).header("Cache-Control", "max-age=60"))
      network.stub("/two", with: .error(.resourceUnavailable))
      _ = try? await network.session.data(from: url("https://shop.example/one"))
      _ = try? await network.session.data(from: url("https://shop.example/two"))
      _ = try? await network.session.data(from: url("https://shop.example/one"))
    }
  }

  @Test(arguments: examples)
  func `a fault survives a profile, a schedule and a token`(fault: RequestFault) throws {
    let rule = FaultRule(fault, match: RequestMatch(nth: 3), probability: .percent(2))
    #expect("\(rule)" == "\(fault) (2 %)" && "\(FaultRule(fault))" == "\(fault)")
    let profile = NetworkProfile(name: "p", faults: [rule])
    #expect(try NetworkProfile(json: Data(profile.formatText.utf8)) == profile)
    let schedule = try FaultSchedule("wifi", faults: [.request(.get, "/one", fault)])
    #expect(try FaultSchedule(json: Data(schedule.formatText.utf8)) == schedule)
    #expect(try ReplayToken(ReplayToken(schedule).description).content == .schedule(schedule))
  }

  @Test(arguments: examples)
  func `weaker and rounder faults are valid, and no fault can be weakened for ever`(fault: RequestFault) {
    #expect(fault.value.problem == nil)
    var weaker: Set = [fault]
    for _ in 0..<64 where !weaker.isEmpty {
      #expect(weaker.allSatisfy { !$0.weaker.contains($0) && $0.value.problem == nil })
      #expect(weaker.allSatisfy { $0.rounder.allSatisfy { $0.value.problem == nil } })
      weaker = Set(weaker.flatMap(\.weaker))
    }
    #expect(weaker.isEmpty)
  }
}
