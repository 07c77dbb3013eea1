import ClientCapture
import Dispatch
import Internals
public import URLLoading

/// A network with conditions: what a `URLSession`, or a call of its own, sees instead of the real one.
///
/// ```swift
/// let network = SimulatedNetwork("tunnel", seed: 42)
/// network.stub("https://api.example.com/feed", with: .json(#"{"items": []}"#))
/// let session = URLSession(configuration: network.sessionConfiguration)
/// let (data, response) = try await session.data(from: feedURL)
/// print(network.timeline)
/// ```
///
/// All requests share one link in each direction. Networks know nothing of each other, so tests can run side by side.
/// A network lives as long as the process unless it is ended by ``invalidate()``, because a session may still use it.
public final class SimulatedNetwork: Stubbable, Sendable {
  /// The seed that decides everything that is left to chance.
  public let seed: UInt64
  /// How the network's time runs against the clock on the wall.
  public let pace: Pace
  /// The stubs that answer first; what they leave goes to the transport that the network was made with.
  public let stubs: StubTransport
  let engine: NetworkEngine
  /// Which client of the network this is, when clients are told apart: ``client(_:)``.
  let number: Int?
  private let sessions: SessionRegistry
  /// The sessions of the simulation that this network is of; `nil` outside of one.
  let simulated: SimulatedSessions?
  private let ownBinding: SessionBinding
  private let ownSession = Mutex<URLSession?>(nil)

  /// Creates a network under a profile.
  ///
  /// A profile that there is not does not stop the program: standard error says so, and every request fails at once with a
  /// ``NetworkSetupError``, which lists the names that are near and is no `URLError`. Look up a name that
  /// comes from outside by ``NetworkProfile/named(_:)``.
  ///
  /// - Parameters:
  ///   - profile: the name of a built-in profile, such as `"3G"` or `"tunnel@portal"`, a file, or a profile.
  ///   - seed: decides everything that is left to chance; one seed gives one course of events.
  ///   - pace: how the network's time runs against the clock on the wall.
  ///   - transport: answers the requests that no stub answers; without one such a request fails.
  ///   - options: how long it is patient, and how the two ends of the path behave.
  public convenience init(
    _ profile: some ProfileSource, seed: UInt64 = 0, pace: Pace = .realTime, transport: (any Transport)? = nil,
    options: NetworkOptions = NetworkOptions()
  ) {
    var (known, problem) = (NetworkProfile.unlimited, String?.none)
    do { known = try profile.networkProfile(under: options) } catch { problem = "\(error)" }
    self.init(
      known, seed: seed, pace: pace, transport: transport, options: options, simulation: nil, problem: problem)
  }

  /// Creates a network in which a run is repeated: one that a token names, or the faults of a schedule, and no others.
  ///
  /// The same course of events as the run that the schedule was taken from, or a part of it: ``FaultSchedule``. Faults
  /// that never happened, because no such request was made, are in ``unusedFaults``. Where a token cannot be used,
  /// standard error says why, and every request fails with a ``NetworkSetupError``.
  public convenience init(
    replaying run: some ReplaySource, pace: Pace = .realTime, transport: (any Transport)? = nil,
    options: NetworkOptions = NetworkOptions()
  ) {
    var known = ReplayToken(.unlimited, seed: 0)
    var problem: String?
    do { known = try run.replayToken() } catch { problem = "\(error)" }
    let (profile, seed, faults) = known.course
    self.init(
      profile, seed: seed, pace: pace, transport: transport, options: options, simulation: nil, faults: faults,
      problem: problem)
  }

  package convenience init(failingBecause reason: String) {
    self.init(
      .unlimited, seed: 0, pace: .immediate, transport: nil, options: NetworkOptions(), simulation: nil,
      problem: reason)
  }

  init(
    _ profile: NetworkProfile, seed: UInt64, pace: Pace, transport: (any Transport)?, options: NetworkOptions,
    simulation: (driver: SimulationDriver, sessions: SimulatedSessions)?, faults: FaultSource = .drawn,
    problem: String? = nil
  ) {
    _ = Self.findsClocks
    self.seed = seed
    self.pace = pace
    stubs = StubTransport(fallback: transport)
    let error = (problem ?? pace.problem).map { NetworkSetupError($0) }
    error?.say()
    engine = NetworkEngine(
      profile: profile, seed: seed, transport: stubs, configurationError: error.map { .setup($0) },
      timeSource: simulation?.driver ?? pace.makeTimeSource(patience: options.patience), replaying: faults.replayed)
    number = nil
    sessions = SessionRegistry(engine, stubs)
    simulated = simulation?.sessions
    ownBinding = SessionBinding(engine: engine, client: nil)
    if faults == .recorded { recordFaults() }
  }

