public import Foundation
public import LinkSimulator

/// The record of one request, from the client's call to its end: times, bytes, packets, outcome.
///
/// A followed redirect is a separate transfer. The record is flat, because reports and traces have a column for each field.
public struct Transfer: Hashable, Sendable {
  /// How a transfer ended.
  public enum Outcome: Hashable, Sendable {
    /// The transfer is still in progress.
    case running
    /// The complete response arrived.
    case finished
    /// The transfer failed, and the client got this error.
    case failed(URLError.Code)
    /// The client cancelled the transfer.
    case cancelled
  }

  /// How the client's HTTP library repeats a request by itself, after its kept connection was dead.
  ///
  /// Set by ``PathConfiguration/repeats``.
  public enum Repetition: String, Hashable, Sendable {
    /// The library sends the whole request.
    case whole
    /// The library omits the body, as Foundation does on Linux: no answer comes, and the client's time limit ends the request.
    case withoutBody

    package var words: String {
      switch self {
      case .whole: "sent again by the platform itself"
      case .withoutBody: "sent again by the platform itself, without its body, so no answer comes"
      }
    }
  }

  /// The transfer's number in its network, from 0, in the order of the clients' calls.
  public let number: Int
  /// The request's method; for a proxy's forwarded connection, the name of the forward.
  public let method: String
  /// The request's URL.
  public let url: String
  /// The URL for texts: without the secrets that the network's ``SimulatedNetwork/redaction`` removes.
  public let shownURL: String
  /// The transfer's place among the requests with this method and URL (ignoring secrets), from 1.
  public let occurrence: Int
  /// The profile whose conditions applied to the transfer.
  public let profile: String
  /// The client that sent the request (``SimulatedNetwork/client(_:)``); `nil` where clients are not distinguished.
  public let client: Int?

  /// How the client's HTTP library repeated the request by itself; `nil` for the client's own request.
  public internal(set) var repetition: Repetition?

  /// The version of HTTP that carried the request; 2 after a fallback from QUIC.
  public internal(set) var version: StreamRequest.HTTPVersion
  /// When the client gave up QUIC for TCP; `nil` if it did not.
  public internal(set) var fellBack: SimulatedInstant?

  /// When the client made the request.
  public internal(set) var started: SimulatedInstant
  /// When the host's name was resolved; `nil` if no lookup was needed.
  public internal(set) var resolved: SimulatedInstant?
  /// When the TCP connection was established.
  public internal(set) var connected: SimulatedInstant?
  /// When the TLS handshake was done.
  public internal(set) var secured: SimulatedInstant?
  /// When the last byte of the request was handed to the link.
  public internal(set) var requestSent: SimulatedInstant?
  /// When the server had read the whole request.
  public internal(set) var requestReceived: SimulatedInstant?
  /// When the first byte of the response arrived.
  public internal(set) var firstByte: SimulatedInstant?
  /// When the transfer ended.
  public internal(set) var ended: SimulatedInstant?

  /// How the transfer ended.
  public internal(set) var outcome: Outcome = .running
  /// The response's status; `nil` before there is one.
  public internal(set) var status: Int?
  /// The target of a redirect, as texts show it; `nil` for other answers.
  public internal(set) var redirectURL: String?
  /// How many bytes of the request's body reached the server.
  public internal(set) var bytesSent: Int64 = 0
  /// How many bytes of the response's body arrived; for a compressed body, the compressed bytes.
  public internal(set) var bytesReceived: Int64 = 0
  /// The size of a compressed body after decoding; `nil` for other bodies.
  public internal(set) var bytesDecoded: Int64?
  /// Whether a compressed body was transferred at its decoded size, because its size on the wire is unknown.
  public internal(set) var isSizeAssumed = false
  /// The body size that the response announced, on the wire; `nil` if it announced none.
  public internal(set) var bytesExpected: Int64?
  /// Packets, bytes, losses and retransmissions on the link, in each direction.
  public internal(set) var wire = StreamStatistics()
  /// Whether the transfer used a connection that was already established.
  public internal(set) var reusedConnection = false
  /// How often a retransmission timer expired on the connection during the transfer.
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

  /// The transfer's duration; while it is in progress, the time from its start to its latest known step.
  public var elapsed: Duration {
    let steps = [resolved, connected, secured, requestSent, requestReceived, firstByte]
    return started.duration(to: ended ?? steps.compactMap(\.self).max() ?? started)
  }

  /// Segments sent again, both ways.
  public var retransmissions: Int64 {
    wire.up.retransmissions + wire.down.retransmissions
  }

  /// The phases of the transfer's time, in order.
  public var phases: [TransferPhase] { phases(until: nil) }

  /// The phases of the transfer's time; the present one of a running transfer ends at `now`.
  package func phases(until now: SimulatedInstant?) -> [TransferPhase] {
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
    close(lastPhase, at: ended ?? now)
    return phases
  }

  /// Removes the times of steps that never happened: a real server can fail after the simulated connection was made.
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
    if firstByte != nil { return .receiving }
    if requestSent != nil { return .waiting }
    let server = ServerAddress(URL(string: url))
    if connected != nil { return server.isSecure && secured == nil ? .securing : .sending }
    return server.needsResolution && resolved == nil ? .resolving : .connecting
  }

  /// A note on the size of a compressed body, in parentheses after a space; empty for other bodies.
  package var coding: String {
    guard let bytesDecoded else { return "" }
    return isSizeAssumed ? " (decoded, since the size on the wire is not known)" : " (\(bytesDecoded) decoded)"
  }

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

  /// The version of HTTP and a failed attempt over QUIC, in words.
  package var carrier: String {
    "HTTP/\(version.rawValue)\(fellBack == nil ? "" : ", over TCP since QUIC failed")"
  }

  /// One line that describes the transfer and its times.
  public var summary: String {
    var parts = ["#\(number) \(method) \(shownURL)"]
    parts.append(status.map { "\($0)" } ?? "no response")
    parts.append(outcome == .running ? "under way" : outcomeWord)
    if case .failed = outcome { parts.append("(\(ending))") }
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
    if fellBack != nil { parts.append("(\(carrier))") }
    return parts.joined(separator: " ")
  }
}

/// One stretch of a transfer's time.
public struct TransferPhase: Hashable, Sendable {
  /// The activities of a transfer.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The host's name is being resolved.
    case resolving
    /// The TCP connection is being established, or the request waits for a free connection.
    case connecting
    /// The TLS handshake is under way.
    case securing
    /// The request is being sent.
    case sending
    /// The client waits for the first byte of the response.
    case waiting
    /// The response is arriving.
    case receiving
  }

  /// The transfer's activity.
  public let kind: Kind
  /// When the phase began.
  public let start: SimulatedInstant
  /// When the phase ended.
  public let end: SimulatedInstant
}
