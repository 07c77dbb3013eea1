import HTMLPages

/// What the server had to bear: attempts in each second of a trial, and when it was down.
struct LoadChart {
  private let metrics: [PolicyMetrics]
  private let report: RetryReport

  init(_ metrics: [PolicyMetrics], of report: RetryReport) {
    self.metrics = metrics
    self.report = report
  }

  private static let bottom = 196.0
  /// More seconds than this are not drawn.
  private static let most = 120

  var text: String {
    let (title, note) = ("Load over time", "attempts in each second of a trial, on average")
    let greatest = metrics.compactMap { $0.load.attempts.greatest }.max() ?? 0
    // The last of a hundred attempts may come very late; the chart ends before it.
    let usual = metrics.compactMap { $0.load.attempts.total > 0 ? $0.load.attempts.quantile(0.995) : nil }.max() ?? 0
    let outage = report.server.outages.last.map { $0.upperBound / 1_000_000_000 + 3 } ?? 0
    let end = min(Self.most, max(4, min(greatest, max(usual, outage)) + 1))
    let curves = metrics.map { metrics in
      (0..<end).map { Double(metrics.load.attempts[$0]) / Double(max(1, metrics.trials.count)) }
    }
    let top = max(curves.flatMap { $0 }.max() ?? 1, 0.01)
    let across = Axis(0...Double(end), from: 40, to: Markup.width - 8)
    let up = Axis(0...top * 1.05, from: Self.bottom, to: 10)
    var body = outages(across, Double(end)) + axes(across, up) + requests(across, up, end)
    for (metrics, curve) in zip(metrics, curves) {
      body.append(Markup.path(Self.steps(curve, across, up), "curve s\(report.colour(of: metrics.policy))"))
    }
    let area = "; area: requests\(report.server.outages.isEmpty ? "" : "; band: server down")"
    return Markup.figure(title, note + area, height: Self.bottom + 34, body)
  }

  private func outages(_ across: Axis, _ end: Double) -> [String] {
    report.server.outages.compactMap { outage in
      let (from, to) = (Double(outage.lowerBound) / 1e9, min(end, Double(outage.upperBound) / 1e9))
      guard from < to else { return nil }
      return Markup.box(across(from), 10, across(to) - across(from), Self.bottom - 10, "outage")
    }
  }

  private func axes(_ across: Axis, _ up: Axis) -> [String] {
    var body: [String] = []
    for tick in up.ticks(4) {
      body.append(Markup.line(40, up(tick), Markup.width - 6, up(tick), "grid"))
      body.append(Markup.text(36, up(tick) + 4, FigureText.digits(tick), "tick", anchor: "end"))
    }
    for tick in across.ticks(6) {
      body.append(
        Markup.text(across(tick), Self.bottom + 16, FigureText.digits(tick), "tick", anchor: "middle"))
    }
    body.append(Markup.line(40, Self.bottom, Markup.width - 6, Self.bottom, "axis"))
    body.append(
      Markup.text(Markup.width - 6, Self.bottom + 30, "seconds since the first could come", "tick", anchor: "end"))
    return body
  }

  /// What callers asked for, which no policy changes unless it delays the next request.
  private func requests(_ across: Axis, _ up: Axis, _ end: Int) -> [String] {
    guard let first = metrics.first else { return [] }
    let rates = (0..<end).map { Double(first.load.requests[$0]) / Double(max(1, first.trials.count)) }
    let points = [(across(0), Self.bottom)] + Self.steps(rates, across, up) + [(across(Double(end)), Self.bottom)]
    return [Markup.path(points.map { (x: $0.0, y: $0.1) }, "area")]
  }

  private static func steps(_ values: [Double], _ across: Axis, _ up: Axis) -> [(x: Double, y: Double)] {
    values.enumerated().flatMap { second, value in
      [(x: across(Double(second)), y: up(value)), (x: across(Double(second + 1)), y: up(value))]
    }
  }
}

extension RetryReport {
  /// The number of a contender's colour.
  func colour(of policy: String) -> Int {
    (policies.firstIndex(of: policy) ?? 0) % PageStyle.colours
  }
}
