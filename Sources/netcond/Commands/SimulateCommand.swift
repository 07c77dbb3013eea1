import Internals
import NetworkConditions

struct SimulateCommand: Subcommand {
  static let name = "simulate"
  static let abstract = "say how long a transfer takes over many seeds, without waiting"
  static let usage = SimulateOptions.usage

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    let options = try SimulateOptions(arguments)
    switch options.subject {
    case .transfer(let scenario, let network):
      let outcomes = await Self.outcomes(of: [scenario], options.seeds, on: console) { $0.run(seed: $1) }
      let report = SimulationReport(
        scenario: scenario, network: network, seeds: options.seeds, outcomes: outcomes[0])
      console.show(options.json ? report.json : nil, or: report.lines)
    case .page(let source, let network):
      try await Self.run(source, over: network, options, on: console)
    case .cases(let path):
      let list = try CaseFile.list(contentsOf: path)
      if try CaseFile.holdsWorkloads(list) {
        let cases = try WorkloadCase.all(list, excess: options.excess, limit: options.limit)
        let outcomes = await Self.outcomes(of: Array(cases.enumerated()), options.seeds, on: console) { item, seed in
          item.element.workload.run(seed: CaseFile.seed(seed, ofCase: item.offset))
        }
        let report = WorkloadReport(cases: cases, seeds: options.seeds, outcomes: outcomes)
        console.show(options.json ? report.json : nil, or: report.lines)
      } else {
        try await Self.run(try CaseFile(list, excess: options.excess, limit: options.limit), options, on: console)
      }
    }
    return .done
  }

  private static func run(_ file: CaseFile, _ options: SimulateOptions, on console: Console) async throws {
    let totals = await outcomes(of: file.scenarios, options.seeds, on: console) { item, seed in
      item.scenario.run(seed: CaseFile.seed(seed, ofCase: item.place)).total
    }
    var samples = Array(repeating: [Duration?](), count: file.cases.count)
    for (item, totals) in zip(file.scenarios, totals) { samples[item.place] = totals }
    let report = CaseReport(cases: file.cases, seeds: options.seeds, samples: samples)
    console.show(options.json ? report.json : nil, or: report.lines)
    if let note = report.note { console.error("netcond simulate: \(note.printable)\n") }
  }

  private static func run(
    _ source: PageSource, over network: SimulateOptions.Network, _ options: SimulateOptions, on console: Console
  ) async throws {
    let changes = PageChange.all(of: source.workload)
    let workloads = [source.workload] + changes.map(\.workload)
    let runs = await outcomes(of: workloads, options.seeds, on: console) { $0.run(seed: $1) }
    let report = PageReport(
      source: source, network: network, seeds: options.seeds, outcomes: runs[0],
      changes: zip(changes, runs.dropFirst()).map { ($0, $1.map(\.total)) })
    console.show(options.json ? report.json : nil, or: report.lines)
  }

  /// Runs each case with every seed.
  ///
  /// Shows progress on standard error: how many runs are done and, at the end, how long all took.
  private static func outcomes<Case: Sendable, Outcome: Sendable>(
    of cases: [Case], _ seeds: SeedRange, on console: Console, _ run: @escaping @Sendable (Case, UInt64) -> Outcome
  ) async -> [[Outcome]] {
    let runs = cases.count * seeds.count
    let progress = RunProgress(of: runs, on: console)
    let outcomes = await Workers().run(cases, seeds, counting: progress.done, run)
    await progress.stop()
    progress.tell(FigureText.count(runs, "run"))
    return outcomes
  }
}
