import ClientCapture
import Dispatch
import Internals
import NetworkConditions
import Testing
import Thoroughness
import URLLoading

/// Calls of a client after the end of its simulation: each ends as cancelled.
struct LateWorkTests {
  private let feed = url("https://api.example.com/feed")
  private var post: URLRequest {
    var request = URLRequest(url: feed)
    request.httpMethod = "POST"
    return request
  }

  /// A network that has ended, with the objects that its client keeps.
  private struct Remains: Sendable {
    let network: SimulatedNetwork
    let session: URLSession
    /// The configuration that the simulation handed out; on Apple platforms that refuses the run.
    let given: URLSessionConfiguration?
    var configuration: URLSessionConfiguration { given ?? network.sessionConfiguration }
  }

  private func remains() async throws -> Remains {
    try await Simulation("3G", seed: 1) { network in
      network.stub("/feed", with: .text("x"))
      _ = try await network.session.data(from: feed)
      #if canImport(FoundationNetworking)
        let given: URLSessionConfiguration? = network.sessionConfiguration
      #else
        let given: URLSessionConfiguration? = nil
      #endif
      return Remains(network: network, session: network.session, given: given)
    }.value
  }

  @Test func `tasks of every kind made after the end of a simulation are cancelled`() async throws {
    let remains = try await remains()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("late-\(UUID())")
    try Data(count: 100_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let request = post
    for session in [remains.session, URLSession(configuration: remains.configuration), remains.network.session] {
      #expect(await session.complete { $0.dataTask(with: feed, completionHandler: $1) }.code == .cancelled)
      #expect(
        await session.complete { $0.uploadTask(with: request, from: Data(count: 100_000), completionHandler: $1) }.code
          == .cancelled)
      #expect(
        await session.complete { $0.uploadTask(with: request, fromFile: file, completionHandler: $1) }.code
          == .cancelled)
      let download = await session.complete { session, end in
        session.downloadTask(with: feed) { end(nil, $1, $2) }
      }
      #expect(download.code == .cancelled)
      await #expect(throws: URLError.self) { try await session.data(from: feed) }
      await #expect(throws: URLError.self) { try await session.upload(for: request, from: Data(count: 10)) }
    }
  }

  @Test func `a delegate gets one cancellation for each task made after the end of a simulation`() async throws {
    let remains = try await remains()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("late-\(UUID())")
    try Data(count: 100_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let request = post
    let forms: [@Sendable (URLSession) -> URLSessionTask] = [
      { $0.dataTask(with: feed) },
      { $0.uploadTask(with: request, from: Data(count: 100_000)) },
      { $0.uploadTask(with: request, fromFile: file) },
      { $0.uploadTask(withStreamedRequest: request) },
      { $0.downloadTask(with: feed) },
    ]
    for form in forms {
      let delegate = RecordingDelegate(stream: Data(count: 1_000))
      let session = URLSession(configuration: remains.configuration, delegate: delegate, delegateQueue: nil)
      form(session).resume()
      let record = await delegate.end()
      #expect(record.code == .cancelled && record.ends == 1)
      session.invalidateAndCancel()
    }
  }

  @Test func `the network's own calls are cancelled after the end of a simulation`()
    async throws
  {
    let start = ContinuousClock.now
    let network = try await remains().network
    let request = post
    await #expect(throws: URLError.self) { try await network.data(from: feed) }
    await #expect(throws: URLError.self) { try await network.upload(for: request, from: Data(count: 10)) }
    await #expect(throws: URLError.self) { try await network.download(from: feed) }
    await #expect(throws: URLError.self) { try await network.bytes(from: feed) }
    await #expect(throws: CancellationError.self) { try await network.clock.sleep(for: .seconds(1)) }
    // A captured clock begins eleven days after the machine's start.
    #expect(start.duration(to: .now) < .seconds(3_600))
  }

  @Test func `tasks and closures that outlive their simulation end`() async throws {
    let (ended, signal) = AsyncStream<Void>.makeStream()
    let gate = DispatchSemaphore(value: 0)
    let (codes, report) = AsyncStream<URLError.Code?>.makeStream()
    _ = try await Simulation("3G", seed: 1) { network in
      network.stub("/feed", with: .bytes(count: 50_000))
      let session = network.session
      let tell: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = { report.yield(($2 as? URLError)?.code) }
      // Calls that are in progress at the end, that never start, or that are made afterwards.
      session.dataTask(with: feed, completionHandler: tell).resume()
      let suspended = session.dataTask(with: feed, completionHandler: tell)
      DispatchQueue(label: "client").async {
        gate.wait()
        suspended.resume()
        session.dataTask(with: feed, completionHandler: tell).resume()
      }
      Task {
        for await _ in ended {}
        do { report.yield(try await session.data(from: feed).0.isEmpty ? nil : nil) } catch { tell(nil, nil, error) }
      }
      Task { @MainActor in
        for await _ in ended {}
        do { report.yield(try await session.data(from: feed).0.isEmpty ? nil : nil) } catch { tell(nil, nil, error) }
      }
    }
    signal.finish()
    gate.signal()
    #expect(await codes.prefix(5).reduce(into: []) { $0.append($1) } == Array(repeating: .cancelled, count: 5))
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `two threads that wake each other for ever continue in real time after their run`() async throws {
    let turns = [DispatchSemaphore(value: 1), DispatchSemaphore(value: 0)]
    let rounds = Locked(0)
    let (ends, report) = AsyncStream<Int>.makeStream()
    _ = try await Simulation("3G", seed: 1) { network in
      Task {
        // The sleep ends with the run.
        try? await network.clock.sleep(for: .seconds(1_000_000))
        for mine in 0..<2 {
          DispatchQueue.global().async {
            // Virtual time stands still until the run releases the threads; afterwards they run in real time.
            let start = Date()
            while Date() == start, rounds.withLock({ $0 < 20_000 }) {
              turns[mine].wait()
              rounds.withLock { $0 += 1 }
              turns[1 - mine].signal()
            }
            turns[1 - mine].signal()
            report.yield(mine)
          }
        }
      }
    }
    #expect(await Set(ends.prefix(2).reduce(into: []) { $0.append($1) }) == [0, 1])
    #expect(rounds.withLock { $0 } < 10_000)
  }

  @Test func `requests made while a simulation ends complete once, or never when the run is refused`()
    async throws
  {
    for _ in 0..<(Thoroughness.isWhole ? 100 : 20) {
      let done = DispatchGroup()
      let ends = Locked([0, 0, 0, 0])
      let isRefused: Bool
      do {
        _ = try await Simulation("3G", seed: 1) { network in
          network.stub("/feed", with: .text("x"))
          let session = network.session
          for number in 0..<4 {
            done.enter()
            RealTime.run {
              DispatchQueue.global().async {
                session.dataTask(with: feed) { _, _, _ in
                  ends.withLock { $0[number] += 1 }
                  done.leave()
                }.resume()
              }
            }
          }
        }
        isRefused = false
      } catch SimulationError.notCaptured {
        // A request before the simulation's end makes the run refused.
        isRefused = true
      }
      if !isRefused { await withCheckedContinuation { end in done.notify(queue: .global()) { end.resume() } } }
      #expect(ends.value == (isRefused ? [0, 0, 0, 0] : [1, 1, 1, 1]))
    }
  }
}
