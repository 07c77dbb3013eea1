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
      let outcomes = await Self.timed(options.seeds.count, on: console) { done in
        await scenario.run(options.seeds, on: Workers(), counting: done)
      }
      let report = SimulationReport(scenario: scenario, network: network, seeds: options.seeds, outcomes: outcomes)
      console.show(options.json ? report.json : nil, or: report.lines)
    case .page(let source, let network):
      try await Self.run(source, over: network, options, on: console)
    case .cases(let path):
      let list = try CaseFile.list(contentsOf: path)
      if CaseFile.holdsWorkloads(list) {
        try await Self.run(try WorkloadFile(list, excess: options.excess, limit: options.limit), options, on: console)
      } else {
        try await Self.run(try CaseFile(list, excess: options.excess, limit: options.limit), options, on: console)
      }
    }
    return .done
  }

  private static func run(_ file: CaseFile, _ options: SimulateOptions, on console: Console) async throws {
    let samples = await timed(file.runs(options.seeds), on: console) { done in
      await file.run(options.seeds, on: Workers(), counting: done)
    }
    let report = CaseReport(cases: file.cases, seeds: options.seeds, samples: samples)
    console.show(options.json ? report.json : nil, or: report.lines)
    if let note = report.note { console.error("netcond simulate: \(note.printable)\n") }
  }

  private static func run(_ file: WorkloadFile, _ options: SimulateOptions, on console: Console) async throws {
    let outcomes = await timed(file.runs(options.seeds), on: console) { done in
      await file.run(options.seeds, on: Workers(), counting: done)
    }
    let report = WorkloadReport(cases: file.cases, seeds: options.seeds, outcomes: outcomes)
    console.show(options.json ? report.json : nil, or: report.lines)
  }

  private static func run(
    _ source: PageSource, over network: SimulateOptions.Network, _ options: SimulateOptions, on console: Console
  ) async throws {
    let changes = PageChange.all(of: source.workload)
    let workloads = [source.workload] + changes.map(\.workload)
    let (first, count) = (options.seeds.seeds.lowerBound, options.seeds.count)
    let outcomes = await timed(workloads.count * count, on: console) { done in
      await Workers().map(workloads.count * count, counting: done) { piece in
        workloads[piece / count].run(seed: first + UInt64(piece % count))
      }
    }
    let runs = workloads.indices.map { Array(outcomes[$0 * count..<($0 + 1) * count]) }
    let report = PageReport(
      source: source, network: network, seeds: options.seeds, outcomes: runs[0],
      changes: zip(changes, runs.dropFirst()).map { ($0, $1.map(\.total)) })
    console.show(options.json ? report.json : nil, or: report.lines)
  }

  /// Shows progress on standard error: how many runs are done and, at the end, how long all took.
  private static func timed<Result>(
    _ runs: Int, on console: Console, _ work: (Locked<Int>) async -> Result
  ) async -> Result {
    let progress = RunProgress(of: runs, on: console)
    let result = await work(progress.done)
    await progress.stop()
    progress.tell(FigureText.count(runs, "run"))
    return result
  }
}

extension TransferScenario {
  /// Runs the scenario with every seed, and returns the outcomes in the seeds' order.
  func run(_ seeds: SeedRange, on workers: Workers, counting done: Locked<Int> = Locked(0)) async -> [Outcome] {
    let first = seeds.seeds.lowerBound
    return await workers.map(seeds.count, counting: done) { run(seed: first + UInt64($0)) }
  }
}
