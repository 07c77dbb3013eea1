import Foundation
import HTMLPages
import LinkSimulator

/// Maps times to positions from left to right; every drawing is 1000 units wide and then stretched.
struct TimeScale {
  /// The drawn times, in nanoseconds of virtual time.
  let extent: ClosedRange<Int64>

  private var length: Double { Double(extent.upperBound - extent.lowerBound) }

  func place(_ time: Int64) -> Double {
    min(1000, max(0, Double(time - extent.lowerBound) / length * 1000))
  }

  func x(_ time: Int64) -> String { Markup.point(place(time)) }

  func percent(_ time: Int64) -> String { Self.percent(place(time) / 1000) }

  static func percent(_ share: Double) -> String {
    let hundredths = Int((share * 10_000).rounded())
    return "\(DecimalText.of(Int64(hundredths), places: 2))%"
  }

  /// Returns the labels of the axis; on a phone every second one is hidden.
  func labels(_ count: Int) -> String {
    ticks(count).enumerated().map { index, tick in
      let roles = (index.isMultiple(of: 2) ? [] : ["even"]) + (place(tick.time) > 960 ? ["last"] : [])
      let role = roles.isEmpty ? "" : " class=\"\(roles.joined(separator: " "))\""
      return "<span\(role) style=\"left:\(percent(tick.time))\">\(tick.label)</span>"
    }.joined()
  }

  /// Draws short vertical lines at the given times, as one path; lines at one position are drawn once.
  func marks(_ role: String, _ times: some Sequence<Int64>, from upper: Double, to lower: Double) -> String {
    var path = ""
    var last = ""
    for time in times {
      let x = x(time)
      if x != last { path += "M\(x) \(Markup.point(upper))v\(Markup.point(lower - upper))" }
      last = x
    }
    return Markup.drawing(role, path)
  }

  func ticks(_ count: Int) -> [(time: Int64, label: String)] {
    let isShort = extent.upperBound < 1_000_000_000
    let unit = isShort ? 1e6 : 1e9
    let axis = Axis(Double(extent.lowerBound) / unit...Double(extent.upperBound) / unit, from: 0, to: 1)
    let values = axis.ticks(count)
    let step = values.count > 1 ? values[1] - values[0] : 1
    let places = max(0, Int(-floor(log10(step) + 1e-9)))
    return values.map { value in
      (Int64((value * unit).rounded()), "\(String(format: "%.\(places)f", value + 0)) \(isShort ? "ms" : "s")")
    }
  }
}
