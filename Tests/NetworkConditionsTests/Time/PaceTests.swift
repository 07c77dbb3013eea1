import Foundation
import LinkSimulator
import Testing

@testable import NetworkConditions

struct PaceTests {
  @Test(arguments: [Double.nan, .infinity, 0, -1, 1e-7, 1e7])
  func `with an invalid pace every request fails with the reason`(_ factor: Double) async {
    let network = SimulatedNetwork("wifi", pace: .scaled(factor))
    network.stub("/**", with: .text("x"))
    let error = await #expect(throws: NetworkSetupError.self) {
      try await network.data(from: url("https://api.example.com/"))
    }
    #expect(error?.localizedDescription.contains("is not a pace: write a factor from 0.000001 to 1000000") == true)
  }

  @Test func `the slowest and the fastest pace are usable`() {
    for factor in [1e-6, 1, 1e6] { #expect(Pace.scaled(factor).problem == nil) }
  }

  @Test func `a scaled clock stops at the end of simulated time`() {
    let clock = ClockTime(factor: 1e6)
    #expect(clock.instant(after: 1_000) == SimulatedInstant(nanoseconds: 1_000_000_000))
    #expect(clock.instant(after: 3 * 3600 * 1_000_000_000) == .endOfTime)
  }

  @Test func `extreme delays and rates end in a URLError instead of a trap`() async throws {
    let longest = Duration.seconds(Int64.max) + .seconds(Int64.max)
    let direction = LinkConditions(
      rate: Bandwidth(bitsPerSecond: 1), delay: longest, jitter: Jitter(.pareto, spread: longest))
    let slow = NetworkProfile(
      name: "slow", down: direction, up: direction, dnsDelay: longest,
      faults: [FaultRule(.slowClose(delay: longest)), FaultRule(.stall(after: .zero, duration: longest))])
    let late = NetworkProfile(
      name: "late",
      faults: [FaultRule(.delay(longest)), FaultRule(.delay(longest)), FaultRule(.slowClose(delay: longest))])
    let courses: [(NetworkProfile, String, URLError.Code)] = [
      (slow, "http://api.example.com/", .dnsLookupFailed), (slow, "http://127.0.0.1/", .timedOut),
      (late, "http://127.0.0.1/", .timedOut),
    ]
    for (profile, text, code) in courses {
      let run = try await Simulation(profile, seed: 1) { network in
        network.stub("/**", with: .text("x").after(longest).after(longest))
        let error = await #expect(throws: URLError.self) { try await network.data(from: url(text)) }
        return error?.code
      }
      #expect(run.value == code)
    }
  }

  @Test func `a network works until the end of simulated time, and a sleep beyond it fails`() async throws {
    let simulation = try SteppedSimulation("3G", seed: 1)
    simulation.network.stub("/**", with: .bytes(count: 20_000))
    let last = SimulatedInstant.endOfTime.advanced(by: .seconds(-3600))
    try await simulation.advance(until: .instant(last))
    let job = simulation.run { try await $0.session.data(from: url("https://api.example.com/")).0.count }
    #expect(try await job.value() == 20_000)
    try await simulation.advance(by: .seconds(Int64.max))
    #expect(simulation.network.now == .endOfTime)
    let sleeper = simulation.run { try await $0.clock.sleep(for: .seconds(Int64.max)) }
    await #expect(throws: SimulationError.self) { try await sleeper.value() }
  }
}
