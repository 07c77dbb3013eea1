import LinkSimulator
import NetworkConditions

extension ScheduledFault {
  /// Faults that do less harm than this one, the most harmless first; each of them leads to another, until there is none.
  var weaker: [ScheduledFault] {
    switch kind {
    case .request(let match, let fault):
      return fault.weaker.map { ScheduledFault(.request(match, $0), via: via) }
    case .packet(let packet, let effect):
      return effect.weaker.map { ScheduledFault(.packet(packet, $0), via: via) }
    case .outage(let outage, let start, let duration):
      return Self.parts(start, duration).map { ScheduledFault(.outage(outage, from: $0.0, for: $0.1), via: via) }
    case .phase(let name, let start, let duration):
      return Self.parts(start, duration).map { ScheduledFault(.phase(name, from: $0.0, for: $0.1), via: via) }
    }
  }

  /// The same fault with rounder numbers, the roundest first.
  var rounder: [ScheduledFault] {
    switch kind {
    case .request(let match, let fault):
      return fault.rounder.map { ScheduledFault(.request(match, $0), via: via) }
    case .packet(let packet, let effect):
      return effect.amount.rounder.map { ScheduledFault(.packet(packet, PacketEffect(effect.kind, $0)), via: via) }
    case .outage(let outage, let start, let duration):
      return Self.rounder(start, duration).map { ScheduledFault(.outage(outage, from: $0.0, for: $0.1), via: via) }
    case .phase(let name, let start, let duration):
      return Self.rounder(start, duration).map { ScheduledFault(.phase(name, from: $0.0, for: $0.1), via: via) }
    }
  }

  /// What lasts for ever lasts a minute, and what lasts long half as long, down to a tenth of a second.
  fileprivate static func shorter(_ duration: Duration?) -> [Duration] {
    guard let duration else { return [.seconds(1), .seconds(10), .seconds(60)] }
    let nanoseconds = duration.wholeNanoseconds
    guard nanoseconds > 100_000_000 else { return [] }
    return [4, 2].map { .nanoseconds(nanoseconds / $0) } + [.nanoseconds(nanoseconds / 4 * 3)]
  }

  /// Shorter parts of a stretch of time: its beginning, its end, its middle.
  private static func parts(_ start: Duration, _ duration: Duration?) -> [(Duration, Duration)] {
    shorter(duration).flatMap { part -> [(Duration, Duration)] in
      let rest = duration.map { $0 - part } ?? .zero
      let starts = rest > .zero ? [start, start + rest, start + rest / 2] : [start]
      return starts.map { ($0, part) }
    }
  }

  /// Both numbers as round as can be, then each alone.
  private static func rounder(_ start: Duration, _ duration: Duration?) -> [(Duration, Duration?)] {
    let starts = [.zero] + start.rounder
    guard let duration else { return starts.map { ($0, nil) } }
    let lengths = duration.rounder
    return starts.flatMap { start in lengths.map { (start, $0) } } + starts.map { ($0, duration) }
      + lengths.map { (start, $0) }
  }
}

extension FaultRule.Kind {
  fileprivate var weaker: [FaultRule.Kind] {
    switch self {
    case .delay(let delay): return shorter(delay).map { .delay($0) }
    case .slowClose(let delay): return shorter(delay).map { .slowClose(delay: $0) }
    case .stall(let bytes, let duration):
      return ScheduledFault.shorter(duration).map { .stall(after: bytes, duration: $0) }
    case .status(let code, .some): return [.status(code: code)]
    case .status, .corrupt: return []
    case .dnsFailure, .refused, .connectTimeout, .tlsFailure, .reset, .truncate: return [.delay(.seconds(1))]
    }
  }

  private func shorter(_ delay: Duration) -> [Duration] {
    delay.wholeNanoseconds > 100_000_000 ? [delay / 4, delay / 2] : []
  }

  fileprivate var rounder: [FaultRule.Kind] {
    switch self {
    case .dnsFailure, .refused, .connectTimeout, .tlsFailure: []
    case .reset(let bytes, let direction): bytes.rounder.map { .reset(after: $0, direction: direction) }
    case .truncate(let bytes): bytes.rounder.map { .truncate(after: $0) }
    case .corrupt(let position): position.rounder.map { .corrupt(at: $0) }
    case .slowClose(let delay): delay.rounder.map { .slowClose(delay: $0) }
    case .delay(let delay): delay.rounder.map { .delay($0) }
    case .status(let code, let wait): wait?.rounder.map { .status(code: code, retryAfter: $0) } ?? []
    case .stall(let bytes, let duration?):
      bytes.rounder.flatMap { bytes in duration.rounder.map { .stall(after: bytes, duration: $0) } }
        + bytes.rounder.map { .stall(after: $0, duration: duration) }
        + duration.rounder.map { .stall(after: bytes, duration: $0) }
    case .stall(let bytes, nil): bytes.rounder.map { .stall(after: $0) }
    }
  }
}

extension BytePosition {
  fileprivate var rounder: [BytePosition] { [.zero] + (bytes?.rounder ?? []).map { .bytes($0) } }
}

extension Duration {
  fileprivate var rounder: [Duration] { wholeNanoseconds.rounder.filter { $0 > 0 }.map { .nanoseconds($0) } }
}

extension Int64 {
  /// The number to one and to two significant digits, where that makes a difference.
  fileprivate var rounder: [Int64] {
    var power: Int64 = 1
    while magnitude / power.magnitude >= 10 { power *= 10 }
    var numbers: [Int64] = []
    for unit in [power, power / 10] where unit > 1 {
      let half = self < 0 ? -unit / 2 : unit / 2
      let (sum, overflow) = addingReportingOverflow(half)
      let rounded = overflow ? self : sum / unit * unit
      if rounded == self { break }
      if !numbers.contains(rounded) { numbers.append(rounded) }
    }
    return numbers
  }
}
