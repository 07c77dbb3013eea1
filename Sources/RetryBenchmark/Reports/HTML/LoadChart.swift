import HTMLPages
import Internals

/// A chart of attempts over time: around outages if requests recovered after one, else since the start.
struct LoadChart {
  let metrics: [PolicyMetrics]
  let report: RetryReport

  private static let bottom = 196.0
  /// The most steps of a curve, however long a trial takes.
  private static let mostSlices = 60

  /// Whether requests recovered after an outage or a brown-out in at least one trial.
  private var isAroundOutages: Bool { metrics.contains { $0.recovery.toSuccess.count > 0 } }

  private func attempts(_ metrics: PolicyMetrics) -> CountHistogram {
    isAroundOutages ? metrics.outageLoad.attempts : metrics.load.attempts
  }

  var chart: Chart {
    let slices = slices
    // Few clients make few attempts a second, so their rate is shown for 100 trials together.
    let isFew = report.workload.clients < 10
    let unit = "attempts per second\(isFew ? " in 100 trials" : "")"
    func curve(_ counts: CountHistogram, _ trials: Int) -> [Double] {
      slices.sums(counts).map { Double($0) / Double(slices.width) / Double(max(1, trials)) * (isFew ? 100 : 1) }
    }
    let curves = metrics.map { curve(attempts($0), $0.trials.count) }
    let requests = metrics.first.map {
      curve(isAroundOutages ? $0.outageLoad.requests : $0.load.requests, $0.trials.count)
    }
    let top = max((curves + [requests ?? []]).flatMap { $0 }.max() ?? 1, 0.01)
    let across = Axis(Double(slices.first)...Double(slices.end), from: 40, to: Markup.width - 150)
    let up = Axis(0...top * 1.05, from: Self.bottom, to: 10)
    var body = outages(across) + axes(across, up)
    if let requests { body.append(area(requests, slices, across, up)) }
    var peaks: [(name: String, x: Double, y: Double)] = []
    let lines = curves.map { Self.steps($0, slices, across, up) }
    let shifts = SeriesStyle.shifts(lines, within: 1.5, by: -3)
    for (metrics, (line, shift)) in zip(metrics, zip(lines, shifts)) {
      let steps = line.map { (x: $0.x, y: $0.y + shift) }
      body.append(Markup.path(steps, "curve \(SeriesStyle(report, metrics.policy).role)"))
      if let peak = steps.min(by: { $0.y < $1.y }) { peaks.append((metrics.policy, peak.x, peak.y)) }
    }
    body += SeriesStyle.labels(peaks, at: Markup.width - 128, in: report, from: 12, to: Self.bottom - 4)
    let band = isAroundOutages ? "; band: out" : report.server.outages.isEmpty ? "" : "; band: server down"
    return Chart(
      title: isAroundOutages ? "Load around an outage" : "Load over time", note: "\(unit); area: requests\(band)",
      height: Self.bottom + 34, body: body)
  }

  /// The seconds that are drawn; they hold at least 99 % of the attempts, and the outages.
  private var slices: Slices {
    let counts = metrics.map(attempts).filter { $0.total > 0 }
    let last = max(3, counts.compactMap { $0.quantile(0.995) }.max() ?? 0) + 1
    guard isAroundOutages else {
      let outage = report.server.outages.last.map { $0.upperBound.count(of: .seconds(1)) + 3 } ?? 0
      return Slices(0..<max(last, outage), most: Self.mostSlices)
    }
    let longest = metrics.map(\.outageLoad.longest).max() ?? .zero
    let first = min(counts.compactMap { $0.quantile(0.005) }.min() ?? 0, -longest.count(of: .seconds(1)) - 1)
    return Slices(first..<last, most: Self.mostSlices)
  }

  private func outages(_ across: Axis) -> [String] {
    var bands = report.server.outages
    if isAroundOutages { bands = [.zero - (metrics.map(\.outageLoad.longest).max() ?? .zero)..<Duration.zero] }
    return bands.compactMap { band in
      let (from, to) = (across(band.lowerBound.inSeconds), across(band.upperBound.inSeconds))
      return from < to ? Markup.box(from, 10, to - from, Self.bottom - 10, "outage") : nil
    }
  }

  private func axes(_ across: Axis, _ up: Axis) -> [String] {
    let origin = isAroundOutages ? "the outage ended" : "the first could arrive"
    return up.grid(4, to: across.end) { FigureText.digits($0) } + across.ruler(6, at: Self.bottom) + [
      Markup.line(40, Self.bottom, across.end, Self.bottom, "axis"),
      Markup.text(Markup.width - 6, Self.bottom + 30, "seconds since \(origin)", "tick", anchor: "end"),
    ]
  }

  /// Draws the callers' requests; policies change them only by delaying a client's next request.
  private func area(_ rates: [Double], _ slices: Slices, _ across: Axis, _ up: Axis) -> String {
    let begin = (x: across(Double(slices.first)), y: Self.bottom)
    let end = (x: across(Double(slices.end)), y: Self.bottom)
    return Markup.path([begin] + Self.steps(rates, slices, across, up) + [end], "area")
  }

  private static func steps(_ values: [Double], _ slices: Slices, _ across: Axis, _ up: Axis) -> [(
    x: Double, y: Double
  )] {
    values.enumerated().flatMap { index, value in
      let from = Double(slices.first + index * slices.width)
      return [(x: across(from), y: up(value)), (x: across(from + Double(slices.width)), y: up(value))]
    }
  }
}

/// A time divided into slices of one round number of seconds, with a border at 0.
struct Slices: Equatable {
  let first: Int
  let width: Int
  let count: Int

  /// - Parameter most: the highest number of slices.
  init(_ seconds: Range<Int>, most: Int) {
    let widths = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600]
    func sliced(_ width: Int) -> (first: Int, count: Int) {
      let first = Int((Double(seconds.lowerBound) / Double(width)).rounded(.down))
      let end = Int((Double(seconds.upperBound) / Double(width)).rounded(.up))
      return (first, max(1, end - first))
    }
    // A time that is too long for slices of an hour is cut off.
    let width = widths.first { sliced($0).count <= most } ?? widths[widths.count - 1]
    let (first, count) = sliced(width)
    self.first = first * width
    self.width = width
    self.count = min(count, most)
  }

  var end: Int { first + count * width }

  func sums(_ counts: CountHistogram) -> [Int] {
    var sums = [Int](repeating: 0, count: count)
    for (value, number) in counts.entries where value >= first && value < end {
      sums[(value - first) / width] += number
    }
    return sums
  }
}

extension RetryReport {
  func colour(of policy: String) -> Int {
    (policies.firstIndex(of: policy) ?? 0) % PageStyle.colours
  }
}
