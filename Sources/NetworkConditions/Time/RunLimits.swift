import Internals
import struct Synchronization.Atomic

/// The limit on the requests of a run; any thread may use it.
struct RequestBudget: ~Copyable, Sendable {
  private static let unbroken = Int.min
  private static let lifted = Int.min + 1

  let limit: Int
  private let count = Atomic(0)
  private let countAtInstant = Atomic(0)
  private let broken = Atomic(unbroken)

  init(limit: Int) { self.limit = limit }

  var made: Int { count.load(ordering: .relaxed) }

  /// The limit that the run has exceeded; `nil` if it has exceeded none.
  var exceeded: Int? {
    let limit = broken.load(ordering: .relaxed)
    return limit > Self.lifted ? limit : nil
  }

  /// Whether the run has exceeded a limit, even if ``liftLimit()`` was called since.
  var wasExceeded: Bool { broken.load(ordering: .relaxed) != Self.unbroken }

  /// The limit on requests at one instant, if half of them are one request that fails each time: an endless retry.
  private var limitAtOnce: Int { max(8_000, limit / 30) }

  /// Counts a request, and returns whether it may be made; `failures` returns the failures of the request that fails
  /// most at this instant.
  func admitsRequest(_ failures: () -> Int) -> Bool {
    let atInstant = countAtInstant.wrappingAdd(1, ordering: .relaxed).newValue
    if count.wrappingAdd(1, ordering: .relaxed).newValue > limit {
      exceed(limit)
    } else if atInstant % limitAtOnce == 0, failures() >= limitAtOnce / 2 {
      exceed(limitAtOnce)
    }
    return exceeded == nil
  }

  private func exceed(_ limit: Int) {
    _ = broken.compareExchange(expected: Self.unbroken, desired: limit, ordering: .relaxed)
  }

  func beginInstant() { countAtInstant.store(0, ordering: .relaxed) }

  /// Lifts an exceeded limit, so that the run can finish.
  func liftLimit() { if exceeded != nil { broken.store(Self.lifted, ordering: .relaxed) } }
}

/// The limit on jobs, calls and requests of tasks that a run left behind; any thread may use it.
struct Stragglers: ~Copyable, Sendable {
  /// The smallest limit: enough for the leftover tasks of a short run to end.
  private static let few = 1_000
  private static let most = 100_000

  private let limit = Atomic(few)
  private let count = Atomic(0)

  func admitsOne() -> Bool {
    count.wrappingAdd(1, ordering: .relaxed).newValue < limit.load(ordering: .relaxed)
  }

  /// Sets the limit at the end of a run to a multiple of its jobs, and returns it.
  func limit(afterJobs jobs: Int) -> Int {
    let limit = min(Self.most, Self.few + 4 * jobs)
    self.limit.store(limit, ordering: .relaxed)
    return limit
  }
}

/// Counts a run's jobs: very many at one instant mean an endless loop.
struct JobCount {
  private(set) var atInstant = 0
  private var before = 0
  var total: Int { before + atInstant }

  mutating func add(_ count: Int) { atInstant += count }

  mutating func beginInstant() { (before, atInstant) = (total, 0) }

  /// Sets the counter so that only `count` of the `allowed` jobs may still run at this instant.
  mutating func leave(_ count: Int, of allowed: Int) { atInstant = max(0, allowed - count) }
}

struct Standstill {
  private var progress = UInt64.max
  private var since: UInt64 = 0

  /// Returns for how long `progress` has not changed, at the uptime `now` in nanoseconds.
  mutating func length(progress: UInt64, at now: UInt64) -> Duration {
    if self.progress != progress { (self.progress, since) = (progress, now) }
    return .nanoseconds(Int64(clamping: now - since))
  }
}

extension SimulatedNetwork {
  /// Whether this network's run has ended at its limit of requests: its client waits for ever for the next answer.
  package var endedAtRequestLimit: Bool { engine.simulation?.endedAtRequestLimit ?? false }
}
