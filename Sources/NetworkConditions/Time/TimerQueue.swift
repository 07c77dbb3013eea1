import Internals

/// Keeps work until its time; work of the same time comes in the order in which it was added.
///
/// It is a heap of times, with the work in a separate array, so that removed work is released at once.
struct TimerQueue<Work> {
  typealias Ticket = TimerTicket

  private struct Entry {
    var time: SimulatedInstant
    var ticket: Ticket

    func precedes(_ other: Entry) -> Bool {
      (time, ticket.order) < (other.time, other.ticket.order)
    }
  }

  private struct Slot {
    var work: Work?
    var place = 0
    var order: UInt64 = 0
  }

  private var heap: [Entry] = []
  private var slots: [Slot] = []
  private var free: [Int] = []
  private var nextOrder: UInt64 = 0

  var count: Int { heap.count }

  var nextTime: SimulatedInstant? { heap.first?.time }

  @discardableResult
  mutating func add(_ work: Work, at time: SimulatedInstant) -> Ticket {
    let slot = free.popLast() ?? slots.count
    if slot == slots.count { slots.append(Slot()) }
    let ticket = Ticket(slot: slot, order: nextOrder)
    slots[slot].work = work
    slots[slot].order = nextOrder
    nextOrder += 1
    heap.append(Entry(time: time, ticket: ticket))
    siftUp(heap.count - 1)
    return ticket
  }

  func isWaiting(_ ticket: Ticket) -> Bool {
    slots[ticket.slot].work != nil && slots[ticket.slot].order == ticket.order
  }

  mutating func remove(_ ticket: Ticket) -> Work? {
    isWaiting(ticket) ? take(slots[ticket.slot].place) : nil
  }

  /// Removes all work for which `select` returns a result, and returns the results in order of time.
  mutating func removeAll<Result>(_ select: (Work) -> Result?) -> [Result] {
    // A sorted list is a heap.
    let sorted = heap.sorted { $0.precedes($1) }
    heap = []
    var taken: [Result] = []
    for entry in sorted {
      if let work = slots[entry.ticket.slot].work, let result = select(work) {
        taken.append(result)
        vacate(entry.ticket.slot)
      } else {
        slots[entry.ticket.slot].place = heap.count
        heap.append(entry)
      }
    }
    return taken
  }

  mutating func popDue(at time: SimulatedInstant) -> Work? {
    guard let first = heap.first, first.time <= time else { return nil }
    return take(0)
  }

  // MARK: The heap

  private mutating func vacate(_ slot: Int) {
    slots[slot].work = nil
    free.append(slot)
  }

  private mutating func take(_ place: Int) -> Work? {
    let slot = heap[place].ticket.slot
    let work = slots[slot].work
    vacate(slot)
    let last = heap.removeLast()
    if place < heap.count {
      heap[place] = last
      siftUp(siftDown(place))
    }
    return work
  }

  private mutating func siftUp(_ start: Int) {
    let entry = heap[start]
    var place = start
    while place > 0 {
      let parent = (place - 1) / 2
      guard entry.precedes(heap[parent]) else { break }
      put(heap[parent], at: place)
      place = parent
    }
    put(entry, at: place)
  }

  private mutating func siftDown(_ start: Int) -> Int {
    let entry = heap[start]
    var place = start
    while true {
      let left = 2 * place + 1
      guard left < heap.count else { break }
      let right = left + 1
      let child = right < heap.count && heap[right].precedes(heap[left]) ? right : left
      guard heap[child].precedes(entry) else { break }
      put(heap[child], at: place)
      place = child
    }
    put(entry, at: place)
    return place
  }

  private mutating func put(_ entry: Entry, at place: Int) {
    heap[place] = entry
    slots[entry.ticket.slot].place = place
  }
}
