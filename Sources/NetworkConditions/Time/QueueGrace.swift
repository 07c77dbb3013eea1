import Dispatch
import struct Synchronization.Atomic

/// A time limit for work in the process's queues; it is extended while those queues get no thread.
struct QueueGrace: Sendable {
  /// The longest extension, from the first check after the limit: 60 s, in nanoseconds.
  private static let limit: UInt64 = 60_000_000_000

  private var deadline: UInt64
  private var pulse: QueuePulse?

  /// Starts the limit at a time of `DispatchTime`, in nanoseconds.
  init(from now: UInt64, for duration: Duration) {
    deadline = now &+ UInt64(max(0, duration.wholeNanoseconds))
  }

  /// How long to wait before the next check, in seconds: 20 ms within the limit, and 2 ms during an extension.
  var pause: Double { pulse == nil ? 0.02 : 0.002 }

  mutating func isOver(at now: UInt64) -> Bool {
    guard now >= deadline else { return false }
    guard let pulse else {
      // Extend from now on, because the whole process may have been stopped, as in a debugger.
      (pulse, deadline) = (QueuePulse(), now)
      return false
    }
    return pulse.isOver || now - deadline >= Self.limit
  }
}

/// Extends a time limit for a thread that computes but gets little of a busy processor.
struct WorkGrace: Sendable {
  /// The processor time that the thread has taken.
  var spent = Duration.zero
  private var before = Duration.zero

  /// Whether to extend the limit: the thread has computed since the last call, but had less than most of the limit as
  /// processor time.
  mutating func extends(_ limit: Duration) -> Bool {
    defer { before = spent }
    return spent - before >= limit / 50 && spent < limit * 4 / 5
  }
}

/// Measures whether queues get threads: passes through them several times, as a request does before its start.
private final class QueuePulse: Sendable {
  private static let length = 8
  private let beats = Atomic<Int>(0)
  private let serial = DispatchQueue(label: "network-conditions.pulse")

  init() { beat() }

  var isOver: Bool { beats.load(ordering: .relaxed) >= Self.length }

  /// Passes through a global and a serial queue, because libdispatch gives them threads separately.
  private func beat() {
    DispatchQueue.global().async { [self] in
      serial.async { [self] in
        if beats.wrappingAdd(1, ordering: .relaxed).newValue < Self.length { beat() }
      }
    }
  }
}
