import Testing

@testable import netcond

struct MeasurementTests {
  @Test(arguments: [
    (1.0, 1.019, true), (1.019, 1.0, true), (1.0, 1.021, false), (1.021, 1.0, false),
    (0.01, 0.0119, true), (0.0119, 0.01, true), (0.01, 0.0121, false), (0.0121, 0.01, false),
  ])
  func `measured times may differ from others by 2 % or 2 ms, whichever is more`(
    measured: Double, other: Double, resembles: Bool
  ) {
    let measurement = Measurement(samples: Array(repeating: measured, count: 20))
    #expect(measurement.resembles(Array(repeating: other, count: 20)) == resembles)
  }

  @Test(arguments: [(14, true), (15, false)])
  func `of 40 measured times 14 may be later at the 1 % level, but not 15`(later: Int, resembles: Bool) {
    // The statistic is 4.617 x 14 / 40 = 1.616; its limit is 1.628.
    let measurement = Measurement(samples: Array(repeating: 1, count: 40))
    let others = Array(repeating: 1.0, count: 40 - later) + Array(repeating: 2, count: later)
    #expect(measurement.resembles(others) == resembles)
  }
}
