public import Internals
import URLLoading

/// A stretch of time in which `URLSession.shared` runs over a simulated network; ends with ``end()`` or when it is let
/// go.
///
/// There is one `URLSession.shared` in a process, so there is one interception at a time: a later call of
/// ``SimulatedNetwork/interceptingSharedSession(isolation:_:)`` waits for its turn. Requests that are under
/// way at the end stay with the network they began on.
///
/// - Note: On Apple platforms the class is registered with `URLProtocol.registerClass(_:)`, which is documented for the
///   shared session and for sessions that do not set their own `protocolClasses`.
public final class SharedSessionInterception: Sendable {
  /// Why `URLSession.shared` cannot be intercepted.
  public enum Failure: ExplainedError, Hashable, Sendable {
    /// Another interception is under way.
    case alreadyIntercepted
    /// The shared session would not take the simulation: Foundation has changed.
    case refusedByFoundation

    /// The mistake, and what would be right.
    public var description: String { explanation.ending(sentence) }

    package var explanation: Explanation { .sharedSession }

    package var sentence: String {
      switch self {
      case .alreadyIntercepted:
        """
        URLSession.shared is intercepted already; end that interception first, or wait for your turn with \
        interceptingSharedSession.
        """
      case .refusedByFoundation:
        "URLSession.shared does not take the simulation on this system; hand the client a session instead."
      }
    }
  }

  private struct State: @unchecked Sendable {
    // A class object is immutable, which the compiler does not know.
    var slot: AnyClass?
  }
  private let state: Mutex<State>
  fileprivate let engine: NetworkEngine
  private let sessions: SimulatedSessions?

  private static let present = Mutex(Present())
  private struct Present {
    weak var interception: SharedSessionInterception?
  }

  /// The interception that the task, or one that it comes from, is in.
  @TaskLocal fileprivate static var current: SharedSessionInterception?

  fileprivate init(_ network: SimulatedNetwork) throws(Failure) {
    let slot = network.claimSlot(for: URLSession.shared.configuration)
    state = Mutex(State(slot: slot))
    engine = network.engine
    sessions = network.simulated
    SharedSessionTurns.keep(for: engine)
    sessions?.know(URLSession.shared, servedBy: slot)
    guard Self.install(slot) else {
      end()
      throw Failure.refusedByFoundation
    }
    Self.present.withLock { $0.interception = self }
  }

  deinit {
    if !isOver, engine.look({ $0.snapshot() }).transfers.isEmpty {
      let text =
        "The interception of URLSession.shared ended before a request was made: keep what "
        + "interceptSharedSession() returns until the requests have ended.\n"
      FileHandle.standardError.write(Data(text.utf8))
    }
    end()
  }

  fileprivate var isOver: Bool { state.withLock { $0.slot == nil } }

  /// Ends the interception of a network whose client was stopped, and removes its clients from the waiting line.
  static func abandon(_ engine: NetworkEngine) {
    let present = present.withLock { $0.interception }
    if let present, present.engine === engine { present.end() }
    SharedSessionTurns.abandon(engine)
  }

  /// Ends the interception: `URLSession.shared` is what it was.
  public func end() {
    let slot: AnyClass? = state.withLock { state in
      defer { state.slot = nil }
      return State(slot: state.slot)
    }.slot
    guard let slot else { return }
    Self.remove(slot)
    sessions?.forget(URLSession.shared)
    SharedSessionTurns.end()
  }
}

extension SimulatedNetwork {
  /// Makes `URLSession.shared` run over this network until the interception ends, at once.
  ///
  /// For code that cannot wait, such as the setup of an app.
  ///
  /// - Throws: ``SharedSessionInterception/Failure`` when another one is under way.
  public func interceptSharedSession() throws(SharedSessionInterception.Failure) -> SharedSessionInterception {
    guard SharedSessionTurns.take(for: engine) else { throw .alreadyIntercepted }
    return try SharedSessionInterception(self)
  }

  /// Runs `body` while `URLSession.shared` runs over this network, and undoes that at its end.
  ///
  /// While another one has it, this waits; who came first is first, but for the clients of one network, who have their
  /// turns one after another. In a ``Simulation`` time stands still while another network has it.
  ///
  /// - Throws: what `body` throws; `CancellationError` when the task is cancelled while it waits; and
  ///   ``SharedSessionInterception/Failure`` when it could never have its turn: `body` of another network's call calls
  ///   this.
  public func interceptingSharedSession<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> Result {
    if let current = SharedSessionInterception.current, !current.isOver {
      guard current.engine === engine else { throw SharedSessionInterception.Failure.alreadyIntercepted }
      return try await body()
    }
    try await SharedSessionTurns.wait(for: engine)
    let interception = try SharedSessionInterception(self)
    defer { interception.end() }
    return try await SharedSessionInterception.$current.withValue(interception) { try await body() }
  }
}
