/// Whether the system has suspended the client's app, and the app's own work that waits for its return.
struct AppSuspension {
  private(set) var isActive = false
  /// When a suspension of fixed length ends.
  var resumption: SimulatedInstant?
  /// In the order in which it was due.
  private var held: [EngineState.TimedWork] = []

  mutating func begin() { isActive = true }

  mutating func end() -> [EngineState.TimedWork] {
    defer { (isActive, held) = (false, []) }
    return held
  }

  /// Keeps work that is due until the end; returns `false` for work that is to be done now.
  mutating func holds(_ work: EngineState.TimedWork) -> Bool {
    guard isActive, work.isOfApp else { return false }
    held.append(work)
    return true
  }

  /// Forgets the sleeps of clients that were killed, and returns how many there were.
  mutating func forgetClientsSleeps() -> Int {
    let count = held.count
    held.removeAll { if case .wake(let sleeper) = $0 { sleeper.isClients } else { false } }
    return count - held.count
  }
}
