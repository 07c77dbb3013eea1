/// Where the record of each request stands, by the request's number.
struct StreamNumbers: Sendable {
  private var slots: [Int32] = []
  /// The number that the first place stands for, and how many places at the front are empty.
  private var base = 0
  private var gone = 0

  /// The number of the next request.
  var next: Int { base + slots.count }

  mutating func append(_ slot: Int32) {
    slots.append(slot)
  }

  func slot(of number: Int) -> Int32? {
    let place = number - base
    guard place >= 0, place < slots.count, slots[place] >= 0 else { return nil }
    return slots[place]
  }

  mutating func remove(_ number: Int) {
    slots[number - base] = -1
    while gone < slots.count, slots[gone] < 0 { gone += 1 }
    if gone >= 64, gone * 2 >= slots.count {
      slots.removeFirst(gone)
      base += gone
      gone = 0
    }
  }
}
