#if os(Linux)
  import ClientShapes
  import Foundation
  import Internals
  import SimulatedShapes

  /// Captured clients: how many different traces repeated runs give, and whether cancelling them crashes or hangs.
  enum Clients {
    static func run() async throws {
      await measure("one after another", runs: 1000)
      await withBusyProcessors { await measure("one after another, every processor busy", runs: 1000) }
      // Concurrent simulations share the process-wide state.
      await measure("at once", runs: 300, atOnce: ClientShape.all.count)
    }

    private static func measure(_ how: String, runs: Int, atOnce width: Int = 1) async {
      let start = seconds()
      var strays: [String] = []
      var count = 0
      await withTaskGroup(of: (shape: ClientShape, courses: [String: Int]).self) { group in
        var left = ClientShape.all[...]
        func startNext() {
          guard let shape = left.popFirst() else { return }
          group.addTask {
            var courses: [String: Int] = [:]
            for _ in 0..<(shape.isRequired ? runs : 100) { courses[await shape.simulatedCourse(), default: 0] += 1 }
            return (shape, courses)
          }
        }
        for _ in 0..<width { startNext() }
        for await (shape, courses) in group {
          count += courses.values.reduce(0, +)
          let refused = courses.keys.first { !$0.contains(" after ") }
          if courses.count > 1 || refused != nil {
            strays.append("\(shape.name) \(courses.values.sorted(by: >))\(refused.map { ": \($0)" } ?? "")")
          }
          startNext()
        }
      }
      report(
        "\(ClientShape.all.count) clients \(how), \(count) runs",
        "\(strays.isEmpty ? "one course each" : strays.sorted().joined(separator: "; ")), \((seconds() - start).fixed(0)) s",
        goal: "one course each")
    }

    private static let processes = 4
    private static let simulations = 25_000

    static func storm() async throws {
      let start = seconds()
      let children = try (0..<processes).map { try Child.start(["client-storm", "\($0)"]) }
      var cancelled = 0
      var crashes = 0
      for (process, output) in children {
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        if process.terminationStatus != 0 { crashes += 1 }
        cancelled += Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
      }
      report(
        "\(processes * simulations) captured simulations cancelled at random",
        "\(crashes) processes crashed, \(cancelled) ended early, \((seconds() - start).fixed(0)) s",
        goal: "no crash, no hang")
    }

    /// Cancels each simulation after a random real time, and counts those whose trace changed.
    static func stormChild(_ number: Int) async {
      var whole: [[UInt64]: String] = [:]
      var early = 0
      for index in 0..<simulations {
        let place = (index * 5 + number) % ClientShape.all.count
        let shape = ClientShape.all[place]
        let seed = UInt64(index % 4)
        let key = [UInt64(place), seed]
        if whole[key] == nil { whole[key] = await shape.simulatedCourse(seed: seed) }
        let run = Task { await shape.simulatedCourse(seed: seed) }
        try? await Task.sleep(for: .microseconds(Int.random(in: 0..<3000)))
        run.cancel()
        if await run.value != whole[key] { early += 1 }
      }
      print(early)
    }
  }
#endif
