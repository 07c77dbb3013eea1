/// The faults that an exploration tries, kind by kind, and how long those last that take time.
///
/// Each kind falls wherever it can in a run: at each request, at each byte, at each packet, between any two events.
public struct FaultAlphabet: Hashable, Sendable {
  /// A kind of fault.
  public enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
    /// The name of a request's host does not resolve.
    case dns
    /// The connection for a request is refused.
    case refused
    /// The connection for a request is never answered.
    case connectTimeout
    /// The TLS handshake for a request fails.
    case tls
    /// A request is answered with the status of an error, and its server is not asked.
    case status
    /// A request is answered with a web page and the status 200, as a captive portal does, and its server is not asked.
    case page
    /// An answer has no body, half of it, or all but its last byte, and its `Content-Length` says so.
    case shorten
    /// A request is answered with a redirect to nowhere, and its server is not asked.
    case redirect
    /// The connection is reset after each byte of a request, and of its answer: at byte 0 the server did what it was asked,
    /// and its answer is lost.
    case reset
    /// The server closes the connection after each byte of its answer.
    case truncate
    /// An answer stops after each byte: for a moment, for longer than the client's timeout, for ever.
    case stall
    /// Each byte of a body is flipped; over TLS, which notices, that is the same as a reset.
    case corrupt
    /// The end of an answer comes late.
    case slowClose
    /// The server closes a connection that has been idle for so long.
    case idleClose
    /// A server takes a connection of HTTP/2 out of service before a request.
    case goAway
    /// A server resets one stream of HTTP/2: before its answer, and in the midst of it.
    case resetStream
    /// An answer drips: eight pieces, after each a pause that is shorter than the client's timeout.
    case drip
    /// A request sets out late.
    case delay
    /// Each packet is lost, those of handshakes and look-ups too, both ways.
    case packet
    /// The network is out between any two events, for each length.
    case outage
    /// The servers answer with 503 from the moment of a request on, for each length.
    case brownOut
    /// The client is cancelled between any two events.
    case cancel
    /// The device's calendar clock jumps ahead or back, once while each transfer is under way and once after it.
    case clock
    /// A launched client (`SimulatedNetwork.launch(_:)`) is killed between any two events and after each change of its files,
    /// and launched again.
    case kill
    /// The power fails while a launched client has written what it has not synchronised: between any two events, and after
    /// each change of its files. Then those files have the bytes of their last synchronisation.
    case powerLoss
    /// Of two answers that end within a millisecond, the second comes first.
    case order

    /// Whether its faults last for a time.
    var hasLength: Bool { [.stall, .slowClose, .idleClose, .delay, .outage, .brownOut].contains(self) }

    /// The kind in words, in the plural.
    var words: String {
      switch self {
      case .dns: "failed look-ups"
      case .refused: "refused connections"
      case .connectTimeout: "unanswered connections"
      case .tls: "failed TLS handshakes"
      case .status: "error statuses"
      case .page: "web pages in the place of answers"
      case .shorten: "bodies shorter than they were"
      case .redirect: "redirects to nowhere"
      case .reset: "resets at each byte"
      case .truncate: "answers cut off at each byte"
      case .stall: "stalls at each byte"
      case .corrupt: "flipped bytes"
      case .slowClose: "late ends"
      case .idleClose: "idle closes"
      case .goAway: "servers that go away"
      case .resetStream: "resets of one stream"
      case .drip: "answers that drip"
      case .delay: "late starts"
      case .packet: "lost packets"
      case .outage: "outages between any two events"
      case .brownOut: "brown-outs of the servers"
      case .clock: "jumps of the device's clock"
      case .cancel: "cancellations between any two events"
      case .kill: "kills between any two events and after each change of a file"
      case .powerLoss: "losses of power that lose what was not synchronised"
      case .order: "swapped completions"
      }
    }
  }

  /// The kinds that are tried.
  public var kinds: Set<Kind>
  /// The statuses, after how long they say to try again, and how often in a row: those that clients treat apart from each
  /// other.
  public var statuses: [Status] = [
    Status(400), Status(401), Status(404), Status(408), Status(429, retryAfter: .seconds(5)), Status(500), Status(503),
    Status(503, retryAfter: .seconds(5)),
    Status(503, times: 3),
  ]
  /// A short disturbance: shorter than a client's usual timeout, and longer than its usual pause before it tries again.
  public var moment = Duration.seconds(2)
  /// A long disturbance: longer than a client's deadline.
  public var age = Duration.seconds(600)
  /// How long connections are idle before their server closes them.
  public var idleTimes: [Duration] = [.zero, .seconds(1), .seconds(5)]
  /// By how much the device's clock jumps.
  ///
  /// At a change of daylight saving time no clock jumps. To have one in a run, add the time from 1 January 2026, when runs
  /// begin, until shortly before it (`TimeZone.nextDaylightSavingTimeTransition(after:)`).
  public var clockJumps: [Duration] = [.seconds(86_400), .seconds(-86_400)]
  /// How near to each other two answers end that may change places.
  public var simultaneity = Duration.milliseconds(1)

  /// An answer in the place of the server's.
  public struct Status: Hashable, Sendable {
    /// The status.
    public var code: Int
    /// The value of `Retry-After`; `nil` is none.
    public var retryAfter: Duration?
    /// How many requests with the same method and URL get it in a row.
    public var times: Int

    /// Creates an answer.
    public init(_ code: Int, retryAfter: Duration? = nil, times: Int = 1) {
      (self.code, self.retryAfter, self.times) = (code, retryAfter, times)
    }
  }

  /// All kinds of faults.
  public static let all = FaultAlphabet(.all)

  /// Creates an alphabet of these kinds.
  public init(_ kinds: Set<Kind>) {
    self.kinds = kinds
  }

  var ordered: [Kind] { Kind.allCases.filter(kinds.contains) }
}

extension Set<FaultAlphabet.Kind> {
  /// All kinds of faults; leave some out with `.all.subtracting([.corrupt])`.
  public static var all: Self { Set(FaultAlphabet.Kind.allCases) }
}
