import Internals

/// Whose one state is, such as a budget, a throttle or a circuit.
public enum StateSharing: Hashable, Sendable {
  /// Each client has one of its own.
  case client
  /// Each process of so many clients, in the order of their numbers, has one of its own.
  case process(of: Int)
  /// All clients of a run have one together.
  case all
}

/// Where the state lives that requests share: budgets, throttles, circuits.
///
/// One belongs to a client, and knows the one of all clients. What is in it is made at the first use, in the order in which the
/// simulation runs clients, so that a seed gives the same course every time.
public final class SharedStates: Sendable {
  /// Which part of a plan a state is of, and of which process.
  private struct Key: Hashable {
    let number: Int
    let process: Int
  }

  private let states = Mutex<[Key: any Sendable]>([:])
  private let common: SharedStates?
  private let client: Int

  /// Creates a home without any state.
  ///
  /// - Parameters:
  ///   - common: where the state lives that is shared with other clients; here, when it is `nil`.
  ///   - client: the number of the client, from 0, by which it belongs to a process.
  public init(common: SharedStates? = nil, client: Int = 0) {
    self.common = common
    self.client = client
  }

  /// The state of a number, which is made once for all who share it.
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

/// The place of one part's state.
struct StateHome: Sendable {
  var states = SharedStates()
  var number = 0
  var sharing = StateSharing.client

  func state<State: Sendable>(_ make: () -> State) -> State { states.state(number, sharing: sharing, make) }
}
