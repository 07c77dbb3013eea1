import Foundation
import Testing

@testable import RetryPolicies

extension RetryPoliciesTests {
  struct ClosedFormTests {
    /// With attempts that fail independently with probability p and n retries, a request succeeds with 1 - p^(n+1) and
    /// takes (1 - p^(n+1)) / (1 - p) attempts in the mean.
    ///
    /// 10,000 seeds; 2.576 standard errors are 99 %.
    @Test(arguments: [0.05, 0.3, 0.6], [0, 1, 2, 5])
    func `the success rate and the mean number of attempts match their closed formulas`(p: Double, retries: Int) {
      let policy = FullJitterBackoff().maximumAttempts(retries + 1)
      let seeds = 10_000
      var successes = 0
      var attempts = 0
      for seed in 0..<seeds {
        let key = RetryRandom(seed: UInt64(seed)).keyed(by: "\(p) \(retries)")
        var machine = RetryMachine(RetryRequest(), policy: policy, random: key.keyed(by: "backoff"))
        var actions = machine.begin()
        while !machine.isFinished {
          guard case .start(let plan) = actions.last else {
            actions = machine.wake(at: machine.nextWake!)
            continue
          }
          attempts += 1
          var chance = key.keyed(by: UInt64(plan.number))
          let fails = Double(chance.next() >> 11) * 0x1p-53 < p
          if !fails { successes += 1 }
          actions = machine.attemptEnded(
            plan.number, outcome: .response(fails ? 503 : 200), at: plan.start + .milliseconds(50),
            date: Date(timeIntervalSince1970: 0))
        }
      }
      let success = 1 - pow(p, Double(retries + 1))
      let mean = success / (1 - p)
      // The number of attempts is geometric, cut off at n + 1.
      var square = 0.0
      for count in 1...(retries + 1) {
        let chance = pow(p, Double(count - 1)) * (count <= retries ? 1 - p : 1)
        square += Double(count * count) * chance
      }
      let count = Double(seeds)
      #expect(abs(Double(successes) / count - success) <= 2.576 * (success * (1 - success) / count).squareRoot())
      #expect(
        abs(Double(attempts) / count - mean) <= 2.576 * (max(0, square - mean * mean) / count).squareRoot() + 1e-9)
    }
  }
}
