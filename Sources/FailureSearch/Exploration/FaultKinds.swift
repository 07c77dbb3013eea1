import NetworkConditions

/// The faults that an exploration tries, kind by kind, and the lengths of those that last for a time.
///
/// Each kind strikes wherever it can in a run: at each request, at each byte, at each packet, between any two events.
public struct FaultKinds: Hashable, Sendable {
  /// A kind of fault that an exploration tries.
  public enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
    /// The name of a request's host does not resolve.
    case dns
    /// The connection for a request is refused.
    case refused
    /// The connection for a request is never answered.
    case connectTimeout
    /// The TLS handshake for a request fails.
    case tls
    /// A request is answered with an error status in the server's place.
    case status
    /// A request is answered with a web page and the status 200 in the server's place, as a captive portal does.
    case page
    /// An answer has no body, half of it, or all but its last byte; its `Content-Length` matches the shorter body.
    case shorten
    /// A request is answered with a redirect to `about:invalid`, in the server's place.
    case redirect
    /// A shared cache answers with its earlier response to the same URL, if the server's new response would differ.
    ///
    /// The cache keeps only responses that say how long they are fresh (`RequestFault.stale`).
    case stale
    /// The connection is reset after any number of bytes of a request, or of its answer.
    ///
    /// After byte 0 of the answer the server has done its work, and only the answer is lost.
    case reset
    /// The server closes the connection after any number of bytes of its answer.
    case truncate
    /// An answer pauses after any number of its bytes: for a moment, for longer than the client's timeout, or for ever.
    case stall
    /// Any byte of a body is flipped; over TLS, which detects it, this acts like a reset.
    case corrupt
    /// The answer is complete, but the client learns only later that it has ended.
    case slowClose
    /// The server closes a connection that has been idle for a time (``FaultKinds/idleTimes``).
    case idleClose
    /// A server announces with GOAWAY that an HTTP/2 connection takes no new request.
    case goAway
    /// A server resets one HTTP/2 stream: before its answer, or in the middle of it.
    case resetStream
    /// An answer arrives in eight pieces, each after a pause just shorter than the client's timeout.
    case drip
    /// A request is sent late.
    case delay
    /// Any one packet is lost, in either direction, also of a handshake or a name resolution.
    case packet
    /// The network has an outage that begins between any two events, and lasts for each length of time.
    case outage
    /// The device goes offline between any two events, for each length of time: requests fail at once, as in flight
    /// mode.
    case offline
    /// All servers answer with 503 from the start of a request on, for each length of time.
    case brownOut
    /// The app is suspended between any two events, for each length; only if you ask for it: `.all.union([.suspend])`.
    ///
    /// It is not in `.all`: during a suspension time passes and the client cannot act. A correct client with a
    /// time limit of its own then ends later than its test may allow.
    case suspend
    /// The client is cancelled between any two events.
    case cancel
    /// The device's calendar clock jumps ahead or back, once while each transfer is under way and once after it.
    case clock
    /// A launched client (`SimulatedNetwork.launch(_:)`) is killed and launched again.
    ///
    /// It is killed between any two events and after each change of its files.
    case kill
    /// The power fails while a launched client has written data that it has not synchronised.
    ///
    /// It fails between any two events and after each change of a file. The files then fall back to their last synchronisation.
    case powerLoss
    /// Two answers that end within a millisecond change their order: the second comes first.
    case order

    var hasLength: Bool {
      [.stall, .slowClose, .idleClose, .delay, .outage, .offline, .brownOut, .suspend].contains(self)
    }

    var words: String {
      switch self {
      case .dns: "failed look-ups"
      case .refused: "refused connections"
      case .connectTimeout: "unanswered connections"
      case .tls: "failed TLS handshakes"
      case .status: "error statuses"
      case .page: "web pages instead of answers"
      case .shorten: "shortened bodies"
      case .redirect: "redirects to nowhere"
      case .stale: "stale responses"
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
      case .offline: "times offline between any two events"
      case .brownOut: "brown-outs of the servers"
      case .suspend: "suspensions of the app between any two events"
      case .clock: "jumps of the device's clock"
      case .cancel: "cancellations between any two events"
      case .kill: "kills between any two events and after each change of a file"
      case .powerLoss: "power losses that lose unsynchronised data"
      case .order: "swapped completions"
      }
    }
  }

  /// The kinds of faults that are tried.
  public var kinds: Set<Kind>
  /// The statuses that servers answer with, chosen because clients treat them differently.
  public var statuses: [Status] = [
    Status(400), Status(401), Status(404), Status(408), Status(429, retryAfter: .seconds(5)), Status(500), Status(502),
    Status(503), Status(503, retryAfter: .seconds(5)), Status(503, retryAfterDateIn: .seconds(5)),
    Status(503, times: 3), Status(504),
  ]
  /// A short length: shorter than a client's usual timeout, and longer than its usual pause before a retry.
  public var moment = Duration.seconds(2)
  /// A long length: longer than a client's usual deadline.
  public var age = Duration.seconds(600)
  /// Further lengths of late starts and outages: usual lifetimes of tokens, locks and cached values.
  ///
  /// A client that compares times shows no wait of such a length.
  public var lifetimes: [Duration] = [.seconds(10), .seconds(30)]
  /// How long connections are idle before their server closes them.
  public var idleTimes: [Duration] = [.zero, .seconds(1), .seconds(5)]
  /// How far the device's clock jumps ahead; negative values make it jump back.
  ///
  /// A change of daylight saving time does not make a clock jump. To have one in a run, add the time from 1 January
  /// 2026, when runs begin, until shortly before it (`TimeZone.nextDaylightSavingTimeTransition(after:)`).
  public var clockJumps: [Duration] = [.seconds(86_400), .seconds(-86_400)]
  /// How close together two answers must end for a fault of kind ``FaultKinds/Kind/order`` to swap them.
  public var simultaneity = Duration.milliseconds(1)

  /// An error status that a server's answer is replaced with.
  public struct Status: Hashable, Sendable {
    /// The status code.
    public var code: Int
    /// The value of `Retry-After` in seconds; `nil` is none.
    public var retryAfter: Duration?
    /// How far ahead the date in `Retry-After` is; `nil` is none.
    public var retryAfterDateIn: Duration?
    /// How many requests in a row with the same method and URL get this answer.
    public var times: Int

    /// Creates a replacement answer.
    public init(_ code: Int, retryAfter: Duration? = nil, retryAfterDateIn: Duration? = nil, times: Int = 1) {
      (self.code, self.retryAfter, self.retryAfterDateIn, self.times) = (code, retryAfter, retryAfterDateIn, times)
    }

    var fault: RequestFault {
      .status(code: code, retryAfter: retryAfter, retryAfterDateIn: retryAfterDateIn, times: times)
    }
  }

  /// All kinds of faults but suspensions of the app (``Kind/suspend``).
  public static let all = FaultKinds(.all)

  /// Creates a list of these kinds.
  public init(_ kinds: Set<Kind>) {
    self.kinds = kinds
  }

  var ordered: [Kind] { Kind.allCases.filter(kinds.contains) }
}

extension Set<FaultKinds.Kind> {
  /// All kinds of faults but suspensions of the app; leave more out with `.all.subtracting([.corrupt])`.
  public static var all: Self { Set(FaultKinds.Kind.allCases).subtracting([.suspend]) }
}
