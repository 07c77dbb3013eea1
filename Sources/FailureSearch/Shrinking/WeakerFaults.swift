import LinkSimulator
import NetworkConditions

extension ScheduledFault {
  /// Faults that do less harm than this one, the weakest first.
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
    case .brownOut(let start, let duration):
      return Self.parts(start, duration).map { ScheduledFault(.brownOut(from: $0.0, for: $0.1)) }
    case .clockJump(let jump, let time):
      return jump.magnitude > .seconds(60) ? [ScheduledFault(.clockJump(by: jump / 24, at: time))] : []
    case .powerLoss(let moment): return [ScheduledFault(.kill(moment))]
    case .cancellation, .kill: return []
    }
  }

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
    case .cancellation(let time): return time.rounder.map { ScheduledFault(.cancellation(at: $0)) }
    case .brownOut(let start, let duration):
      return Self.rounder(start, duration).compactMap { start, length in
        length.map { ScheduledFault(.brownOut(from: start, for: $0)) }
      }
    case .clockJump(let jump, let time): return time.rounder.map { ScheduledFault(.clockJump(by: jump, at: $0)) }
    case .kill(.at(let time)): return time.rounder.map { ScheduledFault(.kill(.at($0))) }
    case .powerLoss(.at(let time)): return time.rounder.map { ScheduledFault(.powerLoss(.at($0))) }
    case .kill(.afterFileChange), .powerLoss(.afterFileChange): return []
    }
  }

  /// Shorter parts of a span: at its beginning, at its end, and in its middle.
  private static func parts(_ start: Duration, _ duration: Duration?) -> [(Duration, Duration)] {
    Duration.shorter(than: duration).flatMap { part -> [(Duration, Duration)] in
      let rest = duration.map { $0 - part } ?? .zero
      let starts = rest > .zero ? [start, start + rest, start + rest / 2] : [start]
      return starts.map { ($0, part) }
    }
  }

  /// Rounder values for a span: both numbers rounder, then one of them alone.
  private static func rounder(_ start: Duration, _ duration: Duration?) -> [(Duration, Duration?)] {
    let starts = [.zero] + start.rounder
    guard let duration else { return starts.map { ($0, nil) } }
    let lengths = duration.rounder
    return starts.flatMap { start in lengths.map { (start, $0) } } + starts.map { ($0, duration) }
      + lengths.map { (start, $0) }
  }
}
