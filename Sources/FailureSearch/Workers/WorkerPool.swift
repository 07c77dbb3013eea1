#if os(macOS) || os(Linux)
  import Dispatch
  import Foundation
  import Internals
  import NetworkConditions

  /// The worker processes that make the runs of a search, one for each parallel run.
  final class WorkerPool: Sendable {
    private let setting: FailureSearch.Workers.Processes
    private let idle = Mutex<[WorkerProcess]>([])

    init(_ setting: FailureSearch.Workers.Processes) throws { self.setting = setting }

    /// Makes a run in a worker process; `nil` where it cannot be made in any process.
    func verdict(_ token: ReplayToken, of runner: SearchRunner, isRecorded: Bool) async throws -> Verdict? {
      guard let order = WorkerOrder(token, of: runner, isRecorded: isRecorded) else { return nil }
      let worker = try idle.withLock { $0.popLast() } ?? WorkerProcess(setting)
      let answer = try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { waiter in
          DispatchQueue.global().async {
            waiter.resume(with: Result { try worker.answer(to: order, within: runner.timeLimit) })
          }
        }
      } onCancel: {
        worker.abandon()
      }
      try Task.checkCancellation()
      guard case .verdict(let verdict) = answer else { return nil }
      if verdict.ending == nil { idle.withLock { $0.append(worker) } }
      return verdict
    }

    func end() { idle.withLock { $0 = [] } }
  }

  private final class WorkerProcess: Sendable {
    private let setting: FailureSearch.Workers.Processes
    private let process: Process
    private let line: WorkerLine
    private let errors: FileHandle
    private let isAbandoned = Mutex(false)
    private let isReady = Mutex(false)

    /// How long a process may take to reach its search, and to report its end.
    private static let startLimit = Duration.seconds(300)
    private static let endLimit = Duration.seconds(5)
    private static let kept = 16 << 10

    init(_ setting: FailureSearch.Workers.Processes) throws {
      guard let (own, other) = WorkerLine.pair() else { throw Self.failure("there are no file descriptors left") }
      (self.setting, line, process) = (setting, own, Process())
      process.executableURL = FailureSearch.Workers.program
      process.arguments = setting.arguments ?? Array(CommandLine.arguments.dropFirst())
      process.environment = ProcessInfo.processInfo.environment.merging([
        WorkerPost.key: setting.place,
        // The message of a trap is enough; a backtrace takes a second.
        "SWIFT_BACKTRACE": "enable=no",
        // All processes must print the keys of an error in one order, or one failure would look like many.
        "SWIFT_DETERMINISTIC_HASHING": "1",
      ]) { $1 }
      let pipe = Pipe()
      errors = pipe.fileHandleForReading
      (process.standardInput, process.standardOutput, process.standardError) = (other, other, pipe)
      do {
        try process.run()
      } catch {
        throw Self.failure(error.localizedDescription)
      }
      try? pipe.fileHandleForWriting.close()
      try? other.close()
      _ = fcntl(errors.fileDescriptor, F_SETFL, O_NONBLOCK)
    }

    private static func failure(_ reason: String) -> FailureSearchError {
      .impossible("a worker process cannot be started: \(reason)")
    }

    deinit {
      // Another process may already have the identifier of an ended one.
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Ends the process during a run whose result is no longer needed.
    func abandon() { isAbandoned.withLock { $0 = true } }

    // MARK: A run

    func answer(to order: WorkerOrder, within limit: Duration?) throws -> WorkerAnswer {
      let limit = min(setting.timeLimit, limit ?? setting.timeLimit)
      var output = Output()
      if !isReady.withLock({ $0 }) {
        guard wait(for: WorkerPost.greeting, Self.startLimit, &output) else {
          throw isAbandoned.withLock { $0 } ? CancellationError() : Self.failure(silence(output))
        }
        isReady.withLock { $0 = true }
      }
      output = Output()
      guard line.send(order) else { return died(nil, output) }
      var reason: Ending?
      let text = receive(limit, &output, reason: &reason)
      if let text, let answer = Self.answer(text) {
        guard case .verdict(let verdict) = answer, verdict.ending != nil, verdict.failure == nil else { return answer }
        return died(verdict, output)
      }
      if isAbandoned.withLock({ $0 }) { throw CancellationError() }
      guard let reason else { return died(nil, output) }
      // SIGABRT makes the process report how far its run had come.
      kill(process.processIdentifier, SIGABRT)
      var ignored: Ending?
      let last = receive(Self.endLimit, &output, reason: &ignored).flatMap(Self.answer)
      guard case .verdict(let verdict) = last else { return died(nil, output, reason, after: limit) }
      return died(verdict, output, reason, after: limit)
    }

    private static func answer(_ text: String) -> WorkerAnswer? {
      try? JSONDecoder().decode(WorkerAnswer.self, from: Data(text.utf8))
    }

    /// Why the parent ends a run.
    private enum Ending {
      case time, memory
    }

    /// The last bytes that a process printed, up to a limit.
    private struct Output {
      var bytes: [UInt8] = []

      mutating func read(_ descriptor: Int32) {
        while true {
          let more = [UInt8](unsafeUninitializedCapacity: WorkerProcess.kept) { buffer, count in
            count = max(0, Foundation.read(descriptor, buffer.baseAddress!, buffer.count))
          }
          if more.isEmpty { return }
          bytes = Array((bytes + more).suffix(WorkerProcess.kept))
        }
      }

      var lines: [Substring] { String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) }
    }

    private func receive(_ limit: Duration, _ output: inout Output, reason: inout Ending?) -> String? {
      let deadline = ContinuousClock.now + limit
      return line.receive(besides: errors.fileDescriptor) { isLong in
        output.read(errors.fileDescriptor)
        if isAbandoned.withLock({ $0 }) { return false }
        if ContinuousClock.now > deadline { reason = .time }
        if isLong, ProcessMemory.bytes(of: process.processIdentifier) > setting.memoryLimit { reason = .memory }
        return reason == nil
      }
    }

    /// Waits for a line that ends in this text; skips what the program prints before.
    private func wait(for text: String, _ limit: Duration, _ output: inout Output) -> Bool {
      var reason: Ending?
      while let line = receive(limit, &output, reason: &reason) {
        if line.hasSuffix(text) { return true }
      }
      return false
    }

    /// The words with which Swift reports a fatal error.
    private static let crashMarks = [": Fatal error", ": Precondition failed", ": Assertion failed"]

    private func died(
      _ known: Verdict?, _ output: Output, _ reason: Ending? = nil, after limit: Duration? = nil
    ) -> WorkerAnswer {
      var output = output
      kill(process.processIdentifier, SIGKILL)
      // `Process.waitUntilExit` takes more than a millisecond of processor time.
      var status = siginfo_t()
      waitid(P_PID, id_t(process.processIdentifier), &status, WEXITED | WNOWAIT)
      output.read(errors.fileDescriptor)
      var verdict = known ?? .nothing
      let (label, message): (String, String)
      switch reason {
      case .time:
        label = FailureText.endless
        message = "The client has not returned after \(limit ?? setting.timeLimit) of real time"
      case .memory:
        label = FailureText.memory
        message = "The client used more than \(setting.memoryLimit >> 20) MiB of memory"
      case nil:
        // The last line with these words is the reason of the trap.
        let words = output.lines.last { line in Self.crashMarks.contains { line.contains($0) } }
        let signal = verdict.ending ?? "an exit of its own"
        label = "\(FailureText.end) (\(words.map { Fingerprint.withoutNumbers(String($0)) } ?? signal))"
        message = "The client ended its process (\(signal))\(words.map { ": \($0)" } ?? "")"
      }
      verdict.ending = verdict.ending ?? label
      verdict.failure = SearchRun.Failure(
        fingerprint: Fingerprint(error: label), message: "\(message), at \(verdict.length.formatText) of its time.")
      return .verdict(verdict)
    }

    /// Why a process never reached its search, in words.
    private func silence(_ output: Output) -> String {
      let last = output.lines.suffix(3).joined(separator: " / ")
      return
        "it ended, or took \(Self.startLimit), before it reached this search\(last.isEmpty ? "" : "; it printed: \(last)")"
    }
  }
#endif
