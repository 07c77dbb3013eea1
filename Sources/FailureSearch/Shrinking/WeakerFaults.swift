import LinkSimulator
import NetworkConditions

extension ScheduledFault {
  /// Faults that do less harm than this one, the weakest first.
  var weaker: [ScheduledFault] { kind.weaker.map { ScheduledFault($0, via: via) } }

  var rounder: [ScheduledFault] { kind.rounder.map { ScheduledFault($0, via: via) } }
}

extension ScheduledFault.Kind {
  fileprivate var weaker: [Self] {
    switch self {
    case .request(let match, let fault): fault.weaker.map { .request(match, $0) }
    case .packet(let packet, let effect): effect.weaker.map { .packet(packet, $0) }
    case .outage(let outage, let start, let length):
      Self.parts(start, length).map { .outage(outage, from: $0, for: $1) }
    case .phase(let name, let start, let length): Self.parts(start, length).map { .phase(name, from: $0, for: $1) }
    case .brownOut(let start, let length): Self.parts(start, length).map { .brownOut(from: $0, for: $1) }
    case .suspension(let start, let length): Self.parts(start, length).map { .suspension(from: $0, for: $1) }
    case .clockJump(let jump, let time):
      jump.magnitude > .seconds(60) ? [.clockJump(by: jump / 24, at: time)] : []
    case .powerLoss(let moment): [.kill(moment)]
    case .cancellation, .kill: []
    }
  }

  fileprivate var rounder: [Self] {
    switch self {
    case .request(let match, let fault): fault.rounder.map { .request(match, $0) }
    case .packet(let packet, let effect):
      effect.amount.rounder.map { .packet(packet, PacketEffect(effect.kind, $0)) }
    case .outage(let outage, let start, let length):
      Self.rounder(start, length).map { .outage(outage, from: $0, for: $1) }
    case .phase(let name, let start, let length): Self.rounder(start, length).map { .phase(name, from: $0, for: $1) }
    case .cancellation(let time): time.rounder.map { .cancellation(at: $0) }
    case .brownOut(let start, let length): Self.rounder(start, length, Self.brownOut)
    case .suspension(let start, let length): Self.rounder(start, length, Self.suspension)
    case .clockJump(let jump, let time): time.rounder.map { .clockJump(by: jump, at: $0) }
    case .kill(.at(let time)): time.rounder.map { .kill(.at($0)) }
    case .powerLoss(.at(let time)): time.rounder.map { .powerLoss(.at($0)) }
    case .kill(.afterFileChange), .powerLoss(.afterFileChange): []
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

  private static func rounder(
    _ start: Duration, _ length: Duration, _ kind: (Duration, Duration) -> Self
  ) -> [Self] {
    rounder(start, length).compactMap { start, length in length.map { kind(start, $0) } }
  }

  /// Rounder values for a span: both numbers rounder, then only one number rounder.
  private static func rounder(_ start: Duration, _ duration: Duration?) -> [(Duration, Duration?)] {
    let starts = [.zero] + start.rounder
    guard let duration else { return starts.map { ($0, nil) } }
    let lengths = duration.rounderAndShorter
    return starts.flatMap { start in lengths.map { (start, $0) } } + starts.map { ($0, duration) }
      + lengths.map { (start, $0) }
  }
}
