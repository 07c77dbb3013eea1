public import Internals
import URLLoading

/// The time during which `URLSession.shared` runs over a simulated network; ends with ``end()`` or its release.
///
/// A process has one `URLSession.shared`, so only one interception exists at a time. A later call of
/// ``SimulatedNetwork/interceptingSharedSession(isolation:_:)`` waits for its turn. Requests that are under way at the
/// end stay with their network.
///
/// - Note: On Apple platforms the class is registered with `URLProtocol.registerClass(_:)`. Apple documents this for
///   the shared session and for sessions without their own `protocolClasses`.
public final class SharedSessionInterception: Sendable {
  /// The reason why `URLSession.shared` cannot be intercepted.
  public enum Failure: ExplainedError, Hashable, Sendable {
    /// Another interception exists.
    case alreadyIntercepted
    /// The shared session did not accept the protocol class, because this Foundation works differently.
    case refusedByFoundation

    /// The mistake, and the remedy.
    public var description: String { explanation.ending(sentence) }

    package var explanation: Explanation { .sharedSession }

    package var sentence: String {
      switch self {
      case .alreadyIntercepted:
        """
        URLSession.shared is already intercepted; end that interception first, or wait for your turn with \
        interceptingSharedSession.
        """
      case .refusedByFoundation:
        "URLSession.shared cannot be simulated on this system; give the client a session instead."
      }
    }
  }

  private struct State: @unchecked Sendable {
    // A class object is immutable, but the compiler does not know that.
    var slot: AnyClass?
  }
  private let state: Mutex<State>
  fileprivate let engine: NetworkEngine
  private let sessions: SimulatedSessions?

  private static let present = Mutex(WeakReference<SharedSessionInterception>(nil))

  /// The interception in which the present task, or an ancestor of it, runs.
  @TaskLocal fileprivate static var current: SharedSessionInterception?

  fileprivate init(_ network: SimulatedNetwork) throws(Failure) {
    let slot = network.claimSlot(for: URLSession.shared.configuration, isAdopted: true)
    state = Mutex(State(slot: slot))
    engine = network.engine
    sessions = network.simulated
    SharedTurns.keep(URLSession.shared, for: engine)
    sessions?.know(URLSession.shared, servedBy: slot)
    guard Self.install(slot) else {
      end()
      throw Failure.refusedByFoundation
    }
    Self.present.withLock { $0 = WeakReference(self) }
  }

  deinit {
    if !isOver, engine.look({ $0.snapshot() }).transfers.isEmpty {
      let text =
        "The interception of URLSession.shared ended before a request was made: keep what "
        + "interceptSharedSession() returns until the requests have ended."
      StandardError.say(text)
    }
    end()
  }

  fileprivate var isOver: Bool { state.withLock { $0.slot == nil } }

  /// Ends the interception of a stopped run's network, and removes its clients from the waiting line.
  static func abandon(_ engine: NetworkEngine) {
    let present = present.withLock { $0.object }
    if let present, present.engine === engine { present.end() }
    SharedTurns.abandon(engine)
  }

  /// Ends the interception of an ended run whose client never ended it, for example because it waits for ever.
  static func release(by engine: NetworkEngine) {
    SharedTurns.dismiss(engine)
    let present = present.withLock { $0.object }
    if let present, present.engine === engine { present.end() }
  }

  /// Ends the interception and restores `URLSession.shared`.
  public func end() {
    guard let slot = state.withLock({ State(slot: $0.slot.take()) }).slot else { return }
    Self.remove(slot)
    ProtocolSlots.binding(of: slot)?.restoreCookies()
    sessions?.forget(URLSession.shared)
    SharedTurns.end()
  }
}

extension SimulatedNetwork {
  /// Makes `URLSession.shared` run over this network, without waiting, until the interception ends.
  ///
  /// For code that cannot wait, such as an app's setup.
  ///
  /// - Throws: ``SharedSessionInterception/Failure`` if another interception exists.
  public func interceptSharedSession() throws(SharedSessionInterception.Failure) -> SharedSessionInterception {
    guard SharedTurns.takeIfFree(for: engine) else { throw .alreadyIntercepted }
    return try SharedSessionInterception(self)
  }

  /// Runs `body` while `URLSession.shared` runs over this network.
  ///
  /// If another call has the session, this one waits. Calls take turns in order, but all waiting calls of the same
  /// network come first. In a ``Simulation`` time stands still while another network has the session.
  ///
  /// - Throws: the error of `body`; `CancellationError` if the task is cancelled while waiting;
  ///   ``SharedSessionInterception/Failure`` if the call is inside another network's `body`, where it would wait for
  ///   ever.
  public func interceptingSharedSession<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> Result {
    if let current = SharedSessionInterception.current, !current.isOver {
      guard current.engine === engine else { throw SharedSessionInterception.Failure.alreadyIntercepted }
      return try await body()
    }
    try await SharedTurns.wait(for: engine)
    let interception = try SharedSessionInterception(self)
    defer { interception.end() }
    return try await SharedSessionInterception.$current.withValue(interception) { try await body() }
  }
}
