import LinkSimulator

/// What is to be done at which time; what is due at one instant is done in the order in which it was asked for.
///
/// A binary heap. Nothing is taken out of it early: whoever asked looks, when its turn comes, whether it still matters.
struct TimerQueue<Work> {
  private struct Entry {
    var time: SimulatedInstant
    var order: UInt64
    var work: Work

    func precedes(_ other: Entry) -> Bool {
      (time, order) < (other.time, other.order)
    }
  }

  private var heap: [Entry] = []
  private var count: UInt64 = 0

  /// When the first piece of work is due; `nil` when there is none.
  var nextTime: SimulatedInstant? { heap.first?.time }

  /// Asks for `work` to be done at `time`.
  mutating func add(_ work: Work, at time: SimulatedInstant) {
    heap.append(Entry(time: time, order: count, work: work))
    count += 1
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes out all work of which `select` gives something, and gives that, in the order of the times.
  mutating func removeAll<Result>(_ select: (Work) -> Result?) -> [Result] {
    var taken: [(entry: Entry, result: Result)] = []
    var left: [Entry] = []
    for entry in heap {
      if let result = select(entry.work) { taken.append((entry, result)) } else { left.append(entry) }
    }
    // A sorted list is a heap.
    heap = left.sorted { $0.precedes($1) }
    return taken.sorted { $0.entry.precedes($1.entry) }.map(\.result)
  }

  /// Takes the first piece of work out when it is due at `time`.
  mutating func popDue(at time: SimulatedInstant) -> Work? {
    guard let first = heap.first, first.time <= time else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first.work }
    heap[0] = last
    var parent = 0
    while true {
      let left = 2 * parent + 1
      guard left < heap.count else { break }
      let right = left + 1
      let child = right < heap.count && heap[right].precedes(heap[left]) ? right : left
      guard heap[child].precedes(heap[parent]) else { break }
      heap.swapAt(child, parent)
      parent = child
    }
    return first.work
  }
}
