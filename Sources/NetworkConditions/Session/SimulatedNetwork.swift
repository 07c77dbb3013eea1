import ClientCapture
import Internals
public import URLLoading

/// A simulated network, which a `URLSession` or the network's own calls use instead of the real one.
///
/// ```swift
/// let network = SimulatedNetwork("tunnel", seed: 42)
/// network.stub("https://api.example.com/feed", with: .json(#"{"items": []}"#))
/// let session = URLSession(configuration: network.sessionConfiguration)
/// let (data, response) = try await session.data(from: feedURL)
/// print(network.timeline)
/// ```
///
/// All requests share one link in each direction. Networks are independent, so tests can run side by side. A network
/// lives as long as the process, because a session may still use it; ``invalidate()`` ends it earlier.
public final class SimulatedNetwork: Stubbable, Sendable {
  /// The seed that decides all chance.
  public let seed: UInt64
  /// The speed of the network's time.
  public let pace: Pace
  /// The stubs, which answer first; the network's transport answers the other requests.
  public let stubs: StubTransport
  let engine: NetworkEngine
  let number: Int?
  let sessions: SessionRegistry
  let simulated: SimulatedSessions?
  private let ownBinding: SessionBinding
  private let ownSession = Mutex<URLSession?>(nil)

  /// Creates a network under a profile.
  ///
  /// An unknown profile does not stop the program. The network prints the mistake on standard error, and every request
  /// fails with a ``NetworkSetupError``, which lists similar names. To check a user's profile name, call
  /// ``NetworkProfile/named(_:)``.
  ///
  /// - Parameters:
  ///   - profile: the name of a built-in profile, such as `"3G"` or `"tunnel@portal"`, a file, or a profile.
  ///   - seed: decides all chance; equal seeds give equal events.
  ///   - pace: the speed of the network's time.
  ///   - transport: answers the requests that no stub answers; without one such a request fails.
  ///   - options: the network's patience, and the settings of the path's ends.
  public convenience init(
    _ profile: some ProfileSource, seed: UInt64 = 0, pace: Pace = .realTime, transport: (any Transport)? = nil,
    options: NetworkOptions = NetworkOptions()
  ) {
    var (known, problem) = (NetworkProfile.unlimited, String?.none)
    do { known = try profile.networkProfile(under: options) } catch { problem = "\(error)" }
    self.init(
      known, seed: seed, pace: pace, transport: transport, options: options, simulation: nil, problem: problem)
  }

  /// Creates a network that repeats the run of a replay token, or has the faults of a schedule and no others.
  ///
  /// The events are those of the original run, or of the part that a shortened schedule keeps (``FaultSchedule``).
  /// ``unusedFaults`` lists faults that never happened, because no such request was made. For an unusable token the
  /// network prints the mistake on standard error, and every request fails with a ``NetworkSetupError``.
  public convenience init(
    replaying run: some ReplaySource, pace: Pace = .realTime, transport: (any Transport)? = nil,
    options: NetworkOptions = NetworkOptions()
  ) {
    var known = ReplayToken(.unlimited, seed: 0)
    var problem: String?
    do { known = try run.replayToken() } catch { problem = "\(error)" }
    let (profile, seed, faults) = known.inputs
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
      profile: profile, seed: seed, stubs: stubs, configurationError: error.map { .setup($0) },
      timeSource: simulation?.driver ?? pace.makeTimeSource(patience: options.patience), replaying: faults.replayed)
    number = nil
    sessions = SessionRegistry(engine, stubs)
    simulated = simulation?.sessions
    ownBinding = SessionBinding(engine: engine, client: nil)
    if faults == .recorded { recordFaults() }
    simulation?.driver.adoptsSession = { [weak self] session in self?.adopt(session) ?? false }
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

  /// Returns this network for one of several clients: same link, time and stubs, but transfers carry the client's number.
  public func client(_ number: Int) -> SimulatedNetwork {
    SimulatedNetwork(self, client: number)
  }

  // MARK: Sessions

  /// A new ephemeral configuration without a cache, whose sessions run over this network.
  ///
  /// Each call returns a new one, which may be changed before a session is made.
  ///
  /// In a ``Simulation`` on Apple platforms use ``session(with:delegate:delegateQueue:)`` instead. The simulation must
  /// know each session, so there this property refuses the run.
  public var sessionConfiguration: URLSessionConfiguration {
    simulated?.handOutConfiguration()
    return ownConfiguration
  }

  private var ownConfiguration: URLSessionConfiguration {
    // A custom protocol's responses are never cached. Asking the cache would cost each request a thread's turn.
    let configuration = EphemeralConfigurations.make()
    addSlot(to: configuration)
    return configuration
  }

  /// A session over this network; each call returns the same one.
  public var session: URLSession {
    ownSession.withLock { session in
      if let session { return session }
      let fresh = self.session(delegate: nil)
      session = fresh
      return fresh
    }
  }

  /// Drops a killed client's session without releasing it (a killed process runs no `deinit`); the next use makes a new
  /// one.
  func renewSession() {
    ownSession.withLock { session in
      _ = session.map { Unmanaged.passRetained($0) }
      session = nil
    }
  }

  /// Creates a session over this network, with a delegate.
  ///
  /// - Parameters:
  ///   - configuration: the configuration to copy; by default an ephemeral one without a cache.
  ///   - delegate: the session's delegate, which the session holds until it is invalidated.
  ///   - delegateQueue: the delegate's queue; `nil` makes a serial one.
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

