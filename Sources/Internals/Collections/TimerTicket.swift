/// Identifies a piece of timed work while it is waiting.
package struct TimerTicket: Hashable, Sendable {
  package let number: Int

  package init(number: Int) { self.number = number }
}
