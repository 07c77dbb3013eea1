import NetworkConditions
import Testing
import URLLoading

@Suite struct EveryRequestFaultTests {
  @Test(
    arguments: [
      .dnsFailure, .refused, .connectTimeout, .tlsFailure, .reset(after: .bytes(100)), .stall(after: .bytes(100)),
      .truncate(after: .bytes(100)), .corrupt(at: .bytes(10)), .slowClose(delay: .seconds(1)),
      .idleClose(after: .seconds(1)), .idleForget(after: .seconds(1)), .goAway, .resetStream(after: .bytes(100)),
      .drip(bytes: 1_000, pause: .seconds(1)), .status(code: 503), .shorten(to: .bytes(10)),
      .redirect(to: "https://portal.example/"), .delay(.seconds(5)),
    ] as [RequestFault])
  func `a fault that strikes a request counts as used and appears in the timeline`(fault: RequestFault) async throws {
    let scheduled = ScheduledFault.request(.get, "/one", fault)
    let run = try await Simulation(replaying: FaultSchedule("wifi", faults: [scheduled])) { network in
      network.stub("/one", with: .bytes(count: 5_000))
      _ = try? await network.session.data(from: url("https://shop.example/one"))
      _ = try? await network.session.data(from: url("https://shop.example/two"))
    }
    #expect(run.unusedFaults.isEmpty)
    #expect(run.timeline.events.contains { $0.kind == .fault(fault.description) })
  }
}
