import NetworkConditions

/// `netcond simulate`: how long a transfer takes, over many seeds and in no time.
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
      Self.show(report.json, report.lines(width:style:), options, console)
    case .cases(let path):
      let file = try CaseFile(contentsOf: path, excess: options.excess, limit: options.limit)
      let samples = await Self.timed(file.runs(options.seeds), on: console) { done in
        await file.run(options.seeds, on: Workers(), counting: done)
      }
      let report = CaseReport(cases: file.cases, seeds: options.seeds, samples: samples)
      Self.show(report.json, report.lines(width:style:), options, console)
      if let note = report.note { console.error("netcond simulate: \(note.printable)\n") }
    }
    return .done
  }

  private static func show(
    _ json: @autoclosure () -> JSON, _ lines: (Int, Style) -> [String], _ options: SimulateOptions, _ console: Console
  ) {
    if options.json {
      console.out(json())
    } else {
      console.out(lines(console.width, console.style).joined(separator: "\n") + "\n")
    }
  }

  /// Shows on standard error how many of the runs are done and, at the end, how long all of them took.
  private static func timed<Result>(
    _ runs: Int, on console: Console, _ work: (DoneCount) async -> Result
  ) async -> Result {
    let progress = RunProgress(of: runs, on: console)
    let start = ContinuousClock.now
    let result = await work(progress.done)
    let time = ContinuousClock.now - start
    await progress.stop()
    console.error(console.errorStyle(.faint, "\(Amounts.count(Int64(runs), "run")) in \(Amounts.time(time))") + "\n")
    return result
  }
}

extension TransferScenario {
  /// Runs the scenario with every seed; what came of them stands in their order.
  func run(_ seeds: SeedRange, on workers: Workers, counting done: DoneCount = DoneCount()) async -> [Outcome] {
    let first = seeds.seeds.lowerBound
    return await workers.map(seeds.count, counting: done) { run(seed: first + UInt64($0)) }
  }
}