  /// Makes all sessions that are later made with a configuration run over this network.
  ///
  /// The configuration's other settings (timeouts, headers, cookies) still count. Its other protocol classes stay,
  /// after the simulation's; a list that is set later leaves the network out. A configuration of another network moves to
  /// this one.
  public func simulate(in configuration: URLSessionConfiguration) {
    simulated?.handOutConfiguration()
    addSlot(to: configuration)
  }

  private func addSlot(to configuration: URLSessionConfiguration) {
    let slot = claimSlot(for: configuration)
    let others = (configuration.protocolClasses ?? []).filter { !($0 is SimulatedURLProtocol.Type) }
    configuration.protocolClasses = [slot] + others
  }

  func claimSlot(
    for configuration: URLSessionConfiguration, isAdopted: Bool = false
  ) -> SimulatedURLProtocol.Type {
    sessions.claim(
      for: SessionBinding(
        engine: engine, configuration: configuration, client: number, sessions: simulated, isAdopted: isAdopted))
  }

  // MARK: Conditions

  /// The profile in force.
  public var profile: NetworkProfile {
    engine.look { $0.paths.profile }
  }

  /// The network's present time.
  public var now: SimulatedInstant { engine.now }

  /// Puts another profile in force now, also for open requests and bytes in the queues.
  ///
  /// - Throws: an error with similar names, if no profile has the given name.
  public func use<Source: ProfileSource>(_ profile: Source) throws(Source.ProfileFailure) {
    let profile = try profile.networkProfile()
    engine.change { state in
      state.paths.use(profile, at: state.time)
      state.timeline.record(.conditionsChanged(profile.name), at: state.time, transfer: nil)
    }
  }

  /// Starts an outage that lasts until ``goOnline()`` or ``use(_:)``.
  ///
  /// - Parameter outage: `refuse`, as in flight mode, fails requests at once with `notConnectedToInternet`. `drop`, as
  ///   in a tunnel, loses packets silently.
  public func goOffline(_ outage: PathConditions.Outage = .refuse) {
    engine.change { state in
      state.paths.setOutage(outage, at: state.time)
      state.timeline.record(.conditionsChanged("offline (\(outage.rawValue))"), at: state.time, transfer: nil)
    }
  }

  /// Ends the outage; the profile's phases continued meanwhile.
  public func goOnline() {
    engine.change { state in
      state.paths.setOutage(nil, at: state.time)
      state.timeline.record(.conditionsChanged(state.paths.profile.name), at: state.time, transfer: nil)
    }
  }

  /// Ends the network: open and later requests fail as cancelled, and sleepers wake as cancelled.
  ///
  /// Its sessions stay usable, but each of their tasks ends with a `URLError(.cancelled)` that says why.
  public func invalidate() {
    engine.invalidate()
    sessions.end()
    stubs.end()
  }

  package var isOnThisThread: Bool { engine.simulation?.here != nil }

  /// Whether the network's client is captured.
  package var isCaptured: Bool { engine.simulation?.isCapturing ?? false }

  /// Whether this network's run is refused or abandoned, so that its client must not run any more.
  package var isRefused: Bool { engine.simulation?.isRefused ?? false }

  func abandon() {
    sessions.endAdoptions()
    SharedSessionInterception.abandon(engine)
  }

  /// Whether the simulation of this network has its result, even if its closure never returns.
  package var hasResult: Bool { engine.simulation?.refusals.isOpen == false }

  /// Releases the client's own sessions and `URLSession.shared` for other networks, because the client no longer runs.
  func releaseSessions() {
    sessions.endAdoptions()
    SharedSessionInterception.release(by: engine)
  }

  // MARK: Timeline

  /// All events so far, as a value.
  public var timeline: Timeline {
    engine.look { $0.snapshot() }
  }

  /// The rule for secrets in texts of the network and its timeline; by default ``Redaction/standard``.
  ///
  /// Set it before the first request. It does not change values that are read directly, such as ``StubRoute/requests``.
  public var redaction: Redaction {
    get { engine.look { $0.identities.redaction } }
    set { engine.change { $0.identities.redaction = newValue } }
  }

  /// Whether to record every packet, for ``Timeline/packets(of:)``; by default `false`.
  ///
  /// Recording costs time and memory. It keeps about the latest 100,000 records of each direction, until it is switched
  /// off.
  public var recordsPackets: Bool {
    get { engine.look { $0.paths.recordsPackets } }
    set { engine.change { $0.paths.recordsPackets = newValue } }
  }

  package var recordsContents: Bool {
    get { engine.recordsContents }
    set { engine.recordContents(newValue) }
  }

  /// The network's events from now on, in order, until the reader stops or the network ends.
  ///
  /// Events for a slow reader wait without a limit.
  public var events: AsyncStream<NetworkEvent> {
    AsyncStream { continuation in
      let engine = engine
      let listener = EventListener({ continuation.yield($0) }, end: { continuation.finish() })
      engine.add(listener)
      continuation.onTermination = { _ in engine.forget(listener) }
    }
  }

  // MARK: Calls of the network's own

  func call(_ request: URLRequest, _ source: UploadSource, takesWhole: Bool = true) throws -> NetworkCall {
    if case .failed(let error) = source { throw error }
    let hasBody = request.httpBody?.isEmpty == false || request.httpBodyStream != nil
    if let refusal = URLError.refusal(of: request.url) ?? .refusal(of: request, hasBody: hasBody) { throw refusal }
    var (prepared, settings) = ownBinding.prepare(request, source, followsRedirects: true, sendsCookies: true)
    settings.takesWhole = takesWhole
    let call = NetworkCall(engine: engine)
    call.start(prepared, source, settings: settings)
    return call
  }
}
