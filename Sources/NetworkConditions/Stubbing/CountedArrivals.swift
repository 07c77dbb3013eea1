/// A counter, with tasks that wait for it to reach a number.
struct CountedArrivals {
  private struct Waiter {
    let id: UInt64
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private(set) var count = 0
  private var waiters: [Waiter] = []
  private var lastID: UInt64 = 0

  mutating func add() -> [CheckedContinuation<Void, Never>] {
    count += 1
    defer { waiters.removeAll { $0.count <= count } }
    return waiters.filter { $0.count <= count }.map(\.continuation)
  }

  mutating func nextID() -> UInt64 {
    lastID += 1
    return lastID
  }

  mutating func wait(_ id: UInt64, for count: Int, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
    guard self.count < count else { return false }
    waiters.append(Waiter(id: id, count: count, continuation: continuation))
    return true
  }

  /// Removes a waiting task; `nil` if it no longer waits.
  mutating func forget(_ id: UInt64) -> CheckedContinuation<Void, Never>? {
    waiters.firstIndex { $0.id == id }.map { waiters.remove(at: $0).continuation }
  }
}
