public import LinkSimulator

/// A fault that a schedule inflicts on a request, on a packet, or for a time.
///
/// ```swift
/// let reset = ScheduledFault.request(.post, "/pay", nth: 2, .reset(after: 1200))
/// ```
public struct ScheduledFault: Hashable, Sendable {
  /// The kinds of faults that a schedule can list.
  public indirect enum Kind: Hashable, Sendable {
    /// A fault of every matching request, or only of the `nth` one if the match gives a number.
    case request(RequestMatch, RequestFault)
    /// An effect on one packet, such as its loss.
    case packet(PacketName, PacketEffect)
    /// An outage of the whole network from a time on, for a while or for ever (`nil`).
    case outage(PathConditions.Outage, from: Duration, for: Duration?)
    /// The conditions of one of the profile's phases, from a time on, for a while or for ever (`nil`).
    ///
    /// A phase without a name is named by its index, from 0.
    case phase(String, from: Duration, for: Duration?)
    /// The cancellation of the client: in a simulation, of the closure's task; elsewhere it has no effect.
    case cancellation(at: Duration)
    /// A kill of every launched client, which is then launched again (``SimulatedNetwork/launch(_:)``).
    case kill(KillMoment)
    /// A power failure: every launched client is killed and launched again, and its files lose unsynchronised bytes.
    case powerLoss(KillMoment)
    /// A time in which the servers answer every new request with status 503.
    case brownOut(from: Duration, for: Duration)
    /// A suspension of the app, as when its user switches to another (``SimulatedNetwork/suspendApp(for:)``).
    case suspension(from: Duration, for: Duration)
    /// A jump of a captured client's calendar clock, ahead or back; clocks that measure durations do not jump.
    case clockJump(by: Duration, at: Duration)
  }

  /// The kind of fault, with its request, packet or time.
  public var kind: Kind
  /// The other profile over which a rule sends the request or whose link carries the packet; `nil` is the network's
  /// own.
  ///
  /// It has no meaning for faults of the clients or of all servers.
  public var via: String?

  /// Creates a fault of a kind.
  public init(_ kind: Kind, via: String? = nil) {
    self.kind = kind
    self.via = via
  }

  /// A fault of one request, with a stub's arguments: `.request(.post, "/pay", nth: 2, .reset(after: 1200))`.
  ///
  /// - Parameters:
  ///   - method: the request's method, or `.any`.
  ///   - target: a pattern of the path, such as `/pay` or `/files/**`, or a whole URL.
  ///   - nth: the request's number among the matching ones, from 1.
  ///   - fault: the fault.
  public static func request(
    _ method: MethodPattern, _ target: String, nth: Int = 1, _ fault: RequestFault
  ) -> ScheduledFault {
    let isWhole = target.contains("://")
    return ScheduledFault(
      .request(
        RequestMatch(
          path: isWhole ? nil : Glob(target), method: method.name, nth: nth, url: isWhole ? target : nil), fault))
  }

  /// The loss of one packet.
  ///
  /// - Parameters:
  ///   - number: the packet's number in its direction of the connection, from 0.
  ///   - direction: the packet's direction.
  ///   - origin: the server's host and port, such as `api.example.com:443`.
  ///   - connection: the connection's number among those to this server, from 0.
  public static func packetLost(
    _ number: Int, _ direction: Direction, of origin: String, connection: Int = 0
  ) -> ScheduledFault {
    ScheduledFault(
      .packet(PacketName(origin: origin, connection: connection, direction: direction, number: number), .lost))
  }

  /// An outage of the whole network, for a while or for ever.
  public static func outage(
    _ outage: PathConditions.Outage = .drop, from start: Duration, for duration: Duration? = nil
  ) -> ScheduledFault {
    ScheduledFault(.outage(outage, from: start, for: duration))
  }
}

extension ScheduledFault.Kind {
  /// When an outage, a phase or a suspension begins and how long it lasts, for ever if `nil`; `nil` for all other kinds.
  package var span: (start: Duration, length: Duration?)? {
    switch self {
    case .outage(_, let start, let length), .phase(_, let start, let length): (start, length)
    case .suspension(let start, let length): (start, length)
    case .request, .packet, .cancellation, .kill, .powerLoss, .clockJump, .brownOut: nil
    }
  }

