import NetworkConditions

struct ConditionSpan: Hashable {
  let profile: String
  let phase: String
  /// The beginning, in nanoseconds of virtual time.
  let start: Int64
  let end: Int64
  let conditions: PathConditions

  var name: String { phase.isEmpty ? profile : phase }

  /// The rate of the link towards the client, in bits per second: 0 in an outage; `nil` without a limit.
  var rate: Double? { conditions.outage != nil ? 0 : conditions.down.rate.map { Double($0.bitsPerSecond) } }

  var text: String {
    if let outage = conditions.outage { return "outage (\(outage.rawValue))" }
    var words: [String] = []
    if let rate = conditions.down.rate { words.append("down \(rate)") }
    if let rate = conditions.up.rate { words.append("up \(rate)") }
    if conditions.roundTrip > .zero { words.append("round trip \(conditions.roundTrip.formatText)") }
    let impairments = ImpairmentKind.allCases.filter {
      $0 != .jitter && (conditions.down.has($0) || conditions.up.has($0))
    }
    if !impairments.isEmpty { words.append("with \(impairments.map(\.name).joined(separator: " and "))") }
    return words.isEmpty ? "unlimited" : words.joined(separator: ", ")
  }
}

extension Timeline {
  /// Returns the conditions between two times in about `limit` spans; short phases are left out to stay near it.
  func conditionSpans(from begin: Int64, to end: Int64, limit: Int) -> [ConditionSpan] {
    let step = max(1, (end - begin) / Int64(max(1, limit)))
    var spans: [ConditionSpan] = []
    for (index, applied) in conditions.enumerated() {
      let stop = index + 1 < conditions.count ? min(end, conditions[index + 1].start.nanoseconds) : end
      // Earlier conditions were forgotten: the oldest remembered ones stand for them.
      var time = index == 0 ? begin : max(begin, applied.start.nanoseconds)
      while time < stop {
        let position = applied.schedule.position(at: SimulatedInstant(nanoseconds: time))
        let phase = applied.schedule.phases[position.index]
        let next = min(stop, max(position.end?.nanoseconds ?? stop, time + step))
        spans.append(
          ConditionSpan(
            profile: applied.profile, phase: phase.name, start: time, end: next, conditions: phase.conditions))
        time = next
      }
    }
    return spans
  }

  /// The time from the first call to the last end, in nanoseconds; at least 1 µs.
  var extent: ClosedRange<Int64> {
    let begin = transfers.map(\.started.nanoseconds).min() ?? 0
    let end = transfers.map { $0.end(at: time) }.max() ?? time.nanoseconds
    // If the first call comes soon after the network's beginning, the picture starts at that beginning.
    let zero = begin < (end - begin) / 4 ? 0 : begin
    return zero...max(end, zero + 1_000)
  }
}

extension Transfer {
  /// When the transfer ended, or `now` while it is under way, in nanoseconds.
  func end(at now: SimulatedInstant) -> Int64 {
    max(started.nanoseconds, (ended ?? now).nanoseconds)
  }
}
