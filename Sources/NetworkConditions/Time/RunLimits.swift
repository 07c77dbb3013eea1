import Internals
import struct Synchronization.Atomic

/// The requests that a run may make; asked by any thread.
struct RequestBudget: ~Copyable, Sendable {
  private static let unbroken = Int.min

  let limit: Int
  private let count = Atomic(0)
  private let countAtInstant = Atomic(0)
  private let broken = Atomic(unbroken)

  init(limit: Int) { self.limit = limit }

  /// How many requests were made.
  var made: Int { count.load(ordering: .relaxed) }

  /// The limit that the run has exceeded; `nil` while it has not.
  var exceeded: Int? {
    let limit = broken.load(ordering: .relaxed)
    return limit == Self.unbroken ? nil : limit
  }

  /// So many requests at one instant, half of them one and the same that fails, are those of a client that tries for
  /// ever.
  private var limitAtOnce: Int { max(8_000, limit / 30) }

  /// Counts a request, and says whether it may be made.
  ///
  /// - Parameter failures: how often the one request that failed most often at this instant did; asked rarely.
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

  /// Lets a run that has exceeded a limit come to its end.
  func forgive() { broken.store(Self.unbroken, ordering: .relaxed) }
}

/// The jobs, calls and requests of tasks that a run has left behind; asked by any thread.
struct Stragglers: ~Copyable, Sendable {
  /// So many are enough for what a short run left behind to come to its end.
  private static let few = 1_000
  /// A run that was long gets no more than these.
  private static let most = 100_000

  private let limit = Atomic(few)
  private let count = Atomic(0)

  func admitsOne() -> Bool {
    count.wrappingAdd(1, ordering: .relaxed).newValue < limit.load(ordering: .relaxed)
  }

  /// Sets the limit at the end of a run of so many jobs, and returns it: a few times as many.
  func limit(afterJobs jobs: Int) -> Int {
    let limit = min(Self.most, Self.few + 4 * jobs)
    self.limit.store(limit, ordering: .relaxed)
    return limit
  }
}

/// The jobs that a run has done: many at one instant are an endless loop.
struct JobCount {
  private(set) var atInstant = 0
  private var before = 0
  var total: Int { before + atInstant }

  mutating func add(_ count: Int) { atInstant += count }

  mutating func beginInstant() { (before, atInstant) = (total, 0) }

  /// Leaves so many jobs of those that are allowed at this instant.
  mutating func leave(_ count: Int, of allowed: Int) { atInstant = max(0, allowed - count) }
}

/// The real time in which nothing has moved.
struct Standstill {
  private var progress = UInt64.max
  private var since: UInt64 = 0

  /// How long it has lasted, by an uptime in nanoseconds; it begins anew when `progress` is another than before.
  mutating func length(progress: UInt64, at now: UInt64) -> Duration {
    if self.progress != progress { (self.progress, since) = (progress, now) }
    return .nanoseconds(Int64(clamping: now - since))
  }
}
