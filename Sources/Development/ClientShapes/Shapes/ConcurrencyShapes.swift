import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Clients that use Swift concurrency.

func fetchWithSleeps(_ session: URLSession, _ url: URL, tries: Int = 4) async throws -> Data {
  for attempt in 0..<tries {
    do { return try checked(try await session.data(for: request(url))) } catch is CancellationError {
      throw CancellationError()
    } catch {
      if attempt == tries - 1 { throw error }
      try await Task.sleep(for: .milliseconds(250 << attempt))
    }
  }
  throw URLError(.unknown)
}

func fetchWithClock(_ session: URLSession, _ url: URL, clock: any Clock<Duration>) async throws -> Data {
  for attempt in 0..<3 {
    if let data = try? checked(try await session.data(for: request(url))) { return data }
    try await clock.sleep(for: .milliseconds(250 << attempt))
  }
  return try checked(try await session.data(for: request(url)))
}

actor ClockedClient {
  let session: URLSession
  let base: URL
  let clock: any Clock<Duration>
  var log: [String] = []
  init(_ s: ClientSurroundings) { (session, base, clock) = (s.session, s.base, s.clock) }
  func load(_ id: Int) async throws {
    let data = try await fetchWithClock(session, base.appendingPathComponent("items/\(id)"), clock: clock)
    log.append("\(id):\(data.count)")
  }
}

actor SleepingClient {
  let session: URLSession
  let base: URL
  private var cache: [Int: Data] = [:]
  private(set) var attempts = 0
  init(session: URLSession, base: URL) { (self.session, self.base) = (session, base) }

  func item(_ id: Int) async throws -> Data {
    if let data = cache[id] { return data }
    var delay: UInt64 = 200_000_000
    while true {
      attempts += 1
      do {
        let data = try checked(try await session.data(for: request(base.appendingPathComponent("items/\(id)"))))
        cache[id] = data
        return data
      } catch let error as HTTPError where error.status == 503 {
        try await Task.sleep(nanoseconds: delay)
        delay *= 2
      }
    }
  }
}

@MainActor final class FeedViewModel {
  enum State: Equatable { case idle, loading(Int), loaded([Int]), failed(String) }
  private(set) var state = State.idle
  private(set) var history: [String] = []
  let session: URLSession
  let base: URL
  var onFinish: (() -> Void)?
  init(session: URLSession, base: URL) { (self.session, self.base) = (session, base) }

  func appear() {
    state = .loading(1)
    let start = Date()
    Task {
      var sizes: [Int] = []
      for id in 0..<4 {
        do {
          sizes.append(try await fetchWithSleeps(session, base.appendingPathComponent("items/\(id)")).count)
          history.append("\(id) at \(ms(start))")
        } catch {
          state = .failed(short(error))
        }
      }
      if case .loading = state { state = .loaded(sizes) }
      onFinish?()
    }
    Task {
      try? await Task.sleep(nanoseconds: 300_000_000)
      history.append("spinner at \(ms(start))")
    }
  }
}

actor InFlightClient {
  private var inFlight: [URL: Task<Data, Error>] = [:]
  private(set) var started = 0
  let session: URLSession
  init(session: URLSession) { self.session = session }

  func data(_ url: URL) async throws -> Data {
    if let task = inFlight[url] { return try await task.value }
    started += 1
    let task = Task { try await fetchWithSleeps(session, url) }
    inFlight[url] = task
    defer { inFlight[url] = nil }
    return try await task.value
  }
}

struct TimeoutError: Error {}

func withTimeout<Value: Sendable>(
  _ seconds: Double, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    group.addTask(operation: work)
    group.addTask {
      try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
      throw TimeoutError()
    }
    defer { group.cancelAll() }
    return try await group.next()!
  }
}

final class DispatchExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "client.executor")
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

