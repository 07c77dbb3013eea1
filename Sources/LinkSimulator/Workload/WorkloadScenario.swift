/// Many requests of one client: a page with what it loads, flows side by side, polling beside a download.
///
/// Pure code over ``PathSimulator`` with a client and servers of one processor each, for comparing the simulator with
/// measurements. A ``TransferScenario`` is the special case of one transfer, with ends that cost nothing.
package struct WorkloadScenario: Hashable, Sendable {
  /// How the client speaks.
  package enum Client: String, CaseIterable, Hashable, Sendable {
    /// HTTP/1.1 in clear text.
    case http1 = "h1"
    /// HTTP/1.1 over TLS 1.3.
    case secureHTTP1 = "h1-tls"
    /// HTTP/2 over TLS 1.3.
    case http2 = "h2"

    var isSecure: Bool { self != .http1 }
    var version: StreamRequest.HTTPVersion { self == .http2 ? .http2 : .http1 }
  }

  /// One request: when it begins, and what it carries.
  package struct Request: Hashable, Sendable {
    package var id: String
    package var host: String
    package var path: String
    package var method: TransferScenario.Method
    /// How many bytes the bodies have.
    package var requestBytes: Int64 = 0
    package var responseBytes: Int64 = 0
    /// The requests, by their places in the list, that must have finished before.
    package var after: [Int] = []
    /// How long after the last of those it begins.
    package var wait = Duration.zero
    /// When it begins at the earliest, from the beginning of all.
    package var start = Duration.zero
    /// Whether it has `Connection: close`.
    package var closes = false
    /// Whether its body waits for `100 Continue`.
    package var expects = false

    package init(id: String, host: String, path: String, method: TransferScenario.Method) {
      self.id = id
      self.host = host
      self.path = path
      self.method = method
    }
  }

  /// The time that the programs at both ends take.
  package struct Costs: Hashable, Sendable {
    /// From the client's first call to the first packet on the link.
    package var connect = Duration.zero
    /// One call of the client that opens a connection or writes.
    package var call = Duration.zero
    /// From a request to its answer at a server that is awake.
    package var thinking = Duration.zero
    /// From the arrival of a packet to the run of the program that waits for it, on average: from nothing to twice as much.
    package var waking = Duration.zero
    /// From the end of a response to the begin of what waits for it.
    package var reaction = Duration.zero

    package init() {}
  }

  package var client: Client
  package var requests: [Request]
  /// The conditions of the network over time.
  package var schedule: ConditionSchedule
  /// The behaviour of both ends.
  package var configuration = PathConfiguration()
  package var costs = Costs()
  /// Whether each host must be looked up first.
  package var needsResolution = false
  /// When to give up.
  package var limit = Duration.seconds(180)

  package init(_ client: Client, _ requests: [Request], over schedule: ConditionSchedule) {
    self.client = client
    self.requests = requests
    self.schedule = schedule
  }

  /// The times of one request; nothing for what has not happened.
  package struct Course: Hashable, Sendable {
    /// When the client asked for it.
    package var begun: Duration?
    /// When the client wrote it to a connection.
    package var sent: Duration?
    /// When the first byte of the response was there.
    package var answered: Duration?
    /// When the whole response was there.
    package var finished: Duration?

    package init(
      begun: Duration? = nil, sent: Duration? = nil, answered: Duration? = nil, finished: Duration? = nil
    ) {
      self.begun = begun
      self.sent = sent
      self.answered = answered
      self.finished = finished
    }
  }

  /// What became of each request, in the order of the list.
  package struct Outcome: Hashable, Sendable {
    package var courses: [Course]
    /// When each request had its whole response.
    package var finished: [Duration?] { courses.map(\.finished) }
    /// When the last one had; nothing if one has not ended.
    package var total: Duration? {
      courses.reduce(Duration.zero) { latest, course in
        guard let latest, let time = course.finished else { return nil }
        return max(latest, time)
      }
    }

    package init(courses: [Course]) {
      self.courses = courses
    }
  }

  /// Runs all requests with the chance of this seed.
  package func run(seed: UInt64) -> Outcome {
    var run = WorkloadRun(self, seed: seed)
    return run.outcome()
  }
}
