import Internals

/// Which clients share a state, such as a budget, a throttle or a circuit.
public enum StateSharing: Hashable, Sendable {
  /// Each client has its own state.
  case client
  /// Each process has its own state; a process is this many clients with consecutive numbers.
  case process(of: Int)
  /// All clients of a run share one state.
  case all
}

/// Stores the state that several requests share: budgets, throttles, circuits.
///
/// Each client has one such store, which refers to a common store for all clients. States are created at first use. The
/// simulation runs clients in a fixed order, so a seed always gives the same run.
public final class SharedStates: Sendable {
  /// A state's key: the index of its part in the plan, and its process.
  private struct Key: Hashable {
    let number: Int
    let process: Int
  }

  private let states = Mutex<[Key: any Sendable]>([:])
  private let common: SharedStates?
  private let client: Int

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - common: stores the state that is shared with other clients; `nil` stores it here.
  ///   - client: the number of the client, from 0, which determines its process.
  public init(common: SharedStates? = nil, client: Int = 0) {
    self.common = common
    self.client = client
  }

  /// Returns the state with this number, and creates it at first use.
  public func state<State: Sendable>(
    _ number: Int, sharing: StateSharing = .client, _ make: () -> State
  ) -> State {
    switch sharing {
    case .client: made(Key(number: number, process: 0), make)
    case .process(let clients):
      (common ?? self).made(Key(number: number, process: client / max(1, clients)), make)
    case .all: (common ?? self).made(Key(number: number, process: 0), make)
    }
  }

  private func made<State: Sendable>(_ key: Key, _ make: () -> State) -> State {
    states.withLock { states in
      if let stored = states[key], let known = stored as? State { return known }
      let new = make()
      states[key] = new
      return new
    }
  }
}

/// The store, and the key in it, where one part of a plan keeps its shared state.
struct StateHome: Sendable {
  var states = SharedStates()
  var number = 0
  var sharing = StateSharing.client

  func state<State: Sendable>(_ make: () -> State) -> State { states.state(number, sharing: sharing, make) }
}
