import Foundation
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

  @Test func `a timeline has at least the last 1,000 and at most the last 2,000 changes of the profile`() {
    let network = SimulatedNetwork("3G", seed: 1, pace: .immediate)
    for _ in 0..<1_500 { network.use(.unlimited) }
    #expect(network.timeline.conditions.count == 1_501)
    for _ in 0..<1_000 { network.use(.unlimited) }
    #expect(network.timeline.conditions.count == 1_501)
  }
}
