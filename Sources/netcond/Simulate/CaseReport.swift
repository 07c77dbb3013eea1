import Internals
import NetworkConditions

struct CaseReport {
  let cases: [TransferCase]
  let seeds: SeedRange
  /// The total times of each case; empty for a case that cannot be simulated.
  let samples: [[Duration?]]

  private static let named = 5

  /// The JSON object of `--json`: the samples in the order of the file.
  var json: JSON {
    ["cases": .array(samples.map { ["samples_s": .array($0.map { JSON(seconds: $0) })] })]
  }

  /// A sentence about the cases that cannot be simulated.
  var note: String? {
    let others = cases.filter { $0.scenario == nil }
    guard !others.isEmpty else { return nil }
    var names: [String] = []
    for other in others where !names.contains(other.congestionControl) { names.append(other.congestionControl) }
    let have = others.count == 1 ? "1 case has" : "\(others.count) cases have"
    let these = "\(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are")"
    return "\(have) no samples: \(these) not simulated"
  }

  // MARK: For people

  /// The error of a case: how far the simulated median is from the measured one.
  private struct Error {
    let place: Int
    let simulated: Duration?
    let measured: Double
    /// The relative error; 1 when the simulated median is missing.
    var share: Double {
      guard let simulated, measured > 0 else { return 1 }
      return abs(simulated / .seconds(1) - measured) / measured
    }
  }

  /// Cases that share a row of the summary, ordered by rank and name.
  private struct Group: Hashable, Comparable {
    let rank: Int
    let name: String

    static func < (lhs: Group, rhs: Group) -> Bool { (lhs.rank, lhs.name) < (rhs.rank, rhs.name) }

    /// Returns the rows of a case: steady or random, and its family, or else its congestion control with or without loss.
    static func all(of item: TransferCase) -> [Group] {
      if let family = item.family {
        let repeats = item.measurement.repeats
        return [
          Group(rank: repeats ? -2 : -1, name: repeats ? "repeats" : "left to chance"),
          Group(rank: 0, name: family.shortened(to: 14)),
        ]
      }
      let order = PathConfiguration.CongestionControl.allCases.map(\.rawValue)
      let isLossy = (item.loss ?? 0) > 0
      let rank = order.firstIndex(of: item.congestionControl) ?? order.count
      return [Group(rank: rank, name: "\(item.congestionControl) \(isLossy ? "lossy" : "lossless")")]
    }
  }

  func lines(width: Int, style: Style) -> [String] {
    let head = "\(FigureText.count(cases.count, "case")), \(FigureText.count(seeds.count, "seed")) each"
    let errors = cases.indices.compactMap { place -> Error? in
      guard cases[place].scenario != nil, let measured = cases[place].measurement.median else { return nil }
      return Error(place: place, simulated: Distribution(samples[place]).median, measured: measured)
    }
    var lines = [style(.strong, head), ""] + groups(errors).lines(width: width, style: style)
    guard !errors.isEmpty else { return lines }
    if cases.contains(where: { !$0.measurement.samples.isEmpty }) {
      lines += ["", style(.faint, "alike: not told apart by a Kolmogorov-Smirnov test at 1 %")]
    }
    lines += ["", style(.faint, "error: by how much the simulated median misses the measured one; the worst:"), ""]
    return lines + worst(errors).lines(width: width, style: style)
  }

  private func groups(_ errors: [Error]) -> Table {
    let comparesDistributions = cases.contains { !$0.measurement.samples.isEmpty }
    var table = Table(columns: [
      .left("group", .strong), .right("cases"), .right("median error"), .right("p90"), .right("worst"),
    ])
    if comparesDistributions { table.columns.append(.right("alike")) }
    table.columns.append(.right("runs that ended"))
    var members: [Group: [Int]] = [:]
    for place in cases.indices {
      for group in Group.all(of: cases[place]) { members[group, default: []].append(place) }
    }
    for (group, places) in members.sorted(by: { $0.key < $1.key }) {
      var row = [Table.Cell(group.name), Table.Cell("\(places.count)")]
      let shares = errors.filter { places.contains($0.place) }.map(\.share).sorted()
      if places.allSatisfy({ cases[$0].scenario == nil }) {
        row += ["", "", ""] + (comparesDistributions ? [""] : []) + [Table.Cell("not simulated", .warning)]
      } else {
        let shown = [Measurement.median(shares), shares.dropFirst(shares.count * 9 / 10).first, shares.last]
          .map { $0.map(Amounts.percent) ?? "–" }
        let runs = places.map { samples[$0] }
        let ended = runs.reduce(0) { $0 + $1.count { $0 != nil } }
        let all = runs.reduce(0) { $0 + $1.count }
        row += shown.map { Table.Cell($0) }
        if comparesDistributions { row.append(Table.Cell(alike(places))) }
        row.append(Table.Cell(ended == all ? "all" : "\(ended) of \(all)"))
      }
      table.rows.append(row)
    }
    return table
  }

  /// The share of cases whose simulated times a statistical test does not distinguish from the measured ones.
  private func alike(_ places: [Int]) -> String {
    let told = places.filter { !cases[$0].measurement.samples.isEmpty }
    guard !told.isEmpty else { return "–" }
    let alike = told.count { place in
      cases[place].measurement.resembles(samples[place].map { $0.map { $0 / .seconds(1) } ?? .infinity })
    }
    return Amounts.percent(Double(alike) / Double(told.count))
  }

  private func worst(_ errors: [Error]) -> Table {
    var table = Table(columns: [
      .right("case", .faint), .left("link", .strong), .left("kind"), .right("bytes"), .right("loss"),
      .right("measured"), .right("simulated"), .right("error", .warning),
    ])
    for error in errors.sorted(by: { ($1.share, $0.place) < ($0.share, $1.place) }).prefix(Self.named) {
      let item = cases[error.place]
      table.rows.append([
        Table.Cell("\(error.place)"), Table.Cell(item.link.shortened(to: 12)),
        Table.Cell("\(item.congestionControl) \(item.kind)".shortened(to: 19)), Table.Cell(Amounts.bytes(item.bytes)),
        Table.Cell(item.loss.map(Amounts.percent) ?? "–"), Table.Cell(Amounts.time(.seconds(error.measured))),
        Table.Cell(error.simulated.map(Amounts.time) ?? "–"), Table.Cell(Amounts.percent(error.share)),
      ])
    }
    return table
  }
}
