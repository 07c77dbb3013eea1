import Foundation
import Internals
import RetryBenchmark

struct RetryCommand: Subcommand {
  static let name = "retry"
  static let abstract = "compare retry policies over many seeds, without waiting"
  static let usage = RetryOptions.usage

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    let options = try RetryOptions(arguments)
    if options.findsLoads { return try await findLoads(options, isJSON: arguments[flag: .json], on: console) }
    let gate = try BaselineGate(arguments, options, on: console)
    defer { gate?.discard() }
    let output = try ReportOutput(arguments, on: console)
    defer { output.discard() }
    let progress = RunProgress(of: options.trials, on: console)
    let done = progress.done
    let drawsTrials = output.drawsTrials
    let work = Task {
      let count: @Sendable (Int, Int) -> Void = { _, _ in done.withLock { $0 += 1 } }
      let report =
        options.goesOn
        ? try await options.benchmark.runUntilDecided(options.candidates, progress: count)
        : try await options.benchmark.run(options.candidates, progress: count)
      guard drawsTrials, !report.isPartial else { return (report, [NamedTrial]()) }
      do {
        return (report, try await options.drawnTrials(of: report))
      } catch  where Task.isCancelled {
        return (report, [])
      }
    }
    let interrupt = Interrupt { work.cancel() }
    let result = await work.result
    await progress.stop()
    interrupt.stop()
    let report: RetryReport
    let drawn: [NamedTrial]
    do {
      (report, drawn) = try result.get()
    } catch {
      throw Self.shown(error)
    }
    let signal = interrupt.signal
    progress.tell(FigureText.count(done.value, "trial"))
    try output.show(report, trials: drawn, interrupted: signal != nil, on: console)
    if let signal { return .after(signal: signal) }
    if !arguments[flag: .json] {
      console.error(console.errorStyle(.faint, RetryOptions.hint(arguments, report)) + "\n")
    }
    let status = try gate?.check(report, on: console) ?? .done
    // Waiting for a network is correct behaviour, so it does not fail the command.
    return report.leftOut.allSatisfy(\.isWaiting) ? status : .failed
  }

  /// Searches for the loads from which the server recovers, and prints them.
  private func findLoads(_ options: RetryOptions, isJSON: Bool, on console: Console) async throws -> ExitStatus {
    let done = Locked(0)
    let search = Task {
      try await options.benchmark.findLoads(options.candidates) { done.withLock { $0 += 1 } }
    }
    let line =
      console.isLive ? MovingLine(on: console, every: .milliseconds(200)) { _ in "  \(done.value) trials" } : nil
    let interrupt = Interrupt { search.cancel() }
    let result = await search.result
    await line?.stop()
    interrupt.stop()
    if let signal = interrupt.signal {
      let trials = FigureText.count(done.value, "trial")
      console.error("netcond retry: interrupted after \(trials); no load was found\n")
      return .after(signal: signal)
    }
    do {
      let loads = try result.get()
      guard !isJSON else {
        console.out(String(decoding: try loads.stableJSON(), as: UTF8.self) + "\n")
        return .done
      }
      console.error(console.errorStyle(.faint, FigureText.count(done.value, "trial")) + "\n")
      console.show(nil, or: loads.lines)
      return .done
    } catch {
      throw Self.shown(error)
    }
  }

  private static func shown(_ error: any Error) -> any Error {
    guard let error = error as? RetryBenchmarkError else { return error }
    if case .impossible = error { return UsageError("\(error)") }
    // A trial has no secrets, and redaction would remove the token that repeats it.
    return Failure(sentence: "\(error)".replacing("\n", with: ". "), explanation: error.explanation)
  }
}