  private init(_ network: SimulatedNetwork, client: Int) {
    seed = network.seed
    pace = network.pace
    stubs = network.stubs
    engine = network.engine
    number = client
    sessions = network.sessions
    simulated = network.simulated
    ownBinding = SessionBinding(engine: engine, client: client)
  }

  /// The same network for one of several clients: the same link, time and stubs, but its transfers carry the client's
  /// number (``Transfer/client``).
  public func client(_ number: Int) -> SimulatedNetwork {
    SimulatedNetwork(self, client: number)
  }

  // MARK: Sessions

  /// A new configuration, ephemeral and without a cache, of which every session runs over this network.
  ///
  /// Each call gives a configuration of its own, which may be changed before a session is made of it.
  ///
  /// In a ``Simulation`` on Apple platforms, which waits for the sessions that it knows and for no others, take
  /// ``session(with:delegate:delegateQueue:)`` instead: there the run is refused.
  public var sessionConfiguration: URLSessionConfiguration {
    simulated?.handOutConfiguration()
    return ownConfiguration
  }

  private var ownConfiguration: URLSessionConfiguration {
    // A custom protocol's responses are never cached; asking the cache would only cost a thread's turn for each request.
    let configuration = EphemeralConfigurations.make()
    addSlot(to: configuration)
    return configuration
  }

  /// An ordinary session over this network, the same at each call.
  public var session: URLSession {
    ownSession.withLock { session in
      if let session { return session }
      let fresh = self.session(delegate: nil)
      session = fresh
      return fresh
    }
  }

  /// Leaves the own session of a client that was killed as it is, and makes another when it is asked for.
  func renewSession() {
    ownSession.withLock { session in
      _ = session.map { Unmanaged.passRetained($0) }
      session = nil
    }
  }

  /// A new session over this network, with a delegate.
  ///
  /// - Parameters:
  ///   - configuration: what it is made of, which is not changed; ephemeral and without a cache, unless it is given.
  ///   - delegate: the delegate of the session, which holds it until it is invalidated.
  ///   - delegateQueue: the queue on which the delegate is called; `nil` is a serial one of the session.
  public func session(
    with configuration: URLSessionConfiguration? = nil, delegate: (any URLSessionDelegate)?,
    delegateQueue: OperationQueue? = nil
  ) -> URLSession {
    let own: URLSessionConfiguration
    if let copy = configuration?.copy() as? URLSessionConfiguration {
      addSlot(to: copy)
      own = copy
    } else {
      own = ownConfiguration
    }
    let session = URLSession(
      configuration: own, delegate: delegate, delegateQueue: delegateQueue ?? simulated?.delegateQueue())
    simulated?.know(session)
    return session
  }

  /// Adds the simulation to a configuration: sessions made of it afterwards run over this network.
  ///
  /// All other settings of the configuration (timeouts, headers, cookies) keep their meaning. Other protocol classes of
  /// the configuration stay, behind this one. A configuration that runs over another network moves to this one.
  public func simulate(in configuration: URLSessionConfiguration) {
    simulated?.handOutConfiguration()
    addSlot(to: configuration)
  }

  private func addSlot(to configuration: URLSessionConfiguration) {
    let slot = claimSlot(for: configuration)
    let others = (configuration.protocolClasses ?? []).filter { !($0 is SimulatedURLProtocol.Type) }
    configuration.protocolClasses = [slot] + others
  }

  func claimSlot(for configuration: URLSessionConfiguration) -> SimulatedURLProtocol.Type {
    sessions.claim(
      for: SessionBinding(engine: engine, configuration: configuration, client: number, sessions: simulated))
  }

  // MARK: Conditions

  /// The profile that is in force.
  public var profile: NetworkProfile {
    engine.look { $0.paths.profile }
  }

  /// The time in this network.
  public var now: SimulatedInstant { engine.now }

  /// Puts another profile in force, now: requests under way feel it, bytes already queued included.
  ///
  /// - Throws: where a profile is named, an error that lists near names when there is none.
  public func use<Source: ProfileSource>(_ profile: Source) throws(Source.ProfileFailure) {
    let profile = try profile.networkProfile()
    engine.change { state in
      state.paths.use(profile, at: state.time)
      state.timeline.record(.conditionsChanged(profile.name), at: state.time, transfer: nil)
    }
  }

