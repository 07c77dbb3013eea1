import ExampleClients
import ExampleSearches
import FailureSearch
import Foundation
import Internals
import NetworkConditions

/// `netcond explore`: every fault that can happen to one of the examples' clients.
struct ExploreCommand: Subcommand {
  static let name = "explore"
  static let abstract = "try every fault that can happen to an example's client"
  private static let names = ExampleSearch.explored.map(\.name)
  private static let profileOption = Option(
    "profile", value: "NAME", help: "the profile whose base conditions hold, or a file (usually 3G)")
  private static let boundOption = Option(
    "up-to", value: "N", help: "how many faults may happen in one run (usually 1)")
  private static let fixedOption = Option("fixed", help: "the client without its mistake")
  private static let kindNames = FaultAlphabet.Kind.allCases.map(\.rawValue)
  private static let kindsOption = Option("kinds", value: "LIST", help: "only these kinds of faults")
  private static let everyOption = Option("every-point", help: "run each point, not one of each class")
  private static let timeOption = Option(
    "time-limit", value: "DURATION", help: "how long it may take in real time, by an estimate (1 h)")
  private static let shardOption = Option("shard", value: "I/N", help: "run the I-th of N shares; --merge joins them")
  private static let mergeOption = Option(
    "merge", value: "FILE", repeats: true, help: "explore nothing; put together what the shares printed with --json")
  private static let baselineOption = Option(
    "baseline", value: "FILE", help: "fail only for what this file does not know")
  private static let updateOption = Option(
    "update-baseline", help: "write what breaks the client now to --baseline FILE")
  private static let htmlOption = Option("html", value: "FILE", help: "write a page with a map to a file, too")
  private static let junitOption = Option("junit", value: "FILE", help: "write JUnit's XML to a file, too")
  private static let annotationsOption = Option("annotations", help: "print annotations for GitHub Actions, too")

