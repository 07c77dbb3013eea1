import NetworkConditions
import Testing

@testable import netcond

struct DistributionTests {
  /// The times from 1 to 200 ms, shuffled.
  static let whole = Distribution((0..<200).map { .milliseconds($0 * 77 % 200 + 1) })

  @Test func `percentiles, median and mean of 200 times are exact`() {
    #expect(Self.whole.least == .milliseconds(1))
    #expect(Self.whole.percentile(10) == .milliseconds(21))
    #expect(Self.whole.median == .microseconds(100_500))
    #expect(Self.whole.percentile(90) == .milliseconds(181))
    #expect(Self.whole.percentile(99) == .milliseconds(199))
    #expect(Self.whole.greatest == .milliseconds(200))
    #expect(Self.whole.mean == .microseconds(100_500))
  }

  @Test func `in percentiles a run that did not end counts as later than all others`() {
    let distribution = Distribution([nil, .seconds(3), .seconds(1), nil])
    #expect(distribution.count == 2)
    #expect(distribution.percentile(10) == .seconds(1))
    #expect(distribution.median == nil)
    #expect(distribution.percentile(90) == nil)
    #expect(distribution.greatest == .seconds(3))
    #expect(distribution.mean == .seconds(2))
    #expect(Distribution([nil, .seconds(3), .seconds(1)]).median == .seconds(3))
  }

  @Test func `a median or a mean between two nanoseconds is the lower one`() {
    let distribution = Distribution([.nanoseconds(4), .nanoseconds(1)])
    #expect(distribution.median == .nanoseconds(2) && distribution.mean == .nanoseconds(2))
  }

  @Test func `with one sample every figure equals it, and without samples figures are missing`() {
    #expect(Distribution([.seconds(2)]).figures.allSatisfy { $0.value == .seconds(2) })
    for empty in [Distribution([]), Distribution([nil, nil])] {
      #expect(empty.figures.allSatisfy { $0.value == nil })
    }
  }

  @Test func `the mean of very long times does not overflow`() {
    let year = Duration.seconds(31_536_000 * 290)
    #expect(Distribution(Array(repeating: year, count: 1_000)).mean == year)
    #expect(Distribution([year, year]).median == year)
  }

  @Test func `the JSON of a distribution has seconds, and null where runs did not end`() {
    #expect(
      Distribution([nil, .milliseconds(1500)]).json.lineText
        == #"{"min": 1.5, "p10": 1.5, "median": null, "p90": null, "p99": null, "max": 1.5, "mean": 1.5}"#)
  }
}
