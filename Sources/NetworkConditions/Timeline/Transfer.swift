public import Foundation

/// The record of one request, from the client's call to its end: times, bytes, packets, outcome.
///
/// A redirect that is followed makes a transfer of its own. It is one flat record, since reports and traces have each of
/// its fields as a column.
public struct Transfer: Hashable, Sendable {
  /// How a transfer ended.
  public enum Outcome: Hashable, Sendable {
    /// It is still under way.
    case running
    /// The response arrived in whole.
    case finished
    /// It failed, and the client got this error.
    case failed(URLError.Code)
    /// The client cancelled it.
    case cancelled
  }

  /// How the client's HTTP library sends a request again by itself, after its kept connection was dead
  /// (``PathConfiguration/repeats``).
  public enum Repetition: String, Hashable, Sendable {
    /// The whole request.
    case whole
    /// Without its body, as Foundation does on Linux: no answer comes, and the request ends with its client's time limit.
    case withoutBody

    /// Who sent what, in words.
    package var words: String {
      switch self {
      case .whole: "sent again by the platform itself"
      case .withoutBody: "sent again by the platform itself, without its body, so no answer comes"
      }
    }
  }

  /// The transfer's number in its network, from 0, in the order of the clients' calls.
  public let number: Int
  /// The request's method; of a proxy's forward, the name of that.
  public let method: String
  /// The request's URL.
  public let url: String
  /// The URL as texts show it: without what the network's ``SimulatedNetwork/redaction`` leaves out.
  public let shownURL: String
  /// Which of the requests with this method and URL, secrets apart, it is, counted from 1.
  public let occurrence: Int
  /// The profile whose conditions it travelled under.
  public let profile: String
  /// Which of the network's clients asked (``SimulatedNetwork/client(_:)``); `nil` where they are not told apart.
  public let client: Int?

  /// How the client's HTTP library sent it again by itself; `nil` for a request that the client asked for.
  public internal(set) var repetition: Repetition?

  package internal(set) var version: StreamRequest.HTTPVersion

  /// When the client asked for it.
  public internal(set) var started: SimulatedInstant
  /// When the host's name was resolved; `nil` when there was no need.
  public internal(set) var resolved: SimulatedInstant?
  /// When the TCP connection stood.
  public internal(set) var connected: SimulatedInstant?
  /// When the TLS handshake was done.
  public internal(set) var secured: SimulatedInstant?
  /// When the last byte of the request was handed to the link.
  public internal(set) var requestSent: SimulatedInstant?
  /// When the server had read the whole request.
  public internal(set) var requestReceived: SimulatedInstant?
  /// When the first byte of the response arrived.
  public internal(set) var firstByte: SimulatedInstant?
  /// When it ended.
  public internal(set) var ended: SimulatedInstant?

  /// How it ended.
  public internal(set) var outcome: Outcome = .running
  /// The response's status; `nil` before there is one.
  public internal(set) var status: Int?
  /// Where a redirect leads, as texts show it; `nil` for any other answer.
  public internal(set) var redirectURL: String?
  /// How many bytes of the request's body reached the server.
  public internal(set) var bytesSent: Int64 = 0
  /// How many bytes of the response's body arrived, as the wire carries them: of a compressed body, the compressed ones.
  public internal(set) var bytesReceived: Int64 = 0
  /// How many bytes a compressed body gave the client; `nil` for any other.
  public internal(set) var bytesDecoded: Int64?
  /// Whether a compressed body travelled at its decoded size, since nothing says how many bytes it was on the wire.
  public internal(set) var isSizeAssumed = false
  /// How many bytes of body the response promised, on the wire; `nil` when it did not say.
  public internal(set) var bytesExpected: Int64?
  /// Packets, bytes, losses and retransmissions on the wire, both ways.
  public internal(set) var wire = StreamStatistics()
  /// Whether it travelled on a connection that stood before.
  public internal(set) var reusedConnection = false
  /// How often a retransmission timer ran out on its connection meanwhile.
  public internal(set) var stalls = 0
  /// How fast the response's body arrived.
  public internal(set) var rate: RateHistory

  init(
    number: Int, method: String, url: String, shownURL: String? = nil, occurrence: Int, profile: String,
    client: Int? = nil, version: StreamRequest.HTTPVersion? = nil, started: SimulatedInstant
  ) {
    self.number = number
    self.method = method
    self.url = url
    self.shownURL = shownURL ?? Redaction.standard.url(url)
    self.occurrence = occurrence
    self.profile = profile
    self.client = client
    self.started = started
    self.rate = RateHistory(start: started)
    self.version = version ?? (url.lowercased().hasPrefix("https:") ? .http2 : .http1)
  }

