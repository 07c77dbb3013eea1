import Foundation
import NetworkConditions

extension FailureSearch {
  /// Where the runs of a search are made, and how many at once.
  ///
  /// In separate processes runs are safe from each other: a client that traps, hangs, or uses too much memory is a
  /// failure like any other. They are also faster where clients share something within a process, as `URLSession`s do.
  ///
  /// A process is this program, started again. Under the traits and in XCTest it runs this one test.
  public struct Workers: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// How many runs are made at the same time.
    public let count: Int
    let processes: Processes?

    struct Processes: Hashable, Sendable {
      let timeLimit: Duration
      let memoryLimit: Int64
      /// The source location of the search, by which a worker process finds its search.
      var place: String
      /// Whether ``place`` is a name that no other search of the process has.
      var isNamed = false
      /// The arguments with which worker processes are started; `nil` takes this process's own arguments.
      var arguments: [String]?
    }

    /// Makes this many runs at once in this process.
    public init(integerLiteral count: Int) {
      self = .inProcess(count)
    }

    private init(_ count: Int?, _ processes: Processes? = nil) {
      self.count = max(1, count ?? ProcessInfo.processInfo.activeProcessorCount)
      self.processes = processes
    }

    /// Makes the runs in this process.
    ///
    /// - Parameter count: how many at once; `nil` is as many as there are processors.
    public static func inProcess(_ count: Int? = nil) -> Workers {
      Workers(count)
    }

    /// Makes the runs in separate processes, one at a time in each.
    ///
    /// All processes share the files that a client keeps; a `count` of 1 makes the runs one after another.
    ///
    /// - Parameters:
    ///   - count: how many processes; `nil` is as many as there are processors.
    ///   - timeLimit: how long in real time a run may take before it counts as endless.
    ///   - memoryLimit: how many bytes of memory a process may use before its run counts as a failure.
    ///   - fileID: the file of the search, by which a worker process finds its search.
    ///   - line: the line of the search.
    public static func processes(
      _ count: Int? = nil, timeLimit: Duration = .seconds(60), memoryLimit: Int64 = 4 << 30,
      fileID: StaticString = #fileID, line: UInt = #line
    ) -> Workers {
      Workers(count, Processes(timeLimit: timeLimit, memoryLimit: memoryLimit, place: "\(fileID):\(line)"))
    }

    package var areProcesses: Bool { processes != nil }

    /// Returns workers that are started with other arguments, and that may find their search by a name.
    package func started(for place: String? = nil, with arguments: [String]) -> Workers {
      guard var processes else { return self }
      (processes.place, processes.arguments, processes.isNamed) = (place ?? processes.place, arguments, place != nil)
      return Workers(count, processes)
    }
  }
}

extension SearchRunner {
  /// Runs the search with these workers; never returns in a process that was started as a worker for this search.
  func withWorkers<Result>(
    _ workers: FailureSearch.Workers, _ work: (SearchRunner) async throws -> Result
  ) async throws -> Result {
    guard var processes = workers.processes else { return try await work(self) }
    // One line may make several searches, for example in a loop; every process makes them in the same order.
    if !processes.isNamed { processes.place += ", search \(WorkerPost.turn(at: processes.place))" }
    // A worker process has no workers.
    if let post = WorkerPost.current {
      if post.isFor(processes.place) { await post.serve(self) }
      return try await work(self)
    }
    let pool = try WorkerPool(processes)
    defer { pool.end() }
    var runner = self
    runner.pool = pool
    // A worker process does not write the file of known failures; this process does.
    runner.known = nil
    return try await work(runner)
  }
}