  /// Takes the network out until ``goOnline()``.
  ///
  /// - Parameter outage: `refuse`, as in flight mode: requests fail at once with `notConnectedToInternet`; or `drop`, as
  ///   in a tunnel: packets vanish and nobody is told.
  public func goOffline(_ outage: PathConditions.Outage = .refuse) {
    engine.change { state in
      state.paths.setOutage(outage, at: state.time)
      state.timeline.record(.conditionsChanged("offline (\(outage.rawValue))"), at: state.time, transfer: nil)
    }
  }

  /// Brings the network back; its profile's phases are where they would be without the outage.
  public func goOnline() {
    engine.change { state in
      state.paths.setOutage(nil, at: state.time)
      state.timeline.record(.conditionsChanged(state.paths.profile.name), at: state.time, transfer: nil)
    }
  }

  /// Ends the network: requests under way and to come fail as cancelled, sleepers wake as cancelled, and nothing of it
  /// stays but what the caller holds.
  ///
  /// Sessions that run over it may be used on: each of their tasks ends with `URLError(.cancelled)`, which says so.
  public func invalidate() {
    engine.invalidate()
    sessions.end()
    stubs.end()
  }

  /// Whether the calling thread is one of the simulation whose network this is.
  package var isOnThisThread: Bool { engine.timeSource.simulationHere != nil }

  /// Whether the run is refused whose network this is: no client of it goes on.
  package var isRefused: Bool { engine.timeSource.isRefused }

  func abandon() { SharedSessionInterception.abandon(engine) }

  // MARK: Timeline

  /// All that happened up to now.
  public var timeline: Timeline {
    engine.look { $0.snapshot() }
  }

  /// The secrets to leave out of the network's texts and its timeline's: ``Redaction/standard`` at first.
  ///
  /// To be set before there are requests. Values that are asked for one by one, as those of ``StubRoute/requests``, stay
  /// as they are.
  public var redaction: Redaction {
    get { engine.look { $0.identities.redaction } }
    set { engine.change { $0.identities.redaction = newValue } }
  }

  /// Whether it is written down what happens to every packet, for ``Timeline/packets(of:)``; at first it is not.
  ///
  /// It costs time and memory: the latest 100,000 records or so of each direction are kept, until it is set back.
  public var recordsPackets: Bool {
    get { engine.look { $0.paths.recordsPackets } }
    set { engine.change { $0.paths.recordsPackets = newValue } }
  }

  /// Whether it is written down what transfers carry, for ``Timeline/contents``.
  package var recordsContents: Bool {
    get { engine.recordsContents }
    set { engine.recordContents(newValue) }
  }

  /// The events from now on, as they happen, in order; ends when the reader stops or the network is invalidated.
  ///
  /// Events wait without bound for a reader that is slower than the network.
  public var events: AsyncStream<NetworkEvent> {
    AsyncStream { continuation in
      let engine = engine
      let listener = EventListener({ continuation.yield($0) }, end: { continuation.finish() })
      engine.add(listener)
      continuation.onTermination = { _ in engine.forget(listener) }
    }
  }

  /// Calls `tell` for everything that happens, in order, on a queue of its own, until the observation is cancelled.
  public func observe(_ tell: @escaping @Sendable (NetworkEvent) -> Void) -> NetworkObservation {
    let queue = DispatchQueue(label: "network-conditions.observer")
    let engine = engine
    let listener = EventListener { event in RealTime.run { queue.async { tell(event) } } }
    engine.add(listener)
    return NetworkObservation { engine.forget(listener) }
  }

  // MARK: Calls of the network's own

  func call(_ request: URLRequest, _ source: UploadSource, takesWhole: Bool = true) throws -> NetworkCall {
    if case .failed(let error) = source { throw error }
    if let refusal = URLError.refusal(of: request.url) { throw refusal }
    var (prepared, settings) = ownBinding.prepare(
      request, source, followsRedirects: true, sendsCookies: true)
    settings.takesWhole = takesWhole
    let call = NetworkCall(engine: engine)
    call.start(prepared, source, settings: settings)
    return call
  }
}

/// An observation of a network that goes on until it is cancelled or let go of.
public final class NetworkObservation: Sendable {
  private let stop: Mutex<(@Sendable () -> Void)?>

  init(_ stop: @escaping @Sendable () -> Void) {
    self.stop = Mutex(stop)
  }

  deinit {
    cancel()
  }

  /// Ends the observation.
  public func cancel() {
    let work = stop.withLock { stop in
      defer { stop = nil }
      return stop
    }
    work?()
  }
}
