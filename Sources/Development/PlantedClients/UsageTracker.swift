package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Counts usage events and sends them in batches; repeats a batch until the server receives it.
///
/// Its mistake: when a batch is received, it empties the queue. Events tracked while the batch was in flight are lost.
package actor UsageTracker {
  private let base: URL
  private let session: URLSession
  private let pause: @Sendable (Duration) async throws -> Void
  private var settings = TrackerSettings()
  private var queue: [UsageEvent] = []
  /// The batch in flight: repeated unchanged under its number until the server responds.
  private var sealed: Batch?
  private var eventCount = 0
  private var batchCount = 0
  private var isSending = false
  package private(set) var report = TrackerReport()

  private struct Batch: Codable {
    let batch: Int
    let events: [UsageEvent]
  }

  package init(base: URL, session: URLSession, clock: any Clock<Duration>) {
    (self.base, self.session) = (base, session)
    pause = { try await clock.sleep(for: $0) }
  }

  /// The unconfirmed events, which an app would write to disk.
  package var unsent: [UsageEvent] { (sealed?.events ?? []) + queue.filter { !isSealed($0) } }

  private func isSealed(_ event: UsageEvent) -> Bool { sealed?.events.contains(event) ?? false }

  // MARK: Tracking

  /// Counts an event.
  package func track(_ name: String) {
    guard !settings.muted.contains(name) else {
      report.muted += 1
      return
    }
    eventCount += 1
    queue.append(UsageEvent(number: eventCount, name: name))
    report.tracked += 1
    // Bound the queue: drop the oldest events that are not in flight.
    if queue.count > settings.limit, let place = queue.firstIndex(where: { !isSealed($0) }) {
      queue.remove(at: place)
      report.dropped += 1
    }
  }

  // MARK: Sending

  /// Runs while the app is in the foreground: reads the settings and sends batches periodically.
  package func run(rounds: Int) async {
    await readSettings()
    for _ in 0..<rounds {
      guard (try? await pause(settings.interval)) != nil else { return }
      if queue.count >= settings.batchSize || sealed != nil { await flush() }
    }
    if !queue.isEmpty { await flush() }
  }

  /// Sends a batch and retries after temporary failures.
  package func flush() async {
    guard !isSending else { return }
    isSending = true
    defer { isSending = false }
    var failures = 0
    while let batch = nextBatch() {
      do {
        try await deliver(batch)
        report.batches += 1
        sealed = nil
        queue.removeAll()
        return
      } catch TrackerError.refused(let status) {
        // The server will never accept it.
        report.refused.append(status)
        report.dropped += batch.events.count
        sealed = nil
        queue.removeAll { batch.events.contains($0) }
        return
      } catch {
        failures += 1
        if Task.isCancelled || failures > settings.retries { return }
        let wait = if case TrackerError.busy(let time?) = error { time } else { Self.pause(after: failures) }
        guard (try? await pause(wait)) != nil else { return }
      }
    }
  }

  private static func pause(after failures: Int) -> Duration {
    min(.milliseconds(500) * (1 << failures), .seconds(8))
  }

  /// The batch in flight, or a new one of the oldest events.
  private func nextBatch() -> Batch? {
    if let sealed { return sealed }
    guard !queue.isEmpty else { return nil }
    batchCount += 1
    let batch = Batch(batch: batchCount, events: Array(queue.prefix(settings.largestBatch)))
    sealed = batch
    return batch
  }

  private func deliver(_ batch: Batch) async throws {
    var request = URLRequest(url: base.appendingPathComponent("events"), timeoutInterval: 20)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("batch-\(batch.batch)", forHTTPHeaderField: "Idempotency-Key")
    request.httpBody = try JSONEncoder.sorted.encode(batch)
    let (_, response) = try await session.data(for: request)
    guard let response = response as? HTTPURLResponse else { throw TrackerError.unreadable }
    switch response.statusCode {
    case 200..<300: return
    case 401, 404, 408, 429, 500...:
      // A captive portal or a misconfigured server: keep the events.
      throw TrackerError.busy(Self.retryAfter(response))
    default: throw TrackerError.refused(response.statusCode)
    }
  }

  private static func retryAfter(_ response: HTTPURLResponse) -> Duration? {
    guard let text = response.value(forHTTPHeaderField: "Retry-After"), let seconds = Int(text), seconds >= 0 else {
      return nil
    }
    return .seconds(min(seconds, 30))
  }

  // MARK: The disk

  private struct Saved: Codable {
    let events: Int
    let batches: Int
    let sealed: Batch?
    let queue: [UsageEvent]
  }

  /// The state to write to disk before the app is closed.
  package func saved() throws -> Data {
    return try JSONEncoder.sorted.encode(Saved(events: eventCount, batches: batchCount, sealed: sealed, queue: queue))
  }

  /// Continues with the saved state: a batch in flight keeps its number.
  package func restore(_ data: Data) throws {
    let saved = try JSONDecoder().decode(Saved.self, from: data)
    (eventCount, batchCount, sealed) = (saved.events, saved.batches, saved.sealed)
    queue = saved.queue + queue
  }

  // MARK: Consent

  /// Stops tracking: discards local events and asks the server to delete its own.
  ///
  /// - Returns: whether the server did so.
  package func withdraw() async -> Bool {
    report.dropped += queue.count
    queue = []
    sealed = nil
    var request = URLRequest(url: base.appendingPathComponent("events"), timeoutInterval: 20)
    request.httpMethod = "DELETE"
    for attempt in 1...3 {
      if let (_, response) = try? await session.data(for: request), let http = response as? HTTPURLResponse {
        if 200..<300 ~= http.statusCode || http.statusCode == 404 { return true }
      }
      if Task.isCancelled { return false }
      if attempt < 3, (try? await pause(Self.pause(after: attempt))) == nil { return false }
    }
    return false
  }

  // MARK: Settings

  /// Reads the settings; keeps the defaults if that fails.
  private func readSettings() async {
    var request = URLRequest(url: base.appendingPathComponent("settings"), timeoutInterval: 6)
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    for attempt in 1...2 {
      do {
        let (data, response) = try await session.data(for: request)
        if (response as? HTTPURLResponse)?.statusCode == 200 {
          let remote = try JSONDecoder().decode(TrackerSettings.Remote.self, from: data)
          settings.apply(remote)
          report.hasSettings = true
          return
        }
      } catch {
        if Task.isCancelled { return }
      }
      if attempt == 1, (try? await pause(.milliseconds(300))) == nil { return }
    }
  }
}