  /// How long it took, or has taken until the last that is known of it.
  public var elapsed: Duration {
    started.duration(to: ended ?? firstByte ?? requestSent ?? connected ?? started)
  }

  /// Segments sent again, both ways.
  public var retransmissions: Int64 {
    wire.up.retransmissions + wire.down.retransmissions
  }

  /// The phases of time that it went through, in their order.
  public var phases: [TransferPhase] {
    var phases: [TransferPhase] = []
    var begin = started
    func close(_ kind: TransferPhase.Kind, at end: SimulatedInstant?) {
      guard let end else { return }
      if end > begin { phases.append(TransferPhase(kind: kind, start: begin, end: end)) }
      begin = max(begin, end)
    }
    close(.resolving, at: resolved)
    close(.connecting, at: connected)
    close(.securing, at: secured)
    close(.sending, at: requestSent)
    close(.waiting, at: firstByte)
    close(lastPhase, at: ended)
    return phases
  }

  /// Takes back the times of steps that never were: a real server is asked when the simulated connection stands
  /// already.
  mutating func takeBack(_ code: URLError.Code) {
    switch code {
    case .cannotFindHost, .dnsLookupFailed: (resolved, connected, secured) = (nil, nil, nil)
    case .cannotConnectToHost: (connected, secured) = (nil, nil)
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
      .serverCertificateHasBadDate, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired:
      secured = nil
    default: return
    }
    (requestSent, requestReceived, bytesSent) = (nil, nil, 0)
  }

  private var lastPhase: TransferPhase.Kind {
    if [.failed(.cannotFindHost), .failed(.dnsLookupFailed)].contains(outcome) { return .resolving }
    if firstByte != nil { return .receiving }
    if requestSent != nil { return .waiting }
    if connected != nil { return url.hasPrefix("https") && secured == nil ? .securing : .sending }
    return .connecting
  }

  /// A note on the size of a compressed body, in parentheses behind a blank; empty for any other.
  package var coding: String {
    guard let bytesDecoded else { return "" }
    return isSizeAssumed ? " (decoded, since the size on the wire is not known)" : " (\(bytesDecoded) decoded)"
  }

  /// How it ended, for people: a status, or the name of an error.
  package var ending: String {
    switch outcome {
    case .running: "under way"
    case .finished: status.map { "\($0)" } ?? "done"
    case .failed(let code): URLErrorNames.name(of: code)
    case .cancelled: "cancelled"
    }
  }

  package var outcomeWord: String {
    switch outcome {
    case .running: "running"
    case .finished: "finished"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }

  /// One line that says what happened, and when.
  public var summary: String {
    var parts = ["#\(number) \(method) \(shownURL)"]
    parts.append(status.map { "\($0)" } ?? "no response")
    switch outcome {
    case .running: parts.append("under way")
    case .finished: parts.append("finished")
    case .failed(let code): parts.append("failed (\(URLErrorNames.name(of: code)))")
    case .cancelled: parts.append("cancelled")
    }
    parts.append("after \(DecimalText.seconds(elapsed.wholeNanoseconds))")
    let times = phases.map {
      "\($0.kind.rawValue) \(DecimalText.seconds($0.start.duration(to: $0.end).wholeNanoseconds))"
    }
    if !times.isEmpty { parts.append("(\(times.joined(separator: ", ")))") }
    parts.append(
      "\(bytesReceived) bytes down\(coding), \(bytesSent) up, \(wire.down.packets + wire.up.packets) packets")
    let lost = wire.down.lost + wire.up.lost
    if lost > 0 || retransmissions > 0 { parts.append("\(lost) lost, \(retransmissions) sent again") }
    if let repetition { parts.append("(\(repetition.words))") }
    return parts.joined(separator: " ")
  }
}

/// One stretch of a transfer's time.
public struct TransferPhase: Hashable, Sendable {
  /// The activities of a transfer.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The host's name is looked up.
    case resolving
    /// The TCP connection is made, or a free one is waited for.
    case connecting
    /// The TLS handshake is under way.
    case securing
    /// The request is sent.
    case sending
    /// The first byte of the response is waited for.
    case waiting
    /// The response arrives.
    case receiving
  }

  /// The transfer's activity.
  public let kind: Kind
  /// When it began.
  public let start: SimulatedInstant
  /// When it ended.
  public let end: SimulatedInstant

  /// Creates a stretch of time.
  public init(kind: Kind, start: SimulatedInstant, end: SimulatedInstant) {
    self.kind = kind
    self.start = start
    self.end = end
  }
}
