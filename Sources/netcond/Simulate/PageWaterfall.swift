import Internals
import LinkSimulator

struct PageWaterfall {
  let run: PageRun

  private static let name = 20
  private static let time = 7

  /// The lines, at most `rows` of them bars.
  func lines(rows: Int, width: Int, style: Style) -> [String] {
    guard let total = run.outcome.total, total > .zero else { return [] }
    let columns = max(10, width - Self.name - Self.time - 3)
    let shown = run.telling(rows)
    let head = "· waits for a connection, ░ for the answer, █ receives it; \(Amounts.time(total)) in all"
    return ["", style(.faint, head.shortened(to: width))]
      + shown.map { place in
        let times = run.outcome.times[place]
        let label = Self.label(run.workload.requests[place]).printable.shortened(to: Self.name).padded(to: Self.name)
        let time = (times.finished.map(Amounts.time) ?? "–").padded(to: Self.time, right: true)
        let isCritical = run.criticalPath.contains(place)
        return "\(style(isCritical ? .strong : .plain, label)) \(time)  "
          + style(isCritical ? .warning : .down, Self.bar(times, total, columns: columns))
      }
      + (shown.count < run.outcome.times.count
        ? [style(.faint, "and \(run.outcome.times.count - shown.count) more")] : [])
  }

  /// A request's name: the end of its path, or its host, or its identifier.
  static func label(_ request: WorkloadScenario.Request) -> String {
    let last = request.path.split(separator: "/").last.map(String.init) ?? ""
    if !last.isEmpty { return last }
    return request.host.isEmpty ? request.id : request.host
  }

  private static func bar(_ times: WorkloadScenario.Times, _ total: Duration, columns: Int) -> String {
    guard let times = times.stages else { return "" }
    func column(_ time: Duration) -> Int { min(columns, Int((time / total * Double(columns)).rounded())) }
    let places = [times.begun, times.sent, times.answered, times.finished].map(column)
    var text = String(repeating: " ", count: places[0])
    for (sign, place) in zip(["·", "░", "█"], 1...3) {
      text += String(repeating: sign, count: places[place] - places[place - 1])
    }
    // A request shorter than a column is still visible.
    return places[0] == places[3] ? String(text.dropLast(places[0] == columns ? 1 : 0)) + "▏" : text
  }
}
