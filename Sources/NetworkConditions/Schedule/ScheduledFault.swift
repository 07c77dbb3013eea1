public import LinkSimulator

/// One adverse thing that happens in a network because a schedule says so: to a request, to a packet, or for a time.
///
/// ```swift
/// let reset = ScheduledFault.request(.post, "/pay", nth: 2, .reset(after: 1200))
/// ```
public struct ScheduledFault: Hashable, Sendable {
  /// The kinds of faults that a schedule can list.
  public indirect enum Kind: Hashable, Sendable {
    /// The requests that match meet with a fault; where the match gives a turn, only the request of that turn does.
    case request(RequestMatch, RequestFault)
    /// Something happens to one packet, such as its loss.
    case packet(PacketName, PacketEffect)
    /// The whole network is out from a time on, for a while or for ever (`nil`).
    case outage(PathConditions.Outage, from: Duration, for: Duration?)
    /// The conditions of one of the profile's phases hold from a time on, for a while or for ever (`nil`); a phase without
    /// a name of its own goes by its place in the profile, from 0.
    case phase(String, from: Duration, for: Duration?)
    /// The client is cancelled: in a simulation, the closure's task. A network without one leaves its clients alone.
    case cancellation(at: Duration)
    /// Every launched client is killed, and launched again (``SimulatedNetwork/launch(_:)``).
    case kill(KillMoment)
    /// The power fails: every launched client is killed, each file has the bytes of its last synchronisation, and the
    /// clients are launched again.
    case powerLoss(KillMoment)
    /// The servers answer every request that is made from a time on, for a while, with the status 503, and do nothing.
    case brownOut(from: Duration, for: Duration)
    /// The calendar clock of a captured client is set ahead at a time, or back; what measures durations goes on.
    case clockJump(by: Duration, at: Duration)
  }

  /// The kind of fault, with the request, the packet or the time that it strikes.
  public var kind: Kind
  /// The profile that a rule sends the request by, or whose link the packet is on; `nil` is the network's own.
  public var via: String?

  /// Creates a fault of this kind.
  public init(_ kind: Kind, via: String? = nil) {
    self.kind = kind
    self.via = via
  }

  /// A fault of one request, named as a stub names it: `.request(.post, "/pay", nth: 2, .reset(after: 1200))`.
  ///
  /// - Parameters:
  ///   - method: the request's method, or `.any`.
  ///   - target: a pattern of the path, such as `/pay` or `/files/**`, or a whole URL.
  ///   - nth: which of the requests that match is meant, counted from 1.
  ///   - fault: what happens to it.
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
  ///   - direction: which way it goes.
  ///   - origin: the host and port, such as `api.example.com:443`.
  ///   - connection: the number of the connection among those to this origin, from 0.
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

/// The moment at which a schedule kills launched clients.
public enum KillMoment: Hashable, Sendable {
  /// A time of the network's.
  case at(Duration)
  /// The return of a call that changes a file in a client's folder, counted from 1 over the whole run: one that creates or
  /// opens a file for writing, writes, shortens, renames, removes, or makes a folder.
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
  /// The match in words, such as `the 2nd POST /pay`.
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
  /// How long it is, whichever way it goes.
  package var magnitude: Duration { self < .zero ? .zero - self : self }
}

extension Int {
  /// The number as people count turns: 1st, 2nd, 3rd, 4th, 11th.
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
