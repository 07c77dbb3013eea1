import Foundation

/// Prints what the package promises, each as a ratio measured in one run: `swift run -c release Benchmarks [NAME ...]`.
@main
struct Benchmarks {
  /// One benchmark: a name on the command line, what it shows, and how it is run.
  struct Benchmark: Sendable {
    let name: String
    let title: String
    let run: @Sendable () async throws -> Void
  }

  static let all = [
    Benchmark(name: "requests", title: "Requests per second against a bare canned URLProtocol", run: RequestRate.run),
    Benchmark(name: "transfers", title: "5000 transfers at once under 3G, memory", run: ManyTransfers.run),
    Benchmark(name: "throughput", title: "256 MB from a local server, unlimited", run: Throughput.run),
    Benchmark(name: "ahead", title: "A server at full speed behind a 10 Mbit/s profile", run: ServerAhead.run),
    Benchmark(name: "large", title: "Large bodies up and down, memory", run: LargeBodies.run),
    Benchmark(
      name: "pacing", title: "A 10 s transfer in real time: delivery against the simulated arrival", run: Pacing.run),
    Benchmark(
      name: "simulator", title: "The link simulator alone: segments per second, seeds, memory", run: SimulatorSpeed.run),
    Benchmark(
      name: "virtual-time", title: "Clients in virtual time: speed, and one course for one seed", run: VirtualTime.run),
    Benchmark(
      name: "formats", title: "Formats of other tools: damaged documents, a long trace, links against netem",
      run: Formats.run),
    Benchmark(name: "retry", title: "Trials of retry policies", run: RetryTrials.run),
    Benchmark(name: "archive", title: "Archives of recorded traffic: read, served, mutated", run: ArchiveReplay.run),
    Benchmark(
      name: "search", title: "Searches for the mistakes of clients, and what clean clients cost", run: Searching.run),
    Benchmark(name: "courses", title: "Fingerprints of a fixed set of scenarios", run: Courses.run),
    Benchmark(name: "soak", title: "Memory after many requests and many simulations", run: Soak.run),
    Benchmark(
      name: "storm", title: "Many processes of simulations whose clients cancel", run: VirtualTime.storm),
  ]

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
