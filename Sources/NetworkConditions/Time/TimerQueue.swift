import Internals
import LinkSimulator

/// Keeps work until its time; work of the same time comes in the order in which it was added.
struct TimerQueue<Work> {
  typealias Ticket = TimerTicket

  /// The times of the work, by its number; entries of removed work stay until they are the first.
  private var times = MinimumHeap()
  private var works: [Int: (time: SimulatedInstant, work: Work)] = [:]
  private var lastNumber = 0

  var count: Int { works.count }

  var nextTime: SimulatedInstant? { times.entries.first.map { SimulatedInstant(nanoseconds: $0.time) } }

  @discardableResult
  mutating func add(_ work: Work, at time: SimulatedInstant) -> Ticket {
    // While time stands still, entries of removed work never become the first. So rebuild the heap.
    if times.entries.count > 2 * works.count + 64 {
      times.removeAll()
      for (number, entry) in works { times.insert(time: entry.time.nanoseconds, value: number) }
    }
    lastNumber += 1
    works[lastNumber] = (time, work)
    times.insert(time: time.nanoseconds, value: lastNumber)
    return Ticket(number: lastNumber)
  }

  func isWaiting(_ ticket: Ticket) -> Bool { works[ticket.number] != nil }

  mutating func remove(_ ticket: Ticket) -> Work? {
    defer { dropRemoved() }
    return works.removeValue(forKey: ticket.number)?.work
  }

  /// Removes all work for which `select` returns a result, and returns the results in order of time.
  mutating func removeAll<Result>(_ select: (Work) -> Result?) -> [Result] {
    defer { dropRemoved() }
    return works.sorted { ($0.value.time, $0.key) < ($1.value.time, $1.key) }.compactMap { number, entry in
      guard let result = select(entry.work) else { return nil }
      works[number] = nil
      return result
    }
  }

  mutating func popDue(at time: SimulatedInstant) -> Work? {
    guard let first = times.entries.first, first.time <= time.nanoseconds else { return nil }
    return remove(Ticket(number: first.value))
  }

  private mutating func dropRemoved() {
    while let first = times.entries.first, works[first.value] == nil { times.removeFirst() }
  }
}
