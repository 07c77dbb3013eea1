import NetworkConditions

/// A stretch of time in which a fault holds, in nanoseconds.
struct FaultSpan: Hashable {
  let start: Int64
  /// The length in nanoseconds; `nil` is for ever.
  let length: Int64?
  var outage: PathConditions.Outage?
  var via: String?

  init(_ start: Int64, _ length: Int64?) {
    self.start = start
    self.length = length
  }

  func joined(_ other: FaultSpan) -> FaultSpan {
    let start = min(self.start, other.start)
    guard let length, let otherLength = other.length else { return FaultSpan(start, nil) }
    return FaultSpan(start, max(self.start + length, other.start + otherLength) - start)
  }

  /// An outage during this span, with the kind and path of another span.
  func outage(like model: FaultSpan?) -> ScheduledFault {
    ScheduledFault(
      .outage(model?.outage ?? .drop, from: .nanoseconds(start), for: length.map { .nanoseconds($0) }), via: model?.via)
  }
}

extension ScheduledFault {
  /// When the fault holds; `nil` unless it is an outage or a phase.
  var span: FaultSpan? {
    guard let (start, length) = kind.span else { return nil }
    var span = FaultSpan(start.wholeNanoseconds, length?.wholeNanoseconds)
    if case .outage(let outage, _, _) = kind { span.outage = outage }
    span.via = via
    return span
  }

  var isLoss: Bool {
    if case .packet(_, .lost) = kind { true } else { false }
  }
}
