import Internals
import LinkSimulator
import NetworkConditions

struct WorkloadReport {
  let cases: [WorkloadCase]
  let seeds: SeedRange
  let outcomes: [[WorkloadScenario.Outcome]]

  private static let named = 8

  /// The JSON object of `--json`: the runs of each case by its name.
  var json: JSON {
    ["cases": .members(cases.indices.map { (cases[$0].name, Self.json(outcomes[$0], of: cases[$0])) })]
  }

  private static func json(_ outcomes: [WorkloadScenario.Outcome], of item: WorkloadCase) -> JSON {
    let runs = outcomes.map { outcome -> JSON in
      let finish = zip(item.workload.requests, outcome.finished).map { ($0.id, JSON(seconds: $1)) }
      return ["total": JSON(seconds: outcome.total), "finish": .members(finish)]
    }
    return ["runs": .array(runs)]
  }

  // MARK: For people

  func lines(width: Int, style: Style) -> [String] {
    let head = "\(FigureText.count(cases.count, "case")), \(FigureText.count(seeds.count, "seed")) each"
    let judgements = cases.indices.compactMap { place in
      WorkloadJudgement(
        cases[place], outcomes[place].map { $0.finished.map { $0.map { $0 / .seconds(1) } ?? .infinity } })
    }
    guard !judgements.isEmpty else { return [style(.strong, head), ""] + medians.lines(width: width, style: style) }
    var lines = [style(.strong, head), ""] + kinds(judgements).lines(width: width, style: style)
    lines += [
      "",
      style(.faint, "page: of the whole; request: of each; alike: not told apart by a Kolmogorov-Smirnov test at 1 %"),
      style(.faint, "order: the least of Kendall's tau-b of requests that begin together"),
      "", style(.faint, "error: by how much the simulated median misses the measured one; the worst:"), "",
    ]
    return lines + worst(judgements).lines(width: width, style: style)
  }

  private func kinds(_ judgements: [WorkloadJudgement]) -> Table {
    var table = Table(columns: [
      .left("kind", .strong), .right("cases"), .right("page error"), .right("p90"), .right("alike"),
      .right("request error"), .right("p90"), .right("alike"), .right("order"),
    ])
    var names: [String] = []
    for judgement in judgements where !names.contains(judgement.kind) { names.append(judgement.kind) }
    let groups = names.map { name in (name, judgements.filter { $0.kind == name }) } + [("all", judgements)]
    for (name, group) in groups {
      let pages = group.map { ($0.error, 1.0) }
      let requests = group.flatMap { item in item.requestErrors.map { ($0, 1 / Double(item.requestErrors.count)) } }
      let alike = group.reduce(0) { sum, item in
        sum + Double(item.requestsAlike.count { $0 }) / Double(item.requestsAlike.count)
      }
      let figures = [
        WorkloadJudgement.quantile(pages, 0.5), WorkloadJudgement.quantile(pages, 0.9),
        Double(group.count { $0.isAlike }) / Double(group.count), WorkloadJudgement.quantile(requests, 0.5),
        WorkloadJudgement.quantile(requests, 0.9), alike / Double(group.count),
      ]
      let order = group.compactMap(\.order).min().map { (100 * $0).rounded() / 100 }
      table.rows.append(
        [Table.Cell(name.shortened(to: 16)), Table.Cell("\(group.count)")]
          + figures.map { Table.Cell(Amounts.percent($0)) } + [Table.Cell(order.map { "\($0)" } ?? "")])
    }
    return table
  }

  private func worst(_ judgements: [WorkloadJudgement]) -> Table {
    var table = Table(columns: [
      .left("case", .strong), .right("measured"), .right("simulated"), .right("error", .warning),
      .right("request error"),
    ])
    for item in judgements.sorted(by: { $0.greatestError > $1.greatestError }).prefix(Self.named) {
      let times = [item.measured, item.simulated].map { Table.Cell($0.isFinite ? Amounts.time(.seconds($0)) : "–") }
      table.rows.append(
        [Table.Cell(item.name.shortened(to: 36))] + times
          + [item.error, item.requestError].map { Table.Cell(Amounts.percent($0)) })
    }
    return table
  }

  /// A table of the median times, for cases without measurements.
  private var medians: Table {
    var table = Table(columns: [.left("case", .strong), .right("requests"), .right("median"), .right("p90")])
    for (place, item) in cases.enumerated() {
      let total = Distribution(outcomes[place].map(\.total))
      table.rows.append([
        Table.Cell(item.name.shortened(to: 36)), Table.Cell("\(item.workload.requests.count)"),
        Table.Cell(total.median.map(Amounts.time) ?? "–"), Table.Cell(total.percentile(90).map(Amounts.time) ?? "–"),
      ])
    }
    return table
  }
}
