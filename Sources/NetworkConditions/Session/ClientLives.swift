import ClientCapture
import Foundation
import Internals

/// The launched clients of a network: their launches, their files, and their scheduled kills and power losses.
final class ClientLives: Sendable {
  private struct State {
    weak var engine: NetworkEngine?
    var home: ClientHome?
    /// The number of launches of each client; `nil` is the client without a number.
    var launches: [Int?: Int] = [:]
    /// The running clients, by the launch's number, each with a closure that ends it.
    var open: [Int: @Sendable () -> Void] = [:]
    var nextLife = 0
    var changes = 0
    /// The scheduled kills and power losses that wait for a change of a file.
    var expected: Set<ClientDeath> = []
    /// The scheduled kills and power losses that have happened.
    var struck: Set<ClientDeath> = []
    var medium = StorageMedium()
  }
  private let state = Mutex(State())

  func belong(to engine: NetworkEngine) { state.withLock { $0.engine = engine } }

  var struck: Set<ClientDeath> { state.withLock { $0.struck } }

  func nextLaunch(of client: Int?) throws -> Launch {
    let (home, number, engine) = state.withLock { state in
      let home = state.home ?? ClientHome()
      state.home = home
      state.launches[client, default: 0] += 1
      return (home, state.launches[client, default: 1], state.engine)
    }
    let folder = try home.folder(of: client)
    engine?.simulation?.watchFiles(below: home.path, for: self)
    engine?.change { $0.timeline.record(.launched(number), at: $0.time, transfer: nil) }
    return Launch(folder: folder, number: number)
  }

  func begin(_ kill: @escaping @Sendable () -> Void) -> Int {
    let (number, engine) = state.withLock { state in
      defer { state.nextLife += 1 }
      state.open[state.nextLife] = kill
      return (state.nextLife, state.engine)
    }
    engine?.locked { $0.details?.noteLife(number, begins: true, at: $0.time) }
    return number
  }

  func end(_ number: Int) {
    let engine = state.withLock { state in
      state.open[number] = nil
      return state.engine
    }
    engine?.locked { $0.details?.noteLife(number, begins: false, at: $0.time) }
  }

  // MARK: Death

  func expect(_ death: ClientDeath) {
    let engine = state.withLock { state in
      if death.losesPower { state.medium.keepsContents = true }
      return state.engine
    }
    switch death.moment {
    case .afterFileChange: state.withLock { _ = $0.expected.insert(death) }
    case .at(let time):
      engine?.strike(at: .zero.advanced(by: time)) { [weak engine] in
        engine?.timeSource.perform { [weak engine] in engine?.lives.kill(death) }
      }
    }
  }

  func note(_ access: FileAccess) -> Bool {
    let (engine, death, isUnsynchronised) = state.withLock { state in
      if let home = state.home { state.medium.note(access, below: home.path) }
      var death: ClientDeath?
      if access.isChange {
        state.changes += 1
        // A power failure also kills, so it counts first.
        let deaths = [true, false].map { ClientDeath(.afterFileChange(state.changes), losesPower: $0) }
        if !state.open.isEmpty { death = deaths.first(where: state.expected.contains) }
      }
      return (state.engine, death, !state.medium.unsynchronised.isEmpty)
    }
    engine?.locked { $0.noteFile(isChange: access.isChange, isUnsynchronised: isUnsynchronised) }
    guard let death else { return false }
    engine?.timeSource.perform { [weak self] in self?.kill(death) }
    return true
  }

  /// Kills all running clients; their files stay, but a power failure loses unsynchronised bytes.
  private func kill(_ death: ClientDeath) {
    let (engine, open) = state.withLock { state in
      guard !state.open.isEmpty else { return (NetworkEngine?.none, [@Sendable () -> Void]()) }
      defer { state.open = [:] }
      state.struck.insert(death)
      return (state.engine, state.open.sorted { $0.key < $1.key }.map(\.value))
    }
    guard let engine else { return }
    engine.change { $0.killClients(losingPower: death.losesPower) }
    engine.simulation?.killClient()
    if death.losesPower {
      state.withLock { state in if let home = state.home { state.medium.losePower(below: home.path) } }
    }
    for kill in open { kill() }
  }

  func end() {
    // The folder is removed outside of the lock.
    _ = state.withLock { state in
      state.open = [:]
      return state.home.take()
    }
  }
}

/// The folder of one network's clients; it starts empty, and the network's end removes it.
private final class ClientHome: Sendable {
  /// The numbers of the folders in use; a later run reuses a free number and so has the same path.
  private static let taken = Mutex<Set<Int>>([])

  private let number: Int
  let path: String

  init() {
    let number = Self.taken.withLock { taken in (0...).first { taken.insert($0).inserted } ?? 0 }
    self.number = number
    let name = "network-conditions-\(ProcessInfo.processInfo.processIdentifier)-\(number)"
    path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent(name).path
    try? FileManager.default.removeItem(atPath: path)
  }

  deinit {
    RealTime.run { try? FileManager.default.removeItem(atPath: path) }
    Self.taken.withLock { _ = $0.remove(number) }
  }

  func folder(of client: Int?) throws -> URL {
    let folder = URL(fileURLWithPath: path).appendingPathComponent(
      client.map { "client-\($0)" } ?? "client", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
