import ClientCapture
import Dispatch
import Internals
import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

/// Blocks a thread for a time or until it is released, like a client that waits for a lock.
func block(seconds: Double, orUntil isOver: DispatchSemaphore = DispatchSemaphore(value: 0)) {
  RealTime.run { DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { isOver.signal() } }
  isOver.wait()
}

/// Events in the order of their reports.
final class Log<Entry: Sendable>: Sendable {
  private let entries = Mutex<[Entry]>([])
  func add(_ entry: Entry) { entries.withLock { $0.append(entry) } }
  var all: [Entry] { entries.withLock { $0 } }
}

struct SimulationTests {
  @TaskLocal private static var name = "nobody"

  @Test func `the closure of a simulation and its child tasks see the caller's task-local values`() async throws {
    let run = try await Self.$name.withValue("caller") {
      try await Simulation("3G", seed: 1) { network in
        try await network.clock.sleep(for: .seconds(1))
        async let child = Self.name
        return [Self.name, await child]
      }
    }
    #expect(run.value == ["caller", "caller"])
  }

  @Test func `a sleep on the network's clock takes exactly its virtual time`() async throws {
    let run = try await Simulation("3G", seed: 1) { network in
      let start = network.clock.now
      try await network.clock.sleep(for: .seconds(3600))
      return start.duration(to: network.clock.now)
    }
    #expect(run.value == .seconds(3600))
    #expect(run.elapsed == .seconds(3600))
  }

