import Foundation

/// Prints what the package promises, each as a ratio measured in one run: `swift run -c release Benchmarks [NAME ...]`.
@main
struct Benchmarks {
  /// The benchmarks: the name of each on the command line, what it shows, and how it is run.
  private static let everywhere: [(name: String, title: String, run: @Sendable () async throws -> Void)] = [
    ("requests", "Requests per second against a bare canned URLProtocol", RequestRate.run),
    ("transfers", "5000 transfers at once under 3G, memory", ManyTransfers.run),
    ("throughput", "256 MB from a local server, unlimited", Throughput.run),
    ("ahead", "A server at full speed behind a 10 Mbit/s profile", ServerAhead.run),
    ("large", "Large bodies up and down, memory", LargeBodies.run),
    ("pacing", "A 10 s transfer in real time: delivery against the simulated arrival", Pacing.run),
    ("proxy", "curl through the proxy: times, pacing, throughput", Proxying.run),
    ("simulator", "The link simulator alone: segments per second, seeds, memory", SimulatorSpeed.run),
    ("virtual-time", "Clients in virtual time: speed, and one course for one seed", VirtualTime.run),
    ("formats", "Formats of other tools: damaged documents, a long trace, links against netem", Formats.run),
    ("documents", "Damaged tokens, schedules, baselines and shards", HostileDocuments.run),
    ("retry", "Trials of retry policies", RetryTrials.run),
    ("retry-coverage", "Intervals of retry benchmarks that hold the truth, of 1000 blocks of seeds", RetryCoverage.run),
    ("retry-power", "Twice the failures: how often they are noticed, and false alarms", RetryPower.run),
    ("archive", "Archives of recorded traffic: read, served, mutated", ArchiveReplay.run),
    ("search", "Searches for the mistakes of clients, and what clean clients cost", Searching.run),
    ("explore", "Every fault: points, runs, time, and what brute force finds", Exploring.run),
    ("planted", "Every fault on clients with a mistake each, against brute force", Exploring.planted),
    ("workers", "Searches in processes: one against two, and a client that traps", Working.run),
    ("courses", "Fingerprints of a fixed set of scenarios", Courses.run),
    ("soak", "Memory after many requests and many simulations", Soak.run),
    ("stress", "Requests that are cancelled and suspended while their network changes and ends", Stress.run),
    ("resumes", "A second resume() near a task's end, against a bare class", SecondResume.run),
    ("storm", "Many processes of simulations whose clients cancel", VirtualTime.storm),
  ]
  #if os(Linux)
    private static let all =
      everywhere + [
        ("clients", "Clients as people write them, captured: one course for one seed", Clients.run),
        ("clients-storm", "Many processes of captured simulations that are cancelled", Clients.storm),
      ]
  #else
    private static let all = everywhere
  #endif

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "child" { return try await Child.run(Array(arguments.dropFirst())) }
    let unknown = arguments.filter { name in !all.contains { $0.name == name } }
    guard unknown.isEmpty else {
      FileHandle.standardError.write(
        Data("unknown benchmark \(unknown[0]); there are: \(all.map(\.name).joined(separator: ", "))\n".utf8))
      exit(2)
    }
    for benchmark in all where arguments.isEmpty || arguments.contains(benchmark.name) {
      print("\n\(benchmark.name): \(benchmark.title)")
      try await benchmark.run()
    }
  }
}