  /// Whether the fault strikes a single path, so that ``ScheduledFault/via`` can name it.
  var hasPath: Bool {
    switch self {
    case .request, .packet, .outage, .phase: true
    case .cancellation, .kill, .powerLoss, .clockJump, .brownOut, .suspension: false
    }
  }
}

/// The moment when a schedule kills the launched clients.
public enum KillMoment: Hashable, Sendable {
  /// The clients are killed at this time in the network.
  case at(Duration)
  /// The clients are killed after the n-th call, from 1, that changes a file in a client's folder.
  ///
  /// Such calls create or open a file for writing, write, shorten, rename or remove it, or make a folder.
  case afterFileChange(Int)

  fileprivate var words: String {
    switch self {
    case .at(let time): "at \(time.formatText)"
    case .afterFileChange(let number): "after the \(number.ordinal) change of its files"
    }
  }
}

extension ScheduledFault: CustomStringConvertible {
  /// The fault in words, such as `the 2nd POST /pay: connection reset after 1200 bytes down`.
  public var description: String {
    let place = via.map { " via \($0.quoted)" } ?? ""
    switch kind {
    case .request(let match, let fault): return "\(match.words)\(place): \(fault)"
    case .packet(let packet, let effect): return "\(packet.words)\(place): \(effect.words)"
    case .outage(let outage, let start, let duration):
      let way = outage == .drop ? "the network is out, packets vanish" : "the network is out, and the system knows it"
      return "\(Self.words(start, duration))\(place): \(way)"
    case .phase(let name, let start, let duration):
      return "\(Self.words(start, duration))\(place): phase \(name.quoted)"
    case .cancellation(let time): return "at \(time.formatText): the client is cancelled"
    case .brownOut(let start, let duration):
      return "\(Self.words(start, duration)): the servers answer with the status 503"
    case .suspension(let start, let duration): return "\(Self.words(start, duration)): the app is suspended"
    case .clockJump(let jump, let time):
      let way = jump < .zero ? "back" : "ahead"
      return "at \(time.formatText): the device's clock jumps \(jump.magnitude.formatText) \(way)"
    case .kill(let moment): return "\(moment.words): the client is killed"
    case .powerLoss(let moment): return "\(moment.words): the power fails"
    }
  }

  private static func words(_ start: Duration, _ duration: Duration?) -> String {
    "from \(start.formatText) on, \(duration.map { "for \($0.formatText)" } ?? "for ever")"
  }
}

extension RequestMatch {
  fileprivate var words: String {
    var target = url ?? [host?.description, path?.description].compactMap { $0 }.joined()
    if target.isEmpty { target = scheme.map { "\($0) request" } ?? "request" }
    let request = method.map { "\($0) \(target)" } ?? target
    guard let nth else { return "each \(request)" }
    return "the \(nth.ordinal) \(request)"
  }
}

extension PacketName {
  fileprivate var words: String {
    let way = direction == .up ? "to" : "from"
    let which = connection == 0 ? "" : ", connection \(connection)"
    return "packet \(number) \(way) \(origin)\(which)"
  }
}

extension PacketEffect {
  var key: String {
    switch kind.type.entry {
    case .happens(let word): word
    case .shifts(let later, let earlier): amount < 0 ? earlier : later
    }
  }

  var length: String? {
    guard case .shifts = kind.type.entry else { return nil }
    return Duration.nanoseconds(Int64(clamping: amount.magnitude)).formatText
  }

  fileprivate var words: String { length.map { "\($0) \(key)" } ?? key }
}

extension Duration {
  package var magnitude: Duration { self < .zero ? .zero - self : self }
}

extension Int {
  package var ordinal: String {
    let suffix =
      switch (self % 10, self % 100) {
      case (1, let tens) where tens != 11: "st"
      case (2, let tens) where tens != 12: "nd"
      case (3, let tens) where tens != 13: "rd"
      default: "th"
      }
    return "\(self)\(suffix)"
  }
}
