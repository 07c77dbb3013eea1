/// Tells whether a simulation answers the calling thread's clocks and queues.
package enum SimulatedThread {
  /// The function that tells this; set when the first client of the process is captured.
  package static let recognizes = Hook<@Sendable () -> Bool>()

  package static var isCurrent: Bool { recognizes.value?() ?? false }
}
