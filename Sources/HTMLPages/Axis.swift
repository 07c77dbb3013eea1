import Foundation

/// Maps values to positions along one side of a chart.
package struct Axis {
  package let range: ClosedRange<Double>
  package let isLogarithmic: Bool
  package let begin: Double
  package let end: Double

  package init(_ range: ClosedRange<Double>, isLogarithmic: Bool = false, from begin: Double, to end: Double) {
    self.range = range
    self.isLogarithmic = isLogarithmic
    self.begin = begin
    self.end = end
  }

  package func callAsFunction(_ value: Double) -> Double {
    let (low, high) = (range.lowerBound, range.upperBound)
    let share: Double
    if isLogarithmic {
      share = log(value / low) / log(high / low)
    } else {
      share = high > low ? (value - low) / (high - low) : 0.5
    }
    return begin + min(1, max(0, share)) * (end - begin)
  }

  /// Returns round values to label the axis, about `count`.
  package func ticks(_ count: Int) -> [Double] {
    isLogarithmic ? logarithmicTicks(count) : linearTicks(count)
  }

  private func linearTicks(_ count: Int) -> [Double] {
    let span = range.upperBound - range.lowerBound
    guard span > 0 else { return [range.lowerBound] }
    let rough = span / Double(max(1, count))
    let power = pow(10, floor(log10(rough)))
    let step = [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= rough * 0.999 } ?? rough
    var ticks: [Double] = []
    var number = ceil(range.lowerBound / step - 1e-9)
    // Far from 0, adding 1 may change nothing.
    while number * step <= range.upperBound + step * 1e-9, number * step > ticks.last ?? -.infinity {
      // Adding 0 turns -0 into 0.
      ticks.append(number * step + 0)
      number += 1
    }
    return ticks
  }

  private func logarithmicTicks(_ count: Int) -> [Double] {
    for factors in [[1.0, 2, 5], [1.0, 3], [1.0]] {
      var ticks: [Double] = []
      for exponent in Int(floor(log10(range.lowerBound)))...Int(ceil(log10(range.upperBound))) {
        ticks += factors.map { $0 * pow(10, Double(exponent)) }.filter { range.contains($0) }
      }
      if ticks.count <= count || factors.count == 1 { return ticks }
    }
    return []
  }
}
