/// Many requests of one client, such as a page with its resources or polling beside a download.
///
/// Client and servers have one processor each. It serves to compare the simulator with measurements.
/// ``TransferScenario`` is simpler: equal transfers, without processing times.
package struct WorkloadScenario: Hashable, Sendable {
  package enum Client: String, CaseIterable, Hashable, Sendable {
    /// HTTP/1.1 in clear text.
    case http1 = "h1"
    /// HTTP/1.1 over TLS 1.3.
    case secureHTTP1 = "h1-tls"
    /// HTTP/2 over TLS 1.3.
    case http2 = "h2"
    /// HTTP/3; a host whose QUIC does not answer is asked over HTTP/2.
    case http3 = "h3"

    var isSecure: Bool { self != .http1 }
    var version: StreamRequest.HTTPVersion {
      switch self {
      case .http1, .secureHTTP1: .http1
      case .http2: .http2
      case .http3: .http3
      }
    }
  }

  /// One request: its start, its sizes and its options.
  package struct Request: Hashable, Sendable {
    package var id: String
    package var host: String
    package var path: String
    package var method: TransferScenario.Method
    package var requestBytes: Int64 = 0
    package var responseBytes: Int64 = 0
    /// The indices of the requests that must finish first.
    package var after: [Int] = []
    /// The pause after the last of the requests in `after`.
    package var wait = Duration.zero
    /// The earliest start, counted from the workload's beginning.
    package var start = Duration.zero
    /// Whether the request has the header `Connection: close`.
    package var closes = false
    /// Whether the body waits for `100 Continue`.
    package var expects = false

    package init(id: String, host: String, path: String, method: TransferScenario.Method) {
      self.id = id
      self.host = host
      self.path = path
      self.method = method
    }
  }

  /// The processing times of the programs at both ends.
  package struct Costs: Hashable, Sendable {
    /// The time from the client's first call to the first packet on the link.
    package var connect = Duration.zero
    /// The time of a client's call that opens a connection or writes.
    package var call = Duration.zero
    /// The time from a request's arrival to the response, on a server that is awake.
    package var thinking = Duration.zero
    /// The mean time from a packet's arrival until its program runs; uniform from zero to twice as much.
    package var waking = Duration.zero
    /// The time from the end of a response to the start of a request that waited for it.
    package var reaction = Duration.zero

    package init() {}
  }

  package var client: Client
  package var requests: [Request]
  package var schedule: ConditionSchedule
  package var configuration = PathConfiguration()
  package var costs = Costs()
  package var needsResolution = false
  /// The time limit for all requests, from the workload's beginning.
  package var limit = Duration.seconds(180)

  package init(_ client: Client, _ requests: [Request], over schedule: ConditionSchedule) {
    self.client = client
    self.requests = requests
    self.schedule = schedule
  }

  /// The times of one request, from the workload's beginning; `nil` for steps that did not happen.
  package struct Times: Hashable, Sendable {
    package var begun: Duration?
    /// When the client wrote the request to a connection.
    package var sent: Duration?
    /// When the client received the first byte of the response.
    package var answered: Duration?
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

  package struct Outcome: Hashable, Sendable {
    package var times: [Times]
    /// When each request had its whole response; `nil` for unfinished ones.
    package var finished: [Duration?] { times.map(\.finished) }
    /// When the last request finished; `nil` if one did not finish.
    package var total: Duration? {
      times.reduce(Duration.zero) { latest, times in
        guard let latest, let time = times.finished else { return nil }
        return max(latest, time)
      }
    }

    package init(times: [Times]) {
      self.times = times
    }
  }

  package func run(seed: UInt64) -> Outcome {
    var run = WorkloadRun(self, seed: seed)
    return run.outcome()
  }
}
