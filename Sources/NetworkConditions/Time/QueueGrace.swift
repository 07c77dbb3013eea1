import Dispatch
import struct Synchronization.Atomic

/// A time limit for calls that come through the process's queues; it is extended while these get no thread.
struct QueueGrace: Sendable {
  /// The most by which it is extended: 60 s.
  private static let limit: UInt64 = 60_000_000_000

  private let deadline: UInt64
  private var pulse: QueuePulse?

  /// From a time of `DispatchTime`, in nanoseconds.
  init(from now: UInt64, for duration: Duration) {
    deadline = now &+ UInt64(max(0, duration.wholeNanoseconds))
  }

  mutating func isOver(at now: UInt64) -> Bool {
    guard now >= deadline else { return false }
    let pulse = self.pulse ?? QueuePulse()
    self.pulse = pulse
    return pulse.isOver || now - deadline >= Self.limit
  }
}

/// Goes through the queues' threads several times, as a request does before it is started.
private final class QueuePulse: Sendable {
  private static let length = 8
  private let beats = Atomic<Int>(0)
  private let serial = DispatchQueue(label: "network-conditions.pulse")

  init() { beat() }

  var isOver: Bool { beats.load(ordering: .relaxed) >= Self.length }

  /// Serial queues and the global ones have threads of their own.
  private func beat() {
    DispatchQueue.global().async { [self] in
      serial.async { [self] in
        if beats.wrappingAdd(1, ordering: .relaxed).newValue < Self.length { beat() }
      }
    }
  }
}
