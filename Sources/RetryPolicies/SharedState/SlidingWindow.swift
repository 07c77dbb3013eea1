/// Counts events in a sliding time window of ten slots.
///
/// Slots begin at multiples of a tenth of the window, so the same times always give the same counts.
struct SlidingWindow<Content: Sendable>: Sendable {
  private let slot: Int64
  private let empty: Content
  private(set) var slots: [Content]
  /// The number of the newest slot, counted from the origin of time.
  private var newest: Int64 = 0

  init(_ length: Duration, empty: Content) {
    slot = max(1, length.wholeNanoseconds / 10)
    self.empty = empty
    slots = Array(repeating: empty, count: 10)
  }

  /// The content of the newest slot.
  var latest: Content {
    get { slots[Int(newest % 10)] }
    set { slots[Int(newest % 10)] = newValue }
  }

  /// Clears the slots that have left the window; a time before the newest slot changes nothing.
  mutating func advance(to time: Duration) {
    let now = number(time)
    guard now > newest else { return }
    for index in (newest + 1)...min(now, newest + 10) { slots[Int(index % 10)] = empty }
    newest = now
  }

  /// Changes the content of a time's slot, unless the slot has left the window.
  mutating func change(at time: Duration, _ body: (inout Content) -> Void) {
    let place = number(time)
    if place > newest - 10, place <= newest { body(&slots[Int(place % 10)]) }
  }

  /// Whether the newest slot, and so all contents, have left the window at a time.
  func isOver(at time: Duration) -> Bool { newest + 10 <= number(time) }

  private func number(_ time: Duration) -> Int64 { max(0, time.wholeNanoseconds) / slot }
}
