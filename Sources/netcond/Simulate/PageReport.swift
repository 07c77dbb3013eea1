import Internals
import LinkSimulator
import NetworkConditions

/// How long a page takes over many seeds, the causes of delay, and changes that would make it faster.
struct PageReport {
  let source: PageSource
  let network: SimulateOptions.Network
  let seeds: SeedRange
  let outcomes: [WorkloadScenario.Outcome]
  /// Possible changes of the page, such as another protocol, each with the total times of all seeds.
  let changes: [(change: PageChange, totals: [Duration?])]

  /// The lines of a screen; the waterfall gets a least number of them.
  private static let screen = 24
  private static let leastRows = 4

  private var workload: WorkloadScenario { source.workload }
  private var total: Distribution { Distribution(outcomes.map(\.total)) }

  /// The index of the median run; with an even number of runs, of the faster middle one.
  private var middle: Int {
    let order = outcomes.indices.sorted { one, other in
      let totals = [one, other].map { outcomes[$0].total ?? .nanoseconds(Int64.max) }
      return totals[0] == totals[1] ? one < other : totals[0] < totals[1]
    }
    return order[(order.count - 1) / 2]
  }

  private var median: PageRun { PageRun(workload: workload, outcome: outcomes[middle]) }

  // MARK: For people

  /// The summary for people, at most `width` characters wide if `width` is at least 72.
  func lines(width: Int, style: Style) -> [String] {
    let width = min(width, 100)
    var lines = head.wrapped(to: width).map { style(.strong, $0) }
    lines += source.notes.flatMap { $0.printable.wrapped(to: width) }.map { style(.warning, $0) }
    if total.count < outcomes.count {
      let missing =
        "\(outcomes.count - total.count) of \(FigureText.count(outcomes.count, "run")) did not end within "
      lines.append(style(.warning, missing + Amounts.time(workload.limit)))
    }
    lines += [""] + times.lines(width: width, style: style) + [""] + wins.lines(width: width, style: style)
    let run = median
    guard run.outcome.total != nil else { return lines }
    lines += [""] + path(run, width: width).map { style(.plain, $0) }
    let rows = max(Self.leastRows, Self.screen - lines.count - 3)
    return lines + PageWaterfall(run: run).lines(rows: rows, width: width, style: style)
  }

  private var head: String {
    let requests = workload.requests
    let hosts = Set(requests.map(\.host)).count
    let bytes = requests.reduce(0) { $0 + $1.responseBytes }
    return "\(source.name) over \(network.phrase): \(FigureText.count(requests.count, "request")), "
      + "\(FigureText.count(hosts, "host")), \(Amounts.bytes(bytes)), "
      + "\(workload.client.words), \(seeds.words)".printable
  }

  private var times: Table {
    var table = Table(columns: [.left("", .faint)] + total.figures.map { .right($0.name) })
    table.rows.append([Table.Cell("page")] + total.figures.map { Table.Cell($0.value.map(Amounts.time) ?? "–") })
    return table
  }

  private var wins: Table {
    var table = Table(columns: [.left("alternative"), .right("median"), .right("change")])
    for (change, totals) in changes {
      let changed = Distribution(totals).median
      table.rows.append([
        Table.Cell(change.words), Table.Cell(changed.map(Amounts.time) ?? "–"),
        Table.Cell(Self.difference(changed, total.median)),
      ])
    }
    return table
  }

  private static func difference(_ one: Duration?, _ other: Duration?) -> String {
    guard let one, let other, other > .zero else { return "" }
    let share = (one - other) / other
    return "\(share < 0 ? "−" : "+")\(Amounts.percent(abs((share * 1_000).rounded() / 1_000)))"
  }

  /// Formats the critical path: its requests in order, and what each waited for.
  private func path(_ run: PageRun, width: Int) -> [String] {
    let shares = run.shares
    let parts = [
      (shares.pauses, "between requests"), (shares.connections, "for connections"), (shares.answers, "for answers"),
      (shares.bodies, "for bodies"),
    ].filter { $0.0 > .zero }.map { "\(Amounts.time($0.0)) \($0.1)" }
    let names = run.criticalPath.map { PageWaterfall.label(workload.requests[$0]).shortened(to: 24) }
    let shown = names.count > 5 ? Array(names.prefix(2)) + ["\(names.count - 4) more"] + names.suffix(2) : names
    return "critical path: \(shown.joined(separator: " > ")): \(parts.joined(separator: ", "))".printable.wrapped(
      to: width)
  }

  var json: JSON {
    let run = median
    let shares = run.shares
    return [
      "version": .integer(1), "page": source.json, "profile": JSON(network.profile),
      "link": JSON(network.link), "seeds": seeds.json,
      "ended": .integer(total.count), "page_s": total.json,
      "samples_s": .array(total.samples.map { JSON(seconds: $0) }),
      "changes": .array(
        changes.map { change, totals in
          let distribution = Distribution(totals)
          return [
            "change": .string(change.words), "page_s": distribution.json,
            "samples_s": .array(totals.map { JSON(seconds: $0) }),
          ]
        }),
      "median_run": [
        "seed": .integer(seeds.seeds.lowerBound + UInt64(middle)), "total_s": JSON(seconds: run.outcome.total),
        "critical_path": .array(run.criticalPath.map { .string(workload.requests[$0].id) }),
        "between_s": JSON(seconds: shares.pauses), "connections_s": JSON(seconds: shares.connections),
        "answers_s": JSON(seconds: shares.answers), "bodies_s": JSON(seconds: shares.bodies),
        "requests": .members(zip(workload.requests, run.outcome.times).map { ($0.id, Self.json($1)) }),
      ],
      "notes": .array(source.notes.map { .string($0) }),
    ]
  }

  private static func json(_ times: WorkloadScenario.Times) -> JSON {
    [
      "begin_s": JSON(seconds: times.begun), "sent_s": JSON(seconds: times.sent),
      "first_byte_s": JSON(seconds: times.answered), "end_s": JSON(seconds: times.finished),
    ]
  }
}
