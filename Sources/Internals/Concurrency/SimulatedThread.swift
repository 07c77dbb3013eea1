/// Tells whether a simulation answers the calling thread's clocks and queues.
package enum SimulatedThread {
  private static let answer = Mutex<@Sendable () -> Bool>({ false })

  /// Sets the function that knows; called when the first client of the process is captured.
  package static func recognize(by answer: @escaping @Sendable () -> Bool) {
    self.answer.withLock { $0 = answer }
  }

  package static var isCurrent: Bool { answer.withLock(\.self)() }
}
