import ClientCapture
import Foundation
import Internals
import Testing
import URLLoading

@testable import NetworkConditions

/// Clients that are launched, killed and launched again.
@Suite(.enabled(if: CaptureMode.obstacle == nil)) struct LaunchTests {
  private static func schedule(_ moments: KillMoment...) throws -> FaultSchedule {
    try FaultSchedule("3G", faults: moments.map { ScheduledFault(.kill($0)) })
  }

  private static func times(_ seconds: Int...) -> [Duration] { seconds.map { .seconds($0) } }

  @Test func `a launched client that is not killed runs once, in a folder that is removed`() async throws {
    let run = try await Simulation("3G") { network in
      try await network.launch { app in
        #expect(app.isFirst && app.number == 1)
        let file = app.folder.appendingPathComponent("of a client that nobody kills")
        try Data("a".utf8).write(to: file)
        return file
      }
    }
    // Another run may use the folder's path by now.
    #expect(!FileManager.default.fileExists(atPath: run.value.path))
  }

  @Test func `the folder of clients whose network has ended is the folder of later clients`() throws {
    // Other tests hold some of the folders meanwhile, but not twenty new ones.
    let paths = try (0..<20).map { _ in try ClientLives().nextLaunch(of: nil).folder.path }
    #expect(Set(paths).count < 20)
  }

  @Test func `a client that a cancelled task launches is cancelled from its beginning`() async throws {
    let run = try await Simulation("3G") { network in
      let caller = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await network.launch { _ in Task.isCancelled }
      }
      return try await caller.value
    }
    #expect(run.value)
  }

  @Test func `a killed client is launched again with its files, and its requests are cancelled`() async throws {
    let run = try await Simulation(replaying: Self.schedule(.at(.seconds(5)))) { network in
      let route = network.stub("/slow", with: .never)
      return try await network.launch { app in
        let file = app.folder.appendingPathComponent("file")
        if app.isFirst {
          try Data("written".utf8).write(to: file)
          _ = try await network.session.data(from: url("https://api.example.com/slow"))
        }
        return (try String(contentsOf: file, encoding: .utf8), network.now, route.requests[0].wasCancelled)
      }
    }
    #expect(run.value.0 == "written")
    #expect(run.value.1 == .zero.advanced(by: .seconds(5)))
    #expect(run.value.2)
    #expect(run.unusedFaults.isEmpty)
    #expect(run.timeline.events.filter { $0.transfer == nil }.map(\.kind).suffix(2) == [.killed, .launched(2)])
  }

  @Test func `a file change between two launches of a client kills neither launch`() async throws {
    let run = try await Simulation(replaying: Self.schedule(.afterFileChange(2))) { network in
      let folder = try await network.launch { app in app.folder }
      for number in 0..<4 {
        let write = Task.detached { FileManager.default.createFile(atPath: folder.path + "/\(number)", contents: nil) }
        #expect(await write.value)
      }
      return try await network.launch { app in app.number }
    }
    #expect(run.value == 2 && run.unusedFaults.count == 1)
  }

  @Test func `tasks, timers, queues, threads and sleeps of a killed client never continue`()
    async throws
  {
    final class Steps: Sendable {
      private let steps = Mutex<[String]>([])
      var all: [String] { steps.withLock { $0 } }
      func note(_ step: String) { steps.withLock { $0.append(step) } }
    }
    final class Noting: Sendable {
      let steps: Steps
      init(_ steps: Steps) { self.steps = steps }
      deinit { steps.note("deinitialized") }
    }
    let steps = Steps()
    let run = try await Simulation(replaying: Self.schedule(.at(.seconds(5)))) { network in
      try await network.launch { app in
        if app.isFirst {
          let held = Noting(steps)
          Task.detached {
            try? await Task.sleep(for: .seconds(10))
            steps.note("task")
          }
          async let child: Void = Task.sleep(for: .seconds(10))
          DispatchQueue.main.asyncAfter(deadline: .now() + 10) { steps.note("main") }
          DispatchQueue.global().async {
            Thread.sleep(forTimeInterval: 10)
            steps.note("queue")
          }
          Thread.detachNewThread {
            sleep(10)
            steps.note("thread")
          }
          let timer = DispatchSource.makeTimerSource()
          timer.schedule(deadline: .now() + 10)
          timer.setEventHandler { steps.note("timer") }
          timer.resume()
          OperationQueue.main.addOperation {
            usleep(10_000_000)
            steps.note("operation")
          }
          try? await network.clock.sleep(for: .seconds(10))
          try? await child
          steps.note("sleep")
          withExtendedLifetime((held, timer)) {}
        }
        // The main queue and its operations belong to the new client.
        await withCheckedContinuation { done in
          OperationQueue.main.addOperation { DispatchQueue.main.async { done.resume() } }
        }
        try await Task.sleep(for: .seconds(60))
      }
      // The caller's own work continues.
      try await Task.sleep(for: .seconds(60))
    }
    #expect(steps.all == [])
    #expect(run.elapsed == .seconds(125))
  }

  @Test func `a client can be killed after each change of its files and keeps the changes`() async throws {
    let texts = Mutex<[[String]]>([])
    for number in 1...7 {
      let run = try await Simulation(replaying: Self.schedule(.afterFileChange(number))) { network in
        try await network.launch { app in
          let (one, two) = (app.folder.appendingPathComponent("one"), app.folder.appendingPathComponent("two"))
          if app.isFirst {
            try Data("1".utf8).write(to: one)
            try Data("2".utf8).write(to: two)
            try FileManager.default.removeItem(at: one)
          }
          let found = [one, two].map { (try? String(contentsOf: $0, encoding: .utf8)) ?? "-" }
          texts.withLock { $0.append(found + ["\(app.number)"]) }
        }
      }
      #expect(run.unusedFaults.count == (number > 5 ? 1 : 0))
    }
    #expect(
      texts.withLock { $0 } == [
        ["", "-", "2"], ["1", "-", "2"], ["1", "", "2"], ["1", "2", "2"], ["-", "2", "2"], ["-", "2", "1"],
        ["-", "2", "1"],
      ])
  }

  #if os(Linux)
    /// Runs a client until the power fails after five seconds, and returns the texts of its files as the next launch finds them.
    private static func files(
      _ moment: KillMoment = .at(.seconds(5)), after work: @escaping @Sendable (URL) throws -> Void
    ) async throws -> [String: String] {
      let schedule = try FaultSchedule("3G", faults: [ScheduledFault(.powerLoss(moment))])
      let run = try await Simulation(replaying: schedule) { network in
        try await network.launch { app in
          if app.isFirst {
            try work(app.folder)
            try await Task.sleep(for: .seconds(10))
          }
          let names = try FileManager.default.contentsOfDirectory(atPath: app.folder.path)
          return try Dictionary(
            uniqueKeysWithValues: names.map {
              ($0, try String(contentsOf: app.folder.appendingPathComponent($0), encoding: .utf8))
            })
        }
      }
      #expect(run.unusedFaults.isEmpty)
      #expect(run.timeline.events.contains { $0.kind == .powerLost })
      return run.value
    }

    /// Appends to a file, and creates it if it is missing.
    private static func append(
      _ text: String, to file: URL, flags: Int32 = 0, synchronise: (Int32) -> Int32 = { _ in 0 }
    ) {
      let descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND | flags, 0o600)
      #expect(text.withCString { write(descriptor, $0, strlen($0)) } == text.utf8.count)
      #expect(synchronise(descriptor) == 0)
      close(descriptor)
    }

    @Test func `after a power loss files have the bytes of their last synchronisation`() async throws {
      let files = try await Self.files { folder in
        func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
        Self.append("lost", to: file("never"))
        Self.append("kept", to: file("once"), synchronise: fsync)
        Self.append(" lost", to: file("once"))
        Self.append("kept", to: file("data alone"), synchronise: fdatasync)
        Self.append("kept", to: file("each write"), flags: O_DSYNC)
        try Data("kept".utf8).write(to: file("atomic"), options: .atomic)
        Self.append("kept", to: file("emptied"), synchronise: fsync)
        close(open(file("emptied").path, O_WRONLY | O_TRUNC))
      }
      #expect(
        files == [
          "never": "", "once": "kept", "data alone": "kept", "each write": "kept", "atomic": "kept", "emptied": "kept",
        ])
    }

    @Test func `after a power loss renamed files keep their synchronised bytes`() async throws {
      let files = try await Self.files { folder in
        func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
        Self.append("old", to: file("replaced"), synchronise: fsync)
        Self.append("lost", to: file("new"))
        #expect(rename(file("new").path, file("replaced").path) == 0)
        Self.append("kept", to: file("moved"), synchronise: fsync)
        try FileManager.default.createDirectory(at: file("folder"), withIntermediateDirectories: true)
        try FileManager.default.removeItem(at: file("folder"))
        #expect(rename(file("moved").path, file("here").path) == 0)
        // A new file may get the inode number of a removed one.
        for number in 0..<20 {
          Self.append("of another", to: file("removed"), synchronise: fsync)
          try FileManager.default.removeItem(at: file("removed"))
          Self.append("lost", to: file("after \(number)"))
        }
      }
      #expect(files.filter { !$0.key.hasPrefix("after") } == ["replaced": "", "here": "kept"])
      #expect(files.filter { $0.key.hasPrefix("after") }.map(\.value) == Array(repeating: "", count: 20))
    }

    @Test func `the call of sync synchronises all files before a power loss`() async throws {
      // Each file is created and then written: the power fails between these two for "late".
      let files = try await Self.files(.afterFileChange(5)) { folder in
        Self.append("kept", to: folder.appendingPathComponent("one"))
        Self.append("kept", to: folder.appendingPathComponent("two"))
        sync()
        Self.append("lost", to: folder.appendingPathComponent("late"))
      }
      #expect(files == ["one": "kept", "two": "kept", "late": ""])
    }
  #endif

  @Test func `two scheduled kills launch a client three times`() async throws {
    let run = try await Simulation(replaying: Self.schedule(.at(.seconds(2)), .at(.seconds(3)))) { network in
      try await network.launch { app in
        if app.number < 3 { try await Task.sleep(for: .seconds(100)) }
        return app.number
      }
    }
    #expect(run.value == 3)
    #expect(run.elapsed == .seconds(3))
  }

  @Test func `a relaunched client opens a new connection`() async throws {
    let run = try await Simulation(replaying: Self.schedule(.at(.seconds(5)))) { network in
      network.stub("/feed", with: .json("[]"))
      try await network.launch { app in
        _ = try await network.session.data(from: url("https://api.example.com/feed"))
        if app.isFirst { try await Task.sleep(for: .seconds(100)) }
      }
    }
    #expect(run.timeline.transfers.map(\.reusedConnection) == [false, false])
    #expect(run.timeline.transfers.map(\.outcome) == [.finished, .finished])
  }

  @Test func `a stub handler that sleeps resumes after its client was killed`() async throws {
    let answered = Mutex(false)
    _ = try await Simulation(replaying: Self.schedule(.at(.seconds(5)))) { network in
      network.stub(
        "/slow",
        with: .handler { _ async throws -> StubResponse in
          try? await network.clock.sleep(for: .seconds(20))
          answered.withLock { $0 = true }
          return .status(200)
        })
      try await network.launch { app in
        guard app.isFirst else { return try await Task.sleep(for: .seconds(100)) }
        _ = try? await network.session.data(from: url("https://api.example.com/slow"))
      }
    }
    #expect(answered.withLock { $0 })
  }

  @Test func `two runs with a kill have the same trace hash, and kills survive in schedules`() async throws {
    let schedule = try Self.schedule(.at(.milliseconds(700)), .afterFileChange(2))
    let losses = try FaultSchedule(
      "3G", faults: [.powerLoss(.at(.milliseconds(700))), .powerLoss(.afterFileChange(2))].map { ScheduledFault($0) })
    for schedule in [schedule, losses] { #expect(try FaultSchedule(json: Data(schedule.formatText.utf8)) == schedule) }
    #expect(
      (schedule.faults + losses.faults).map(\.description) == [
        "at 700 ms: the client is killed", "after the 2nd change of its files: the client is killed",
        "at 700 ms: the power fails", "after the 2nd change of its files: the power fails",
      ])
    let hashes = try await [0, 1].mapInOrder { _ in
      try await Simulation(replaying: schedule) { network in
        network.stub("/feed", with: .bytes(count: 50_000))
        try await network.launch { app in
          let (data, _) = try await network.session.data(from: url("http://api.example.com/feed"))
          try data.write(to: app.folder.appendingPathComponent("feed"), options: .atomic)
        }
      }.traceHash
    }
    #expect(hashes[0] == hashes[1])
  }

  @Test func `a power loss comes before a kill after the same file change`() async throws {
    let moment = KillMoment.afterFileChange(1)
    let schedule = try FaultSchedule("3G", faults: [.kill(moment), .powerLoss(moment)].map { ScheduledFault($0) })
    let run = try await Simulation(replaying: schedule) { network in
      try await network.launch { app in
        if app.isFirst { try Data("x".utf8).write(to: app.folder.appendingPathComponent("a")) }
        return app.number
      }
    }
    #expect(run.value == 2 && run.unusedFaults.map(\.kind) == [.kill(moment)])
  }

  @Test func `a suspended app can be killed`() async throws {
    let run = try await Simulation(replaying: Self.schedule(.at(.seconds(5)))) { network in
      try await network.launch { app in
        if app.isFirst {
          network.suspendApp(for: .seconds(60))
          try await network.clock.sleep(for: .seconds(1))
        }
        return (app.number, network.now)
      }
    }
    #expect(run.value == (2, .zero.advanced(by: .seconds(5))))
  }

  @Test func `a kill after the client's end is reported as unused`() async throws {
    let run = try await Simulation(replaying: Self.schedule(.at(.seconds(5)))) { network in
      try await network.launch { _ in try await network.clock.sleep(for: .seconds(1)) }
      try await network.clock.sleep(for: .seconds(10))
    }
    #expect(run.unusedFaults.map(\.kind) == [.kill(.at(.seconds(5)))])
  }

  /// The phases of the profile repeat, so there is always a next event.
  @Test func `a relaunched client that waits for ever is a deadlock at once, and its folder is removed`() async throws {
    let schedule = try FaultSchedule("driving", faults: [ScheduledFault(.kill(.at(.seconds(5))))])
    let path = Mutex("")
    let error = await #expect(throws: SimulationError.self) {
      try await Simulation(replaying: schedule) { network in
        try await network.launch { app in
          let file = app.folder.appendingPathComponent("of a client that waits for ever").path
          path.withLock { $0 = file }
          #expect(FileManager.default.createFile(atPath: file, contents: nil))
          if app.isFirst {
            DispatchQueue.global().async { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 100) }
            try await network.clock.sleep(for: .seconds(100))
          }
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
      }
    }
    guard case .deadlock(let time, _, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(time < .zero.advanced(by: .seconds(100)))
    #expect(!FileManager.default.fileExists(atPath: path.withLock { $0 }))
  }

  @Test func `a kill ends all clients of a network, and each has its own folder`() async throws {
    let run = try await Simulation(replaying: Self.schedule(.at(.seconds(5)))) { network in
      @Sendable func live(_ number: Int) async throws -> String {
        try await network.client(number).launch { app in
          let file = app.folder.appendingPathComponent("file")
          if app.isFirst {
            try Data("\(number)".utf8).write(to: file)
            try await Task.sleep(for: .seconds(100))
          }
          return try String(contentsOf: file, encoding: .utf8) + ", launch \(app.number)"
        }
      }
      async let one = live(1)
      async let two = live(2)
      return try await [one, two]
    }
    #expect(run.value == ["1, launch 2", "2, launch 2"])
    #expect(run.elapsed == .seconds(5))
  }

  @Test func `a client of the shared session is killed together with its requests`() async throws {
    let run = try await Simulation(replaying: Self.schedule(.at(.seconds(5)))) { network in
      let route = network.stub("/slow", with: .never)
      network.stub("/feed", with: .text("fresh"))
      let text = try await network.interceptingSharedSession {
        try await network.launch { app in
          if app.isFirst { _ = try await URLSession.shared.data(from: url("https://api.example.com/slow")) }
          let data = try await URLSession.shared.data(from: url("https://api.example.com/feed")).0
          return String(decoding: data, as: UTF8.self)
        }
      }
      return (text, route.requests.map(\.wasCancelled))
    }
    #expect(run.value == ("fresh", [true]))
  }

  @Test func `a client that exceeds the time limit is not launched again by a later kill`() async throws {
    let launches = Mutex(0)
    let schedule = try Self.schedule(.at(.seconds(5_000)))
    var options = NetworkOptions()
    options.timeLimit = .seconds(1_000)
    await #expect(throws: SimulationError.self) {
      try await Simulation(replaying: schedule, options: options) { network in
        try await network.launch { _ in
          launches.withLock { $0 += 1 }
          while true { try? await network.clock.sleep(for: .seconds(10)) }
        }
      }
    }
    #expect(launches.withLock { $0 } == 1)
  }

  @Test func `a client in a real-time network is launched once`() async throws {
    let network = SimulatedNetwork(.unlimited)
    let number = try await network.launch { app in
      try Data().write(to: app.folder.appendingPathComponent("file"))
      return app.number
    }
    network.invalidate()
    #expect(number == 1)
  }
}

extension Array {
  fileprivate func mapInOrder<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}