  static let usage = Usage(
    operands: "EXAMPLE", count: 0...1,
    options: [
      profileOption, boundOption, fixedOption, kindsOption, everyOption, timeOption, shardOption, mergeOption,
      baselineOption, updateOption, htmlOption, junitOption, annotationsOption, .json,
    ],
    examples: ["netcond explore reader", "netcond explore reader --profile 3G --html map.html"],
    inCode: "@Test(.network(\"3G\", everyFault: 1)) does so with a client of your own.",
    notes: [
      "EXAMPLE is one of \(names.joined(separator: ", ")).",
      "Kinds: \(kindNames[..<8].joined(separator: ", ")),", "\(kindNames[8..<16].joined(separator: ", ")),",
      "\(kindNames[16...].joined(separator: ", ")).",
      "Exit status: 0 done, 1 when the client fails in a way that is not known,",
      "2 wrong usage, 130 interrupted: then it reports what was covered so far.",
    ])

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    let baselineFile = arguments[Self.baselineOption]
    if arguments[flag: Self.updateOption], baselineFile == nil {
      throw UsageError("--update-baseline: name the file with --baseline FILE")
    }
    let outputs = try [Self.htmlOption, Self.junitOption].compactMap { option in
      try arguments[option].map { (option, try Output($0, of: option, on: console)) }
    }
    defer { for (_, output) in outputs { output.discard() } }
    var signal: Int32?
    let report: ExplorationReport
    if arguments[all: Self.mergeOption].isEmpty {
      (report, signal) = try await explore(arguments, on: console)
    } else {
      report = try Self.merged(arguments[all: Self.mergeOption])
    }
    let comparison = try baselineFile.flatMap { try Self.compare(report, $0, arguments) }
    let known = Set(comparison?.known ?? [])
    if arguments[flag: .json] {
      console.out(String(decoding: try report.json(), as: UTF8.self) + "\n")
    } else {
      for line in "\(report)".split(separator: "\n", omittingEmptySubsequences: false) {
        for part in Self.wrapped(String(line), to: console.width) { console.out(part + "\n") }
      }
      for words in comparison?.new ?? [] { console.out("new: \(words)\n") }
      for words in comparison?.gone ?? [] { console.out("gone, take it out of the baseline: \(words)\n") }
      if arguments[flag: Self.annotationsOption] {
        for line in report.annotations(known: known) { console.out(line + "\n") }
      }
    }
    for (option, output) in outputs {
      let text = option == Self.htmlOption ? ExplorationPage(report).text : report.junit(known: known)
      try output.write(Data(text.utf8))
      try output.keep()
    }
    if let signal { return .after(signal: signal) }
    let isBroken = comparison.map { !$0.new.isEmpty } ?? !report.failures.isEmpty
    return isBroken ? .failed : .done
  }

  private func explore(_ arguments: Arguments, on console: Console) async throws -> (ExplorationReport, Int32?) {
    guard let name = arguments.operands.first else {
      throw UsageError("name an example: \(Self.names.joined(separator: ", "))")
    }
    guard let example = ExampleSearch.explored.first(where: { $0.name == name }) else {
      let near = NearNames.find(name, among: Self.names, atMost: 2)
      throw UsageError(
        "there is no example \"\(name)\"\(NearNames.question(near) ?? "; there are \(Self.names.joined(separator: ", "))")"
      )
    }
    let profileName = arguments[Self.profileOption] ?? "3G"
    let profile = try ProfileFacts.load(profileName, at: nil)
    let bound =
      try arguments.value(of: Self.boundOption, such: "a number from 1 to 3") { Arguments.number($0, in: 1...3) } ?? 1
    let shard =
      try arguments.value(of: Self.shardOption, such: FaultExploration.Shard.expected) { FaultExploration.Shard($0) }
    let kinds = try Self.kinds(arguments[Self.kindsOption])
    let timeLimit = try arguments[Self.timeOption].map { text in
      try UsageError.naming(Self.timeOption.name) { try Duration(parsing: text) }
    }
    let variant = arguments[flag: Self.fixedOption] ? Variant.fixed : .planted
    let isWhole = arguments[flag: Self.everyOption]
    // The arguments that lead a worker to the same client.
    let words =
      [Self.name, name, "--profile", profileName, "--up-to", "\(bound)"] + (variant == .fixed ? ["--fixed"] : [])
    let progress = ExploreProgress(on: console)
    let work = Task {
      try await example.explore(variant, upTo: bound, under: profile, progress: { progress.note($0, of: $1) }) {
        $0.alphabet.kinds = kinds
        $0.shard = shard ?? .whole
        if let timeLimit { $0.timeLimit = timeLimit }
        $0.workers = console.overrides.workers.started(with: words)
        if isWhole { $0.reduction = .none }
      }
    }
    let interrupt = Interrupt { work.cancel() }
    let result = await work.result
    await progress.stop()
    interrupt.stop()
    do {
      return (try result.get(), interrupt.signal)
    } catch let error as FailureSearchError {
      throw Failure(sentence: "\(error)")
    } catch is CancellationError {
      throw Failure(
        sentence: "interrupted before the first fault",
        status: interrupt.signal.map(ExitStatus.after) ?? .failed)
    }
  }

  /// A line of a report in lines of the terminal's width, broken between words and indented as the first and a little more.
  ///
  /// Code and tokens stay as they are, to be copied, and so do drawings, whose width is their meaning.
  static func wrapped(_ line: String, to width: Int) -> [String] {
    let isProse = !line.contains("netcond1:") && !line.contains { "─━·│┫".contains($0) }
    guard line.count > width, width >= 40, isProse else { return [line] }
    let indent = String(line.prefix { $0 == " " || $0 == "!" })
    let rest = String(repeating: " ", count: indent.count + 2)
    return Help.wrap(String(line.dropFirst(indent.count)), to: width - rest.count).enumerated().map { number, part in
      (number == 0 ? indent : rest) + part
    }
  }

  private static func kinds(_ text: String?) throws -> Set<FaultAlphabet.Kind> {
    guard let text else { return Set(FaultAlphabet.Kind.allCases) }
    return Set(
      try text.split(separator: ",").map { word in
        guard let kind = FaultAlphabet.Kind(rawValue: String(word)) else {
          let names = FaultAlphabet.Kind.allCases.map(\.rawValue)
          throw UsageError(
            "--kinds: \"\(word)\" is no kind of fault; there are \(names.joined(separator: ", "))")
        }
        return kind
      })
  }

  private static func merged(_ files: [String]) throws -> ExplorationReport {
    var whole: ExplorationReport?
    for file in files {
      let data = try Input.report(file, atMost: 256 << 20)
      let part: ExplorationReport
      do throws(ProfileError) {
        part = try ExplorationReport(json: data)
      } catch {
        throw Failure(sentence: "\(file): this is no report of netcond explore --json: \(error)")
      }
      do throws(ExplorationReport.MergeError) {
        if whole == nil { whole = part } else { try whole?.merge(part) }
      } catch {
        throw Failure(sentence: "\(file): \(error)")
      }
    }
    guard let whole else { throw UsageError("--merge: name files") }
    return whole
  }

  private static func compare(
    _ report: ExplorationReport, _ file: String, _ arguments: Arguments
  ) throws -> ExplorationBaseline.Comparison? {
    let place = URL(fileURLWithPath: file)
    if arguments[flag: updateOption] {
      if report.isPartial { throw Failure(sentence: "\(file): what was interrupted is no baseline") }
      do {
        try Data(ExplorationBaseline(report).text.utf8).write(to: place, options: .atomic)
      } catch {
        throw Failure(sentence: "\(file): it cannot be written (\(error.localizedDescription))")
      }
    }
    do throws(ExplorationBaseline.Problem) {
      return try ExplorationBaseline(contentsOf: place).compare(report, file: file)
    } catch {
      throw Failure(sentence: "\(error)")
    }
  }
}

/// How far an exploration is, and how long it will take: a moving line on a terminal, elsewhere a line now and then.
final class ExploreProgress: Sendable {
  private typealias State = (done: Int, total: Int, since: ContinuousClock.Instant, told: ContinuousClock.Instant)
  private let state: Locked<State>
  private let line: MovingLine?
  private let console: Console
  private static let pause = Duration.seconds(10)

  init(on console: Console, at now: ContinuousClock.Instant = .now) {
    let state = Locked<State>((0, 0, now, now))
    (self.state, self.console) = (state, console)
    line =
      console.isLive
      ? MovingLine(on: console, every: .milliseconds(200), isPatient: true) { _ in Self.text(state.value, at: .now) }
      : nil
  }

  func note(_ done: Int, of total: Int, at now: ContinuousClock.Instant = .now) {
    let isDue = state.withLock { state in
      // A new stage begins its estimate anew.
      if state.total != total { state.since = now }
      (state.done, state.total) = (done, total)
      guard now - state.told >= Self.pause else { return false }
      state.told = now
      return true
    }
    if isDue, line == nil { console.error(Self.text(state.value, at: now) + "\n") }
  }

  func stop() async { await line?.stop() }

  private static func text(_ state: State, at now: ContinuousClock.Instant) -> String {
    guard state.done > 0 else { return "  the run without a fault" }
    let rest = (now - state.since) / state.done * (state.total - state.done)
    return "  \(state.done) of \(state.total) runs, \(Amounts.time(rest)) left"
  }
}
