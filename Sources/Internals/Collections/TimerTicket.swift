/// Identifies a piece of timed work while it is waiting.
package struct TimerTicket: Hashable, Sendable {
  package let slot: Int
  package let order: UInt64

  package init(slot: Int, order: UInt64) {
    (self.slot, self.order) = (slot, order)
  }
}
