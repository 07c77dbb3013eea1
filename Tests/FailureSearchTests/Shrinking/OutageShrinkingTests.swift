import LinkSimulator
import NetworkConditions
import Testing
import Thoroughness

@testable import FailureSearch
import URLLoading

/// Clients that one or two outages break anywhere in a window, under seeds that draw many outages.
struct OutageShrinkingTests {
  struct Broken: Error {}

  /// A network with an outage of 2.4 s in every 6 s.
  private static let choppy = NetworkProfile(
    name: "choppy",
    phases: [
      NetworkProfile.Phase("on", for: .milliseconds(3600), conditions: PathConditions()),
      NetworkProfile.Phase("out", for: .milliseconds(2400), conditions: PathConditions(outage: .drop)),
    ], repeats: true)

  /// A client that sends a request each second, and the outcome of each.
  private static func poll(_ network: SimulatedNetwork, count: Int = 24) async throws -> [Bool] {
    network.stub("/poll", with: .text("ok"))
    var answers: [Bool] = []
    let start = network.clock.now
    for number in 0..<count {
      let url = URL(string: "https://api.example.com/poll") ?? URL(fileURLWithPath: "/")
      let answer = try? await network.data(for: URLRequest(url: url, timeoutInterval: 0.9))
      answers.append(answer != nil)
      try await network.clock.sleep(until: start.advanced(by: .seconds(number + 1)), tolerance: nil)
    }
    return answers
  }

  enum Client: CaseIterable, Sendable {
    /// Breaks when any five requests fail.
    case fiveFailures
    /// The same, but the first requests must have been answered.
    case fiveFailuresAfterGreeting
    /// The same, but fails with another error when eight requests fail.
    case fiveFailuresNotEight
    /// Breaks when no response arrives for two seconds in the middle.
    case gapInTheMiddle
    /// Breaks when the network is lost and found again twice.
    case twoGaps

    /// The smallest number of outages that break the client.
    var outages: Int { self == .twoGaps ? 2 : 1 }

    func isBroken(by answers: [Bool]) -> Bool {
      let failures = answers.count { !$0 }
      let gaps = zip(answers, answers.dropFirst()).count { $0 && !$1 }
      return switch self {
      case .fiveFailures: failures >= 5
      case .fiveFailuresAfterGreeting: answers.prefix(2).allSatisfy { $0 } && failures >= 5
      case .fiveFailuresNotEight: (5..<8).contains(failures)
      case .gapInTheMiddle: answers[9..<16].split(separator: true).contains { $0.count >= 2 }
      case .twoGaps: gaps >= 2 && failures >= 4 && answers.last == true
      }
    }
  }

  @Test(arguments: Thoroughness.cases(1, of: Client.allCases))
  func `shrinking removes every outage that the failure does not need`(_ client: Client) async throws {
    let body: @Sendable (SimulatedNetwork) async throws -> Void = { network in
      if client.isBroken(by: try await Self.poll(network)) { throw Broken() }
    }
    let report = try await FailureSearch(Self.choppy, seeds: 0..<50).run(body)
    guard case .shrunk(let shrunk) = try #require(report.failures.first).outcome else {
      Issue.record("\(report)")
      return
    }
    #expect(shrunk.originalFaults >= 4)
    #expect(shrunk.schedule.faults.count == client.outages, "\(shrunk.schedule)")
    #expect(shrunk.isComplete && shrunk.failedReruns == 10 && shrunk.reruns < 500, "\(shrunk.reruns)")
    // Removing any of these outages removes the failure.
    for index in shrunk.schedule.faults.indices {
      var fewer = shrunk.schedule
      fewer.faults.remove(at: index)
      _ = try await Simulation(replaying: fewer, body)
    }
  }
}
