import Foundation
import RetryPolicies
import Testing
import Thoroughness

extension RetryPoliciesTests {
  struct ContentionTests {
    /// Base 5 ms and cap 2 s; the article counts the first failure before it waits, so the first wait is 10 ms.
    private static let curve = ExponentialCurve(base: .milliseconds(10), cap: .seconds(2))
    private static let policies: [(name: String, policy: any RetryPolicy)] = [
      ("none", ImmediateRetry()),
      ("expo", ExponentialBackoff(curve: curve)),
      ("equal", EqualJitterBackoff(curve: curve)),
      ("full", FullJitterBackoff(curve: curve)),
      ("decorrelated", DecorrelatedJitterBackoff(base: .milliseconds(5), cap: .seconds(2))),
    ]
    /// The means of at least 30 trials of an independent implementation of the article's simulator:
    /// completion time in milliseconds and calls, in the order of the policies.
    private static let reference: [(clients: Int, cells: [(time: Double, calls: Double)])] = [
      (10, [(377, 50.4), (3590, 51.0), (734, 43.0), (458, 38.9), (437, 37.7)]),
      (50, [(1138, 686), (36443, 624), (4370, 349), (2902, 332), (2171, 374)]),
      (100, [(2029, 2424), (62984, 1851), (6664, 812), (4857, 796), (4643, 1002)]),
      (190, [(3535, 8008), (101119, 5176), (9310, 1755), (7398, 1771), (7816, 2444)]),
    ]

    /// Small cases run more trials; none runs fewer than the reference.
    private static func measure(_ clients: Int, _ policy: any RetryPolicy) -> (time: [Double], calls: [Double]) {
      let runs = (0..<(clients < 50 ? 400 : clients < 100 ? 40 : 30)).map {
        ContentionModel(clients: clients, policy: policy, seed: UInt64($0)).run()
      }
      return (runs.map(\.time), runs.map { Double($0.calls) })
    }

    /// How far a mean is from the reference, in standard errors of their difference.
    ///
    /// The reference does not publish its spread, so this uses our spread over 30 trials.
    private static func distance(_ values: [Double], from reference: Double) -> (mean: Double, errors: Double) {
      let mean = values.reduce(0, +) / Double(values.count)
      let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)
      return (mean, (mean - reference) / (variance * (1 / Double(values.count) + 1 / 30)).squareRoot())
    }

    @Test(arguments: Thoroughness.cases(2, of: reference.map(\.clients)))
    func `completion times and calls of each backoff match those of the AWS article's simulator`(clients: Int) throws {
      let row = try #require(Self.reference.first { $0.clients == clients })
      var means: [String: (time: Double, calls: Double)] = [:]
      for (index, (name, policy)) in Self.policies.enumerated() {
        let runs = Self.measure(clients, policy)
        let time = Self.distance(runs.time, from: row.cells[index].time)
        let calls = Self.distance(runs.calls, from: row.cells[index].calls)
        means[name] = (time.mean, calls.mean)
        // 40 cells are compared: 3.66 standard errors leave 1 % for all of them together (Bonferroni).
        #expect(abs(time.errors) < 3.66, "\(name): \(time.mean) ms, not \(row.cells[index].time)")
        #expect(abs(calls.errors) < 3.66, "\(name): \(calls.mean) calls, not \(row.cells[index].calls)")
      }
      let calls = try #require(Self.calls(means))
      // The shape of the article: without jitter by far the slowest, and jitter halves the calls.
      #expect(means["expo"]!.time > 4 * means.filter { $0.key != "expo" }.map(\.value.time).max()!)
      guard clients >= 50 else { return }
      #expect(abs(calls.full / calls.equal - 1) < 0.1)
      #expect(max(calls.full, calls.equal) < calls.decorrelated)
      #expect(calls.decorrelated < calls.expo && calls.expo < calls.none)
    }

    private static func calls(
      _ means: [String: (time: Double, calls: Double)]
    ) -> (none: Double, expo: Double, equal: Double, full: Double, decorrelated: Double)? {
      guard let none = means["none"], let expo = means["expo"], let equal = means["equal"], let full = means["full"],
        let decorrelated = means["decorrelated"]
      else { return nil }
      return (none.calls, expo.calls, equal.calls, full.calls, decorrelated.calls)
    }
  }
}
