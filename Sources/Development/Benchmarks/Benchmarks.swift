import Foundation

/// Measures the package's promises, each as a ratio within one run: `swift run -c release Benchmarks [NAME ...]`.
///
/// Without names it runs the short ones (less than 90 s together); `all` runs everything. `--markdown` prints table
/// rows. `--against PATH` also runs another build of this program and prints its numbers beneath.
@main
struct Benchmarks {
  /// A benchmark: its name on the command line, its title, and whether it runs by default.
  private typealias Entry = (name: String, title: String, isShort: Bool, run: @Sendable () async throws -> Void)

  private static let everywhere: [Entry] = [
    ("requests", "Requests per second against a bare canned URLProtocol", true, RequestRate.run),
    ("transfers", "5000 transfers at once under 3G, memory", false, ManyTransfers.run),
    ("throughput", "256 MB from a local server, unlimited", false, Throughput.run),
    ("ahead", "A server at full speed behind a 10 Mbit/s profile", false, ServerAhead.run),
    ("large", "Large bodies up and down, memory", false, LargeBodies.run),
    ("pacing", "A 10 s transfer in real time: delivery against the simulated arrival", false, Pacing.run),
    ("pages", "A page through the proxy, in real time, and in the simulator", false, ProxiedPages.run),
    ("proxy", "curl through the proxy: times, pacing, throughput", false, Proxying.run),
    ("simulator", "The link simulator alone: segments per second, seeds, memory", true, SimulatorSpeed.run),
    ("virtual-time", "Clients in virtual time: speed, and one course for one seed", true, VirtualTime.run),
    ("formats", "Formats of other tools: damaged documents, a long trace, links against netem", false, Formats.run),
    ("documents", "Damaged tokens, schedules, baselines and shards", false, HostileDocuments.run),
    ("retry", "Trials of retry policies", true, RetryTrials.run),
    (
      "retry-coverage", "Intervals of retry benchmarks that hold the truth, of 1000 blocks of seeds", false,
      RetryCoverage.run
    ),
    ("retry-power", "Twice the failures: how often they are noticed, and false alarms", false, RetryPower.run),
    ("retry-overhead", "The time that a policy adds to a request that succeeds at once", true, RetryOverhead.run),
    ("archive", "Archives of recorded traffic: read, served, mutated", false, ArchiveReplay.run),
    ("search", "Searches for the mistakes of clients, and what clean clients cost", true, Searching.run),
    ("explore", "Every fault: points, runs, time, and what brute force finds", false, Exploring.run),
    ("planted", "Every fault on clients with a mistake each, against brute force", false, Exploring.planted),
    ("workers", "Searches in processes: one against two, and a client that traps", false, Working.run),
    ("courses", "Fingerprints of a fixed set of scenarios", false, Courses.run),
    ("soak", "Memory after many requests and many simulations", false, Soak.run),
    ("stress", "Requests that are cancelled and suspended while their network changes and ends", false, Stress.run),
    ("resumes", "A second resume() near a task's end, against a bare class", false, SecondResume.run),
    ("storm", "Many processes of simulations whose clients cancel", false, VirtualTime.storm),
  ]
  #if os(Linux)
    private static let all =
      everywhere + [
        ("clients", "Clients as people write them, captured: one course for one seed", false, Clients.run),
        ("clients-storm", "Many processes of captured simulations that are cancelled", false, Clients.storm),
      ]
  #else
    private static let all = everywhere
  #endif

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "child" { return try await Child.run(Array(arguments.dropFirst())) }
    var names = arguments
    if let option = names.firstIndex(of: "--markdown") {
      names.remove(at: option)
      Rows.areMarkdown = true
    }
    var other: String?
    if let option = names.firstIndex(of: "--against") {
      guard names.indices.contains(option + 1) else { return refuse("--against needs the path of another Benchmarks") }
      other = names.remove(at: option + 1)
      names.remove(at: option)
    }
    if let unknown = names.first(where: { name in name != "all" && !all.contains { $0.name == name } }) {
      return refuse("unknown benchmark \(unknown); there are: \(all.map(\.name).joined(separator: ", ")), all")
    }
    let chosen = all.filter { names.contains("all") || names.isEmpty && $0.isShort || names.contains($0.name) }
    for benchmark in chosen {
      print("\n\(benchmark.name): \(benchmark.title)")
      if let other { Rows.others = try Child.lines(of: other, [benchmark.name]) }
      if Rows.areMarkdown { print("\n| what | measured | goal |\n|---|---|---|") }
      try await benchmark.run()
    }
    if names.isEmpty {
      print(
        "\nLonger ones run by name, or all of them: \(all.filter { !$0.isShort }.map(\.name).joined(separator: ", "))")
    }
  }

  private static func refuse(_ sentence: String) {
    FileHandle.standardError.write(Data("\(sentence)\n".utf8))
    exit(2)
  }
}
