#if os(Linux)
  import ClientCapture
  import Internals
  import URLLoading

  /// A task that a captured client resumes in a session that no simulated network made.
  struct ForeignTask {
    private let task: URLSessionTask
    private let session: URLSession
    /// Whether the session belongs to a network outside of simulations, which runs in real time.
    private var isInRealTime = false

    /// Runs tasks of foreign sessions over the network of their client's simulation.
    ///
    /// A task that cannot run there is refused. Otherwise libcurl would run it, wait for something that a simulation
    /// lacks, and end the process.
    static let adopt: Void = {
      ClientScheduler.refuseTasks { task, host in
        guard let driver = host as? SimulationDriver, let task = ForeignTask(task, in: driver),
          !task.isAdopted(by: driver)
        else { return nil }
        return (task.call, task.remedy)
      }
    }()

    /// Examines a task before it is resumed; `nil` if it belongs to a simulated network that this run may use.
    private init?(_ pointer: UnsafeMutableRawPointer, in driver: SimulationDriver) {
      guard let task = Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue() as? URLSessionTask,
        let session = FoundationInternals.session(of: task)
      else { return nil }
      (self.task, self.session) = (task, session)
      if task.originalRequest?.url == nil { return }
      guard let slot = session.configuration.protocolClasses?.first(where: { $0 is SimulatedURLProtocol.Type }) else {
        return
      }
      let isForeign =
        if let binding = ProtocolSlots.binding(of: slot) {
          binding.isAdopted && (binding.engine !== driver.owner.network || !canBeSimulated)
        } else {
          ProtocolSlots.isLeft(slot)
        }
      if isForeign { return }
      isInRealTime = ProtocolSlots.binding(of: slot)?.engine.isInRealTime == true
      if isInRealTime { return }
      (driver.clientThreads as? ClientScheduler)?.own(session) { FoundationInternals.workQueue(of: session) }
      return nil
    }

    private var isHTTP: Bool { ["http", "https"].contains(task.originalRequest?.url?.scheme?.lowercased()) }

    /// Download tasks are refused here: a client that maps errors to its own would hide the reason.
    private var isDownload: Bool { task is URLSessionDownloadTask }

    private var canBeSimulated: Bool { isHTTP && !isDownload }

    private func isAdopted(by driver: SimulationDriver) -> Bool {
      !isInRealTime && canBeSimulated && driver.adoptsSession(session)
    }

    private var call: String {
      // Foundation on Linux makes such a task of resume data. It answers at once, and a resumed one ends the process.
      guard let url = task.originalRequest?.url.map({ Redaction.standard.url($0.absoluteString) }) else {
        return "A task without a URL, such as a download from resume data, was resumed"
      }
      if isInRealTime { return "A request to \(url) was resumed in another network, which runs in real time" }
      let name = session === URLSession.shared ? "URLSession.shared" : "a session that the client made itself"
      let what = isHTTP && isDownload ? "A download task for" : "A request to"
      return "\(what) \(url) was resumed in \(name), which is not the network's"
    }

    private var remedy: String {
      if isInRealTime { return NetworkEngine.useOwnNetwork }
      return isDownload
        ? "Foundation on Linux cannot run a download task over a simulated network. Use a data task there."
        : "Only http: and https: can be simulated. Replace what loads other URLs with a double."
    }
  }

  extension SimulatedNetwork {
    /// Makes a captured client's own session run over this network until the run ends.
    ///
    /// On Linux a session reads its configuration at each task, and `URLSession.configuration` is that very object. The
    /// client's own protocol classes are asked first, as they are without a simulation.
    ///
    /// - Returns: `false` if the run has ended.
    func adopt(_ session: URLSession) -> Bool {
      guard let driver = engine.simulation?.here, SharedTurns.take(session, for: engine, driver) else {
        return false
      }
      let slot = claimSlot(for: session.configuration, isAdopted: true)
      var classes = session.configuration.protocolClasses?.filter { !($0 is SimulatedURLProtocol.Type) } ?? []
      let native = classes.firstIndex { String(reflecting: $0).hasPrefix("FoundationNetworking.") }
      classes.insert(slot, at: native ?? classes.endIndex)
      session.configuration.protocolClasses = classes
      guard session.configuration.protocolClasses?.contains(where: { $0 == slot }) == true else { return false }
      simulated?.know(session, servedBy: slot)
      sessions.keep {
        session.configuration.protocolClasses = session.configuration.protocolClasses?.filter { $0 != slot }
      }
      return true
    }
  }
#endif
