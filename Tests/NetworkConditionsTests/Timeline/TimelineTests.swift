import Foundation
import LinkSimulator
import Testing

@testable import NetworkConditions

struct TimelineTests {
  @Test func `a printed timeline counts one transfer in the singular`() async throws {
    let network = SimulatedNetwork("3G", seed: 1, pace: .immediate)
    network.stub("/", with: .text("a"))
    #expect("\(network.timeline)".hasPrefix("profile 3G, seed 1, 0 transfers until "))
    _ = try await network.data(from: try #require(URL(string: "https://x.example/")))
    #expect("\(network.timeline)".hasPrefix("profile 3G, seed 1, 1 transfer until "))
  }

  @Test func `a run's details hold the first 1,000 lengths of waits`() {
    var details = RunDetails()
    for length in 0...1_000 { details.noteWait(.seconds(length)) }
    let first: [Duration] = (0..<1_000).map { .seconds($0) }
    #expect(details.waits == Set(first))
  }

  @Test func `a transfer's summary says how long it took`() async throws {
    let link = LinkConditions(delay: .milliseconds(50))
    let run = try await Simulation(NetworkProfile(name: "far", down: link, up: link)) { network in
      network.stub("/", with: .text("a"))
      _ = try await network.data(from: url("http://10.0.0.1/"))
    }
    let summary = try #require(run.timeline.transfers.first).summary
    #expect(summary.contains(" http://10.0.0.1/ 200 finished after 0.2"), "\(summary)")
  }

  @Test func `a timeline has at least the last 1,000 and at most the last 2,000 changes of the profile`() {
    let network = SimulatedNetwork("3G", seed: 1, pace: .immediate)
    for _ in 0..<1_500 { network.use(.unlimited) }
    #expect(network.timeline.conditions.count == 1_501)
    for _ in 0..<1_000 { network.use(.unlimited) }
    #expect(network.timeline.conditions.count == 1_501)
  }
}
