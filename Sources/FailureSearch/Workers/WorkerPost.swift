import Foundation
import Internals
import NetworkConditions

/// A worker process, which makes runs for a search in another process.
///
/// Orders come on standard input and answers go to standard output, each a line of JSON. The client's own output goes
/// to standard error. It is read only where a run ends the process.
struct WorkerPost: Sendable {
  /// The environment variable that names the search.
  static let key = "NETCOND_WORKER"
  static let greeting = "netcond worker 1"
  /// This process as a worker; `nil` if it is none.
  static let current = ProcessInfo.processInfo.environment[key].map(WorkerPost.init)

  private static let turns = Mutex<[String: Int]>([:])

  private let place: String

  private init(_ place: String) { self.place = place }

  static func turn(at place: String) -> Int {
    turns.withLock { turns in
      turns[place, default: 0] += 1
      return turns[place, default: 0]
    }
  }

  func isFor(_ place: String) -> Bool { place == self.place }

  func serve(_ runner: SearchRunner) async -> Never {
    let line = WorkerLine.ofThisProcess()
    let dying = DyingRun(line)
    line.send(Self.greeting)
    // A cancellation of this task, for example by a test's time limit, must not cancel the runs.
    await Task(executorPreference: DriverThreads.executor) { [runner] in
      var runner = runner
      runner.prepare = { [prepare = runner.prepare] network in
        dying.witness(network)
        try await prepare(network)
      }
      while let text = line.receive(), let order = try? JSONDecoder().decode(WorkerOrder.self, from: Data(text.utf8)) {
        let (token, runner) = order.run(of: runner)
        dying.begin(token)
        do {
          let verdict = try await runner.verdict(token, isRecorded: order.isRecorded)
          // The failed run may still hold a thread: the next run gets a new process.
          if let failure = verdict.failure, failure.holdsThread {
            var last = dying.verdict(endedBy: failure.fingerprint.error)
            last?.failure = failure
            line.send(last.map(WorkerAnswer.verdict) ?? .refused)
            break
          }
          dying.end()
          line.send(WorkerAnswer.verdict(verdict))
        } catch {
          line.send(WorkerAnswer.refused)
          break
        }
      }
    }.value
    exit(0)
  }
}

/// The run that a worker is making, kept so that it can be reported if it ends the process.
private final class DyingRun: Sendable {
  private let run = Mutex<(token: ReplayToken, network: SimulatedNetwork?)?>(nil)

  init(_ line: WorkerLine) {
    CrashReporter.onDeath { [self] signal in
      if let verdict = verdict(endedBy: signal) { line.send(WorkerAnswer.verdict(verdict)) }
    }
  }

  func begin(_ token: ReplayToken) { run.withLock { $0 = (token, nil) } }
  func witness(_ network: SimulatedNetwork) { run.withLock { $0?.network = network } }
  func end() { run.withLock { $0 = nil } }

  func verdict(endedBy signal: String) -> Verdict? {
    guard let (token, network) = run.withLock({ $0 }), let network else { return nil }
    let timeline = network.timeline
    var verdict = Verdict(timeline, under: token.inputs.profile)
    (verdict.ending, verdict.schedule) = (signal, token.schedule(of: network.faultSchedule))
    verdict.written = Verdict.WrittenTimeline(timeline, faults: verdict.schedule?.faults ?? [])
    return verdict
  }
}
