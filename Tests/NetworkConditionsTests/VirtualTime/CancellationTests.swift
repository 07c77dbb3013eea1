import LinkSimulator
@testable import NetworkConditions
import Testing
import URLLoading

struct CancellationTests {
  /// A client that cancels its only request at a deadline, through the session's own call, and sends it again.
  private static let impatient: @Sendable (SimulatedNetwork) async throws -> Int = { network in
    network.stub("/**", with: .sequence([.never, .text("at last")]))
    let request = URLRequest(url: URL(string: "https://api.example.com/slow") ?? URL(fileURLWithPath: "/"))
    for attempt in 1...3 {
      let count = await withTaskGroup(of: Int?.self) { race in
        race.addTask { try? await network.session.data(for: request, delegate: nil).0.count }
        race.addTask {
          // The second deadline has passed before the request is sent.
          try? await network.clock.sleep(for: .seconds(attempt == 2 ? 0 : 5))
          return nil
        }
        let first = await race.next() ?? nil
        race.cancelAll()
        return first
      }
      if let count { return count }
      try await network.clock.sleep(for: .seconds(1))
    }
    return 0
  }

  @Test func `cancelling the only request gives the same trace hash in 100 runs`() async throws {
    var hashes: Set<TraceHash> = []
    for _ in 0..<100 {
      let run = try await Simulation("wifi", seed: 1, Self.impatient)
      #expect(run.value > 0 && run.elapsed < .seconds(9))
      hashes.insert(run.traceHash)
    }
    #expect(hashes.count == 1)
  }

  @Test(arguments: [true, false])
  func `cancelling a simulation ends it with its client's cancellation error`(bySession: Bool) async throws {
    let (begun, first) = AsyncStream<Void>.makeStream()
    // A busy machine lets hours of virtual time pass before the cancellation.
    var options = NetworkOptions()
    options.timeLimit = .seconds(3_600_000)
    let run = Task { [options] in
      try await Simulation("3G", seed: 1, options: options) { network in
        network.stub("/large", with: .bytes(count: 100_000))
        let large = url("https://api.example.com/large")
        while true {
          if bySession {
            _ = try await network.session.data(from: large)
          } else {
            _ = try await network.data(for: URLRequest(url: large))
          }
          first.yield()
        }
      }
    }
    for await _ in begun { break }
    run.cancel()
    let failure = await #expect(throws: SimulationFailure.self) { try await run.value }
    #expect((failure?.error as? URLError)?.code == .cancelled, "\(String(describing: failure))")
  }

  @Test func `a scheduled cancellation ends the client's request exactly at its time`() async throws {
    for delay in stride(from: 0, to: 1_000, by: 20) {
      let time = Duration.milliseconds(2_000) + .microseconds(delay)
      let schedule = try FaultSchedule("3G", faults: [ScheduledFault(.cancellation(at: time))])
      let failure = await #expect(throws: SimulationFailure.self) {
        try await Simulation(replaying: schedule) { network in
          network.stub("/large", with: .bytes(count: 1_000_000))
          _ = try await network.session.data(from: url("https://api.example.com/large"))
        }
      }
      #expect(failure?.timeline.transfers[0].outcome == .cancelled)
      #expect(failure?.timeline.transfers[0].ended == .zero.advanced(by: time))
    }
  }

  private let slow = url("https://api.example.com/slow")

  @Test func `a stub sees a request as cancelled as soon as its client gives up`() async throws {
    let run = try await Simulation("3G", seed: 1) { network in
      let route = network.stub("/slow", with: .never)
      let own = Task(executorPreference: network.engine.simulation) { try await network.data(from: slow) }
      await route.waitUntilCalled()
      own.cancel()
      var seen = [route.requests[0].wasCancelled]
      // A timeout and a session's cancellation: the server learns of them before the client does.
      var request = URLRequest(url: slow)
      request.timeoutInterval = 5
      _ = try? await network.session.data(for: request)
      seen.append(route.requests[1].wasCancelled)
      await withTaskGroup(of: Void.self) { race in
        race.addTask { _ = try? await network.session.data(from: slow) }
        await route.waitUntilCalled(times: 3)
        race.cancelAll()
      }
      seen.append(route.requests[2].wasCancelled)
      // A task with a completion handler: the server knows as soon as `cancel()` has returned.
      for number in 4...53 {
        let task = network.session.dataTask(with: slow) { _, _, _ in }
        task.resume()
        await route.waitUntilCalled(times: number)
        let before = route.requests[number - 1].wasCancelled
        task.cancel()
        seen.append(!before && route.requests[number - 1].wasCancelled)
      }
      return seen
    }
    #expect(run.value == Array(repeating: true, count: 53))
  }

  @Test func `a test can wait for the exact instant at which a client disconnects`() async throws {
    let run = try await Simulation("3G", seed: 1) { network in
      let route = network.stub("/slow", with: .never)
      let times = await withTaskGroup(of: Void.self) { group in
        for deadline in [Duration.seconds(5), .seconds(3)] {
          group.addTask {
            await withTaskGroup(of: Void.self) { race in
              race.addTask { _ = try? await network.session.data(from: slow) }
              race.addTask { try? await network.clock.sleep(for: deadline) }
              await race.next()
              race.cancelAll()
            }
          }
        }
        await route.waitUntilCancelled()
        let first = network.now
        await route.waitUntilCancelled(times: 2)
        await route.waitUntilCancelled(times: 1)
        return [first, network.now]
      }
      return times
    }
    #expect(run.value == [3, 5].map { SimulatedInstant.zero.advanced(by: .seconds($0)) })
  }
}