/// How many events to send, and when.
package struct TrackerSettings: Sendable {
  private(set) var batchSize = 2
  private(set) var largestBatch = 20
  private(set) var limit = 50
  private(set) var retries = 2
  private(set) var interval = Duration.milliseconds(1500)
  private(set) var muted: Set<String> = []

  /// The settings that a server may change.
  struct Remote: Decodable {
    let batch: Int?
    let every: Int?
    let muted: [String]?
  }

  package init() {}

  /// Applies the values that are in range.
  mutating func apply(_ remote: Remote) {
    if let batch = remote.batch, (1...20).contains(batch) { batchSize = batch }
    if let every = remote.every, (500...60_000).contains(every) { interval = .milliseconds(every) }
    muted = Set(remote.muted ?? [])
  }
}

/// A user's action.
package struct UsageEvent: Codable, Hashable, Sendable {
  package let number: Int
  package let name: String

  private enum CodingKeys: String, CodingKey {
    case number = "n", name
  }

  package init(number: Int, name: String) {
    (self.number, self.name) = (number, name)
  }
}

/// The counts of tracked, sent and lost events.
package struct TrackerReport: Hashable, Sendable {
  package var tracked = 0
  package var muted = 0
  package var dropped = 0
  package var batches = 0
  package var refused: [Int] = []
  package var hasSettings = false

  /// The text in the app's settings.
  package var words: String {
    let losses = dropped == 0 ? "" : ", \(dropped) dropped"
    return "\(tracked) events in \(batches) batches\(losses)"
  }
}

/// Why a batch was not received.
package enum TrackerError: Error, Hashable, Sendable {
  /// Retry later, after this time if given.
  case busy(Duration?)
  /// The server refuses the batch.
  case refused(Int)
  case unreadable
}