actor QueueActor {
  private let executor = DispatchExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var sum = 0
  let session: URLSession
  init(session: URLSession) { self.session = session }
  func load(_ base: URL) async throws -> Int {
    for id in 0..<3 {
      sum += try await fetchWithSleeps(session, base.appendingPathComponent("items/\(id)")).count
      dispatchPrecondition(condition: .onQueue(executor.queue))
    }
    return sum
  }
}

@globalActor actor StoreActor {
  static let shared = StoreActor()
}

@StoreActor final class Store {
  var sizes: [Int: Int] = [:]
  func put(_ id: Int, _ size: Int) { sizes[id] = size }
}

let concurrencyShapes: [ClientShape] = [
  ClientShape("taskGroup", required: true) { s in
    let start = Date()
    let sizes = try await withThrowingTaskGroup(of: (Int, Int, Int).self) { group in
      for id in 0..<6 {
        group.addTask {
          let data = try await fetchWithSleeps(s.session, s.base.appendingPathComponent("items/\(id)"))
          return (id, data.count, ms(start))
        }
      }
      return try await group.reduce(into: []) { $0.append("\($1.0):\($1.1)@\($1.2)") }
    }
    return "\(sizes.joined(separator: " ")), \(ms(start)) ms"
  },
  ClientShape("taskGroupClock") { s in
    try await withThrowingTaskGroup(of: String.self) { group in
      for id in 0..<6 {
        group.addTask {
          "\(id):\(try await fetchWithClock(s.session, s.base.appendingPathComponent("items/\(id)"), clock: s.clock).count)"
        }
      }
      return try await group.reduce("") { $0 + " " + $1 }
    }
  },
  ClientShape("asyncLet", required: true) { s in
    let start = Date()
    async let a = fetchWithSleeps(s.session, s.base.appendingPathComponent("items/1"))
    async let b = fetchWithSleeps(s.session, s.base.appendingPathComponent("items/2"))
    async let c = fetchWithSleeps(s.session, s.base.appendingPathComponent("items/5"))
    let sizes = try await [a.count, b.count, c.count]
    return "\(sizes), \(ms(start)) ms"
  },
  ClientShape("actorClock", required: true) { s in
    let client = ClockedClient(s)
    async let a: Void = client.load(1)
    async let b: Void = client.load(2)
    try await client.load(0)
    _ = try await (a, b)
    return await client.log.joined(separator: " ")
  },
  ClientShape("actorSleep", required: true) { s in
    let client = SleepingClient(session: s.session, base: s.base)
    let start = Date()
    async let a = client.item(2)
    async let b = client.item(5)
    async let c = client.item(2)
    let sizes = try await [a.count, b.count, c.count]
    return "\(sizes) after \(await client.attempts) attempts, \(ms(start)) ms"
  },
  ClientShape("mainActorViewModel", required: true) { s in
    let model = await FeedViewModel(session: s.session, base: s.base)
    await withCheckedContinuation { continuation in
      Task { @MainActor in
        model.onFinish = { continuation.resume() }
        model.appear()
      }
    }
    return await "\(model.state) \(model.history)"
  },
  ClientShape("detached", required: true) { s in
    let start = Date()
    let tasks = (0..<4).map { id in
      Task.detached(priority: .utility) {
        try await Task.sleep(for: .milliseconds(100 * id))
        return try await fetchWithSleeps(s.session, s.base.appendingPathComponent("items/\(id)")).count
      }
    }
    var sizes: [Int] = []
    for task in tasks { sizes.append(try await task.value) }
    return "\(sizes), \(ms(start)) ms"
  },
  ClientShape("actorInFlight", required: true) { s in
    let client = InFlightClient(session: s.session)
    let start = Date()
    let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<8 {
        group.addTask { try await client.data(s.base.appendingPathComponent("items/\(index % 3)")).count }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    return "\(sizes), \(await client.started) started, \(ms(start)) ms"
  },
  ClientShape("withTimeout", expected: ["timed out after 500 ms"]) { s in
    let start = Date()
    var text = ""
    do {
      _ = try await withTimeout(0.5) { try await s.session.data(for: request(s.base.appendingPathComponent("slow"))) }
      text = "came after"
    } catch is TimeoutError {
      text = "timed out after"
    }
    let first = ms(start)
    let data = try await withTimeout(60) {
      try await fetchWithSleeps(s.session, s.base.appendingPathComponent("items/2"))
    }
    return "\(text) \(first) ms, then \(data.count) bytes, \(ms(start)) ms"
  },
  ClientShape("asyncStream") { s in
    let (stream, continuation) = AsyncStream<String>.makeStream()
    let start = Date()
    let producer = Task {
      for id in 0..<4 {
        let data = try await fetchWithSleeps(s.session, s.base.appendingPathComponent("items/\(id)"))
        continuation.yield("\(id):\(data.count)@\(ms(start))")
        try await Task.sleep(for: .seconds(1))
      }
      continuation.finish()
    }
    let ticker = Task {
      for _ in 0..<3 {
        try await Task.sleep(for: .milliseconds(700))
        continuation.yield("tick@\(ms(start))")
      }
    }
    var all: [String] = []
    for await text in stream { all.append(text) }
    _ = try await (producer.value, ticker.value)
    return all.joined(separator: " ")
  },
  ClientShape("customExecutor") { s in
    let client = QueueActor(session: s.session)
    let start = Date()
    async let a = client.load(s.base)
    async let b = fetchWithSleeps(s.session, s.base.appendingPathComponent("items/5")).count
    return try await "\(a) \(b), \(ms(start)) ms"
  },
  ClientShape("globalActorStore") { s in
    let store = await Store()
    await withTaskGroup(of: Void.self) { group in
      for id in 0..<5 {
        group.addTask {
          let data = try? await fetchWithSleeps(s.session, s.base.appendingPathComponent("items/\(id)"))
          await store.put(id, data?.count ?? -1)
        }
      }
    }
    return await "\(store.sizes.sorted { $0.key < $1.key }.map(\.value))"
  },
  ClientShape("continuousClock") { s in
    let clock = ContinuousClock()
    let begin = clock.now
    let deadline = begin + .seconds(3)
    var attempts = 0
    while clock.now < deadline {
      attempts += 1
      if let data = try? checked(try await s.session.data(for: request(s.base.appendingPathComponent("busy")))) {
        return "\(data.count) bytes"
      }
      try await clock.sleep(until: clock.now + .milliseconds(400), tolerance: .milliseconds(5))
    }
    let suspending = try await SuspendingClock().measure { try await Task.sleep(for: .milliseconds(120)) }
    return "gave up after \(attempts) attempts, \((clock.now - begin).ms) ms, slept \(suspending.ms) ms"
  },
  ClientShape("taskCancellation") { s in
    let start = Date()
    let task = Task { try await fetchWithSleeps(s.session, s.base.appendingPathComponent("slow")) }
    try await Task.sleep(for: .milliseconds(700))
    task.cancel()
    let outcome = await task.result
    var text = "cancelled as "
    if case .failure(let error) = outcome { text += short(error) } else { text += "nothing" }
    let first = ms(start)
    let data = try await fetchWithSleeps(s.session, s.base.appendingPathComponent("items/1"))
    return "\(text) at \(first) ms, then \(data.count) bytes, \(ms(start)) ms"
  },
  ClientShape("yieldPolling") { s in
    let box = Mutex<Int?>(nil)
    s.session.dataTask(with: request(s.base.appendingPathComponent("items/0"))) { data, _, _ in
      box.withLock { $0 = data?.count ?? -1 }
    }.resume()
    let start = Date()
    while box.withLock({ $0 }) == nil {
      if ms(start) > 20_000 { return "gave up" }
      await Task.yield()
    }
    return "\(box.withLock { $0 } ?? 0) bytes, \(ms(start)) ms"
  },
]
