import Internals
import NetworkConditions
import Testing
import URLLoading

/// Blocking stub handlers do not block other handlers, the network's time or the requests for which they wait.
@Suite(.timeLimit(.minutes(10))) struct BlockingWorkTests {
  struct Stuck: Error {}

  /// Waits for a semaphore, no longer than a test may take.
  static func wait(for semaphore: DispatchSemaphore) throws {
    guard semaphore.wait(timeout: .now() + 20) == .success else { throw Stuck() }
  }

  /// More threads than Dispatch gives a process.
  @Test(arguments: [10, 300]) func `stub handlers that wait for each other all respond`(count: Int) async throws {
    let network = SimulatedNetwork("wifi", pace: .realTime)
    defer { network.invalidate() }
    let arrived = Mutex(0)
    let all = DispatchSemaphore(value: 0)
    network.stub(
      "/meet",
      with: .handler { _ in
        if arrived.withLock({
          $0 += 1; return $0 == count
        }) {
          for _ in 0..<count { all.signal() }
        }
        try Self.wait(for: all)
        return .text("met")
      })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask {
          let (data, _) = try await network.data(from: url("http://\(number).example/meet"))
          #expect(String(decoding: data, as: UTF8.self) == "met")
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a stub handler can wait for requests of its own network`() async throws {
    let network = SimulatedNetwork("wifi", pace: .realTime)
    defer { network.invalidate() }
    let session = network.session
    network.stub("/soon", with: .text("soon").after(.milliseconds(10)))
    network.stub("/inner", with: .handler { _ in .text("inner") })
    network.stub(
      "/outer",
      with: .handler { _ in
        let done = DispatchSemaphore(value: 0)
        let texts = Mutex("")
        for path in ["soon", "inner"] {
          session.dataTask(with: url("http://x.example/\(path)")) { data, _, _ in
            texts.withLock { $0 += String(decoding: data ?? Data(), as: UTF8.self) + " " }
            done.signal()
          }.resume()
          try Self.wait(for: done)
        }
        return .text(texts.withLock { $0 })
      })
    let (data, _) = try await session.data(from: url("http://x.example/outer"))
    #expect(String(decoding: data, as: UTF8.self) == "soon inner ")
    let result = await session.complete { $0.dataTask(with: url("http://x.example/outer"), completionHandler: $1) }
    #expect(result.data == data)
  }

  @Test func `a simulation runs stub handlers one at a time in the same order in each run`() async throws {
    func run() async throws -> [String] {
      let log = Mutex<[String]>([])
      _ = try await Simulation("3G", seed: 7) { network in
        network.stub(
          .any,
          with: .handler { request in
            log.withLock { $0.append("> \(request.url?.path ?? "")") }
            defer { log.withLock { $0.append("<") } }
            return .text("x")
          })
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<10 {
            group.addTask { _ = try await network.session.data(from: url("http://x.example/\(number)")) }
          }
          try await group.waitForAll()
        }
      }
      return log.withLock { $0 }
    }
    let first = try await run()
    #expect(first.count == 20)
    for index in first.indices { #expect(first[index].hasPrefix(index % 2 == 0 ? ">" : "<")) }
    for _ in 0..<5 { #expect(try await run() == first) }
  }
}
