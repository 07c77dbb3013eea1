/// What goes wrong with one request by decree, once the profile's rules have been drawn for it.
struct FaultPlan: Sendable {
  /// What the path does to it from its beginning on.
  var streamFaults: [StreamFault] = []
  /// What delays it before it sets out.
  var extraDelay: Duration = .zero
  /// What the server answers instead of what it would.
  var status: (code: Int, retryAfter: Duration?)?
  /// What strikes the response at a place in it: placed, told and done when the response begins.
  var ofResponse: [PlannedFault] = []
  /// Which byte of the response's body is flipped.
  var corruptedByte: Int64?
  /// What was applied at the beginning, in words, for the timeline.
  var descriptions: [String] = []
}

/// A fault at a place that may have to be drawn yet.
struct PlannedFault: Sendable {
  let kind: FaultRule.Kind
  /// What the place is drawn by.
  let chance: KeyedRandom
  /// Which fault of a schedule it is, if it is one.
  let entry: Int?

  /// The fault at its place in a message of so many bytes; `nil` where there is no such place.
  func placed(in message: (head: Int64, body: Int64)) -> FaultRule.Kind? {
    let whole = BytePosition.bytes(chance.number(below: max(1, message.head + message.body)))
    return switch kind {
    case .reset(.anywhere, let direction): .reset(after: whole, direction: direction)
    case .stall(.anywhere, let duration): .stall(after: whole, duration: duration)
    case .truncate(.anywhere): .truncate(after: whole)
    case .corrupt(.anywhere): message.body > 0 ? .corrupt(at: .bytes(chance.number(below: message.body))) : nil
    default: kind
    }
  }
}

extension FaultRule.Kind {
  /// Whether it strikes the response at a place in it.
  var isOfResponse: Bool {
    switch self {
    case .reset(_, .down), .stall, .truncate, .corrupt: true
    default: false
    }
  }

  /// What the path does to a request, if this is the path's to do; its place is drawn before.
  var streamFault: StreamFault? {
    switch self {
    case .dnsFailure: .resolutionFailure
    case .refused: .refused
    case .connectTimeout: .unreachable
    case .tlsFailure: .handshakeFailure
    case .reset(let place, let direction): place.bytes.map { .reset(direction: direction, afterBytes: $0) }
    case .stall(let place, let duration): place.bytes.map { .stall(afterBytes: $0, duration: duration) }
    case .truncate(let place): place.bytes.map { .truncation(afterBytes: $0) }
    case .slowClose(let delay): .slowClose(delay: delay)
    case .corrupt, .status, .delay: nil
    }
  }
}
