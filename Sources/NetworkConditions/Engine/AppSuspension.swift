/// The suspension of the client's app, with the app's own work that waits until it resumes.
struct AppSuspension {
  private(set) var isActive = false
  /// When a suspension of fixed length ends.
  var resumption: SimulatedInstant?
  /// The app's waiting work, in the order in which it was due.
  private var held: [EngineState.TimedWork] = []

  mutating func begin() { isActive = true }

  mutating func end() -> [EngineState.TimedWork] {
    defer { (isActive, held) = (false, []) }
    return held
  }

  /// Keeps due work until the suspension ends; returns `false` if the work must run now.
  mutating func holds(_ work: EngineState.TimedWork) -> Bool {
    guard isActive, work.isOfApp else { return false }
    held.append(work)
    return true
  }

  /// Removes the waiting sleeps of killed clients, and returns their number.
  mutating func forgetClientsSleeps() -> Int {
    let count = held.count
    held.removeAll { if case .wake(let sleeper) = $0 { sleeper.isClients } else { false } }
    return count - held.count
  }
}
