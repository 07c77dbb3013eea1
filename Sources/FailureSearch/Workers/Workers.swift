import Foundation
import NetworkConditions

extension FailureSearch {
  /// Where the runs of a search are made, and how many at once.
  ///
  /// In processes of their own runs are safe from each other: a client that traps, never comes back, or eats memory is
  /// a failure like any other. And they are faster wherever a client shares something in one process, as all
  /// `URLSession`s do.
  ///
  /// A process is this program, started again: under the traits and in XCTest the test program, with this one test.
  public struct Workers: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// How many runs go on at once.
    public let count: Int
    let processes: Processes?

    struct Processes: Hashable, Sendable {
      let timeLimit: Duration
      let memoryLimit: Int64
      /// The place that asks for them, by which a process knows the search that it is made for.
      var place: String
      /// Whether the place is a name that no other search of the process has.
      var isNamed = false
      /// The words behind the program's name; `nil` are those of this process.
      var arguments: [String]?
    }

    /// Runs in this process, some at once.
    public init(integerLiteral count: Int) {
      self = .inProcess(count)
    }

    private init(_ count: Int?, _ processes: Processes? = nil) {
      self.count = max(1, count ?? ProcessInfo.processInfo.activeProcessorCount)
      self.processes = processes
    }

    /// Runs in this process.
    ///
    /// - Parameter count: how many at once; `nil` is as many as there are processors.
    public static func inProcess(_ count: Int? = nil) -> Workers {
      Workers(count)
    }

    /// Runs in processes of their own, one at a time in each.
    ///
    /// The processes share the files that a client keeps: with a `count` of 1 the runs are made one after another.
    ///
    /// - Parameters:
    ///   - count: how many processes; `nil` is as many as there are processors.
    ///   - timeLimit: how long in real time a run may take before it counts as one that never ends.
    ///   - memoryLimit: how many bytes of memory a process may take before the run counts as one that eats it.
    ///   - fileID: the place that asks for them, by which a process knows the search that it is made for.
    ///   - line: the same.
    public static func processes(
      _ count: Int? = nil, timeLimit: Duration = .seconds(60), memoryLimit: Int64 = 4 << 30,
      fileID: StaticString = #fileID, line: UInt = #line
    ) -> Workers {
      Workers(count, Processes(timeLimit: timeLimit, memoryLimit: memoryLimit, place: "\(fileID):\(line)"))
    }

    package var areProcesses: Bool { processes != nil }

    /// The same, where a process is started by other arguments, and knows its search by the name of a place.
    package func started(for place: String? = nil, with arguments: [String]) -> Workers {
      guard var processes else { return self }
      (processes.place, processes.arguments, processes.isNamed) = (place ?? processes.place, arguments, place != nil)
      return Workers(count, processes)
    }
  }
}

extension SearchTrial {
  /// Has work done with the workers that are asked for; in a process that was started for this very search it never returns.
  func manned<Result>(
    by workers: FailureSearch.Workers, _ work: (SearchTrial) async throws -> Result
  ) async throws -> Result {
    guard var processes = workers.processes else { return try await work(self) }
    // The searches that one line makes, as in a loop, come in their order in every process.
    if !processes.isNamed { processes.place += ", search \(WorkerPost.turn(at: processes.place))" }
    // A worker process has no workers.
    if let post = WorkerPost.current {
      if post.isFor(processes.place) { await post.serve(self) }
      return try await work(self)
    }
    let crew = try WorkerCrew(processes)
    defer { crew.end() }
    var trial = self
    trial.crew = crew
    // Who ends a process writes nothing down: the search does.
    trial.known = nil
    return try await work(trial)
  }
}