  @Test func `a run beyond its limits ends with what is waiting and how to repeat it`() async throws {
    var options = NetworkOptions(timeLimit: .seconds(20))
    let late = await #expect(throws: SimulationError.self) {
      try await Simulation("3G", seed: 7, options: options) { network in
        network.stub("/slow", with: .text("x").after(.seconds(500)))
        async let _ = network.data(for: URLRequest(url: URL(string: "https://api.example.com/slow")!))
        while true { try? await network.clock.sleep(for: .seconds(3)) }
      }
    }
    guard case .unending(.time(.seconds(20)), let time, let waiting, let run) = late else {
      Issue.record("\(String(describing: late))")
      return
    }
    #expect(time == .zero.advanced(by: .seconds(20)))
    #expect(waiting.first?.hasPrefix("GET https://api.example.com/slow since") == true, "\(waiting)")
    // The first event after 20 s is the sleep that ends at 21 s.
    #expect(waiting.last == "1 asleep on its clock, until 21.000000 s or later", "\(waiting)")
    #expect(run.hasPrefix("under \"3G\", seed 7\nTo repeat it: NETCOND_REPLAY=netcond1:"), "\(run)")
    options = NetworkOptions(requestLimit: 50)
    let many = await #expect(throws: SimulationError.self) {
      try await Simulation("offline", seed: 7, options: options) { network in
        let request = URLRequest(url: URL(string: "https://api.example.com/")!)
        while true { _ = try? await network.data(for: request) }
      }
    }
    #expect(!"\(String(describing: many))".contains("simulation cannot see"))
    guard case .unending(.requests(50), _, _, _) = many else {
      Issue.record("\(String(describing: many))")
      return
    }
  }

  @Test func `sleeps that end at the same instant end in the order of their start`() async throws {
    let run = try await Simulation("3G", seed: 1) { network in
      let order = Log<Int>()
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask {
            try? await network.clock.sleep(until: .zero.advanced(by: .seconds(5)))
            order.add(number)
          }
        }
      }
      return order.all
    }
    #expect(run.value == Array(0..<20))
    #expect(run.elapsed == .seconds(5))
  }

  @Test func `a cancelled sleep ends at once with a cancellation error`() async throws {
    let run = try await Simulation("3G", seed: 1) { network in
      await withTaskGroup(of: String.self) { group in
        group.addTask {
          do {
            try await network.clock.sleep(for: .seconds(60))
            return "slept"
          } catch {
            return "\(error is CancellationError) at \(network.now)"
          }
        }
        try? await network.clock.sleep(for: .seconds(2))
        group.cancelAll()
        return await group.next() ?? ""
      }
    }
    #expect(run.value == "true at 2.000000 s")
    #expect(run.elapsed == .seconds(2))
  }

  @Test func `the network's own calls take the time of the link`() async throws {
    let run = try await Simulation("3G", seed: 42) { network in
      network.stub("https://api.example.com/feed", with: .bytes(count: 100_000))
      return try await network.data(for: URLRequest(url: url("https://api.example.com/feed"))).0.count
    }
    #expect(run.value == 100_000)
    #expect(run.elapsed > .seconds(1) && run.elapsed < .seconds(4))
    #expect(run.timeline.transfers.count == 1)
  }

  @Test func `a session takes the same time as the network's own calls`() async throws {
    func load(_ send: @escaping @Sendable (SimulatedNetwork, URLRequest) async throws -> Int) async throws -> Duration {
      try await Simulation("3G", seed: 42) { network in
        network.stub("https://api.example.com/feed", with: .bytes(count: 100_000))
        return try await send(network, URLRequest(url: url("https://api.example.com/feed")))
      }.elapsed
    }
    let own = try await load { try await $0.data(for: $1).0.count }
    let session = try await load { try await $0.session.data(for: $1).0.count }
    #expect(own == session)
  }

  @Test func `mixed completion handlers and async calls have the same times in each run`() async throws {
    let body: @Sendable (SimulatedNetwork) async throws -> [String] = { network in
      network.stub("https://api.example.com/**", with: .bytes(count: 20_000))
      let log = Log<String>()
      let session = network.session(with: .ephemeral, delegate: nil)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<5 {
          group.addTask {
            let request = URLRequest(url: url("https://api.example.com/async/\(number)"))
            _ = try await session.data(for: request)
            log.add("async \(number) at \(network.now)")
          }
          group.addTask {
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
              session.dataTask(with: url("https://api.example.com/handler/\(number)")) { _, _, _ in
                log.add("handler \(number) at \(network.now)")
                done.resume()
              }.resume()
            }
          }
        }
        try await group.waitForAll()
      }
      return log.all
    }
    let first = try await Simulation("flaky", seed: 7, body)
    #expect(first.value.count == 10)
    for _ in 0..<20 {
      let again = try await Simulation("flaky", seed: 7, body)
      #expect(again.value == first.value)
      #expect(again.traceHash == first.traceHash)
    }
  }

  private final class Receiver: NSObject, URLSessionDataDelegate, Sendable {
    let network: SimulatedNetwork
    let log = Log<String>()
    init(_ network: SimulatedNetwork) { self.network = network }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      log.add("\(data.count)\(data.startIndex == 0 ? "" : " from the midst") at \(network.now)")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      log.add("end at \(network.now)")
      // Like older clients: each request is made in the completion handler of the one before.
      if log.all.filter({ $0.hasPrefix("end") }).count < 3 {
        session.dataTask(with: url("http://api.example.com/next")).resume()
      }
    }
  }

  @Test func `a delegate receives the pieces of a body at the same times in each run`() async throws {
    let body: @Sendable (SimulatedNetwork) async throws -> [String] = { network in
      network.stub("/**", with: .bytes(count: 30_000))
      let receiver = Receiver(network)
      let session = network.session(delegate: receiver)
      // Without TLS, which delivers only whole records.
      session.dataTask(with: url("http://api.example.com/first")).resume()
      try await network.clock.sleep(for: .seconds(30))
      return receiver.log.all
    }
    let first = try await Simulation("3G", seed: 2, body)
    #expect(first.value.filter { $0.hasPrefix("end") }.count == 3)
    #expect(first.value.count > 30)
    // Clients count the bytes of a piece from 0.
    #expect(!first.value.contains { $0.contains("from the midst") })
    for _ in 0..<10 {
      let again = try await Simulation("3G", seed: 2, body)
      #expect(again.value == first.value)
    }
  }

  @Test func `a client that waits only for network events ends the run, despite repeating phases`() async throws {
    let error = await #expect(throws: SimulationError.self) {
      _ = try await Simulation(
        "tunnel", seed: 1, capturing: .nothing, options: NetworkOptions(patience: .milliseconds(20))
      ) { network in
        for await _ in network.events {}
      }
    }
    guard case .unseenWait(let time, _) = error else {
      Issue.record("it threw \(String(describing: error))")
      return
    }
    #expect("\(time)".hasPrefix("3"))
  }

  @Test func `a client that blocks its thread during a request is refused, and the request is named`() async throws {
    let isOver = DispatchSemaphore(value: 0)
    let error = await #expect(throws: SimulationError.self) {
      _ = try await Simulation(
        "3G", seed: 1, capturing: .nothing, options: NetworkOptions(patience: .milliseconds(100))
      ) { network in
        network.stub("/**", with: .bytes(count: 30_000))
        async let load = network.data(for: URLRequest(url: url("https://api.example.com/slow")))
        try await network.clock.sleep(for: .milliseconds(500))
        block(seconds: 3_600, orUntil: isOver)
        _ = try await load
      }
    }
    isOver.signal()
    guard case .blockedThread = error, let words = error?.description else {
      Issue.record("it threw \(String(describing: error))")
      return
    }
    let open = "GET https://api.example.com/slow since 0.000000 s"
    #expect(words.contains("virtual time stands at 0.500000 s. A thread is blocked"), "\(words)")
    #expect(
      words.contains("Open: \(open). A thread may be waiting for one of these requests: the run would not be exact"),
      "\(words)")
  }

  @Test func `a client that blocks its thread without a request ends the run as stuck`() async throws {
    let isOver = DispatchSemaphore(value: 0)
    let error = await #expect(throws: SimulationError.self) {
      _ = try await Simulation(
        "3G", seed: 1, capturing: .nothing, options: NetworkOptions(patience: .milliseconds(100))
      ) { network in
        try await network.clock.sleep(for: .milliseconds(500))
        block(seconds: 3_600, orUntil: isOver)
      }
    }
    isOver.signal()
    guard case .stuck(.zero.advanced(by: .milliseconds(500)), _, [], nil, nil) = error else {
      Issue.record("it threw \(String(describing: error))")
      return
    }
  }

  @Test func `a request that loses against a timeout is cancelled at the timeout's instant`() async throws {
    let run = try await Simulation("EDGE", seed: 3) { network in
      network.stub("https://api.example.com/slow", with: .bytes(count: 1_000_000))
      return await withTaskGroup(of: String.self) { group in
        group.addTask {
          do {
            _ = try await network.session.data(for: URLRequest(url: url("https://api.example.com/slow")))
            return "loaded"
          } catch {
            return "\((error as? URLError)?.code == .cancelled) at \(network.now)"
          }
        }
        group.addTask {
          try? await network.clock.sleep(for: .seconds(10))
          return "timeout"
        }
        let first = await group.next() ?? ""
        group.cancelAll()
        return "\(first), then \(await group.next() ?? "")"
      }
    }
    #expect(run.value == "timeout, then true at 10.000000 s")
    #expect(run.elapsed == .seconds(10))
  }

  @Test func `an error of the closure is reported with seed, profile and time`() async throws {
    struct Broken: Error {}
    let failure = await #expect(throws: SimulationFailure.self) {
      try await Simulation("tunnel", seed: 99) { network in
        try await network.clock.sleep(for: .seconds(7))
        throw Broken()
      }
    }
    #expect(failure?.error is Broken)
    #expect(failure?.seed == 99)
    let obstacle = CaptureMode.obstacle.map { ". \($0)" } ?? ""
    let description =
      "Broken() (profile \"tunnel\", seed 99, after 7.000000 s of virtual time)\(obstacle) (netcond explain client-error)"
    #expect(failure?.description == description)
  }

  @Test func `a simulation inside a simulation is an error`() async throws {
    let error = await #expect(throws: SimulationFailure.self) {
      try await Simulation("3G") { _ in
        _ = try await Simulation("4G") { _ in }
      }
    }
    #expect(error?.error as? SimulationError == .nested)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a client beyond the time limit is cancelled`() async throws {
    let (ends, end) = AsyncStream<Void>.makeStream()
    let error = await #expect(throws: SimulationError.self) {
      try await Simulation("3G", seed: 1, options: NetworkOptions(timeLimit: .seconds(60))) { network in
        while !Task.isCancelled { try? await network.clock.sleep(for: .seconds(3)) }
        end.finish()
      }
    }
    guard case .unending(limit: .time(.seconds(60)), _, _, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    for await _ in ends {}
  }

  @Test func `the error for an unknown profile suggests similar names`() async throws {
    let error = await #expect(throws: SimulationError.self) {
      try await Simulation("tunel") { _ in }
    }
    #expect(error?.description.contains("tunnel") == true)
  }

  @Test func `waiting for something that the simulation cannot see is an error with a remedy`() async throws {
    let error = await #expect(throws: SimulationError.self) {
      try await Simulation("3G", seed: 1, capturing: .nothing, options: NetworkOptions(patience: .milliseconds(40))) {
        _ in await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
    #expect(error?.description.hasPrefix("After 0.000000 s of virtual time the closure waits for") == true)
    #expect(error?.description.contains(remedyForRefused) == true)
  }

  @Test func `child tasks that outlive the closure are cancelled before the run ends`() async throws {
    let log = Log<String>()
    let run = try await Simulation("3G", seed: 1) { network in
      async let _: Void = {
        do {
          try await network.clock.sleep(for: .seconds(1_000_000))
        } catch {
          log.add("\(error is CancellationError)")
        }
      }()
      try await network.clock.sleep(for: .seconds(1))
    }
    #expect(run.elapsed == .seconds(1))
    #expect(log.all == ["true"])
  }

  @Test func `equal seeds give equal trace hashes and another seed gives another`() async throws {
    let body: @Sendable (SimulatedNetwork) async throws -> Void = { network in
      network.stub("https://api.example.com/**", with: .bytes(count: 50_000))
      for number in 0..<4 {
        _ = try? await network.session.data(for: URLRequest(url: url("https://api.example.com/\(number)")))
        try await network.clock.sleep(for: .seconds(1 << number))
      }
    }
    let run = try await Simulation.verifyDeterminism("very bad network", seed: 5, runs: 5, body)
    let same = try await Simulation("very bad network", seed: 5, body)
    let other = try await Simulation("very bad network", seed: 6, body)
    #expect(run.traceHash == same.traceHash && run.traceHash != other.traceHash)
  }

  @Test func `a determinism check accepts a URLError whose dictionary order varies`() async throws {
    let thrown = await #expect(throws: SimulationFailure.self) {
      try await Simulation.verifyDeterminism("3G", runs: 20) { network in
        network.stub("https://api.example.com/", with: .never)
        let request = URLRequest(url: url("https://api.example.com/"), timeoutInterval: 1)
        _ = try await network.session.data(for: request)
      }
    }
    #expect((thrown?.error as? URLError)?.code == .timedOut)
  }

  @Test func `a determinism check finds a client that differs between runs, with the first difference`() async throws {
    let counter = Log<Int>()
    let error = await #expect(throws: SimulationError.self) {
      try await Simulation.verifyDeterminism("3G", seed: 5, runs: 3) { network in
        network.stub("https://api.example.com/**", with: .text("x"))
        counter.add(0)
        let number = counter.all.count
        _ = try await network.data(for: URLRequest(url: url("https://api.example.com/\(number)")))
      }
    }
    guard case .nondeterministic(5, run: 2, let difference) = error else {
      Issue.record("it threw \(String(describing: error))")
      return
    }
    #expect(difference.contains("https://api.example.com/1"))
    #expect(difference.contains("https://api.example.com/2"))
  }

  @Test func `a printed replay token repeats a schedule or a seed with the same trace hash`() async throws {
    let body: @Sendable (SimulatedNetwork) async throws -> Int = { network in
      network.stub("https://api.example.com/", with: .bytes(count: 50_000))
      return try await network.session.data(from: url("https://api.example.com/")).0.count
    }
    let schedule = try FaultSchedule("3G", seed: 7, faults: [.outage(from: .seconds(1), for: .seconds(2))])
    let scheduled = try await Simulation(replaying: schedule, body)
    #expect(try await Simulation(replaying: "\(ReplayToken(schedule))", body).traceHash == scheduled.traceHash)

    let profile = try NetworkProfile.named("tunnel")
    let drawn = try await Simulation(profile.begun(at: .seconds(44)), seed: 7, body)
    let token = ReplayToken(profile, seed: 7, start: .seconds(44))
    #expect(try await Simulation(replaying: "\(token)", body).traceHash == drawn.traceHash)

    await #expect(throws: ReplayTokenError.foreign("tunnel")) { try await Simulation(replaying: "tunnel", body) }
  }
}
