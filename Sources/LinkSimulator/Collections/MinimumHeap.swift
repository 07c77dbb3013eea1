/// A binary heap of values by time, smallest first; equal times are ordered by value.
package struct MinimumHeap: Sendable {
  package struct Entry: Sendable {
    package var time: Int64
    package var value: Int

    static func < (lhs: Entry, rhs: Entry) -> Bool {
      lhs.time < rhs.time || (lhs.time == rhs.time && lhs.value < rhs.value)
    }
  }

  package private(set) var entries: [Entry] = []

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  /// The earliest time; `.max` when the heap is empty.
  var firstTime: Int64 { entries.isEmpty ? .max : entries[0].time }

  package mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
  }

  package mutating func insert(time: Int64, value: Int) {
    let entry = Entry(time: time, value: value)
    var child = entries.count
    entries.append(entry)
    while child > 0 {
      let parent = (child - 1) / 2
      guard entry < entries[parent] else { break }
      entries[child] = entries[parent]
      child = parent
    }
    entries[child] = entry
  }

  @discardableResult
  package mutating func removeFirst() -> Entry {
    let first = entries[0]
    let last = entries.removeLast()
    guard !entries.isEmpty else { return first }
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1] < entries[child] { child += 1 }
      guard entries[child] < last else { break }
      entries[parent] = entries[child]
      parent = child
    }
    entries[parent] = last
    return first
  }
}
