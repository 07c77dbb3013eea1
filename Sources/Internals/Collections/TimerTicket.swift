/// Says which piece of timed work is meant, for as long as that waits.
package struct TimerTicket: Hashable, Sendable {
  package let slot: Int
  package let order: UInt64

  package init(slot: Int, order: UInt64) {
    (self.slot, self.order) = (slot, order)
  }
}
