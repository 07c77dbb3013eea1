import Internals
import NetworkConditions

/// Draws a transfer's phases as bars along a time axis, and below them how fast the body arrived, with the peak rate.
///
/// In a redirected call each earlier hop is one bar.
struct Waterfall {
  let hops: Hops
  var schedule: ConditionSchedule?

  func lines(width: Int, style: Style) -> [String] {
    guard hops.elapsed > .zero else { return [] }
    let columns = min(72, max(10, width - Self.label - Self.time - 3))
    func line(_ name: String, _ start: SimulatedInstant, _ end: SimulatedInstant, _ role: Style.Role) -> String {
      let begin = hops.first.started.duration(to: start) / hops.elapsed
      let bar = Self.bar(from: begin, to: hops.first.started.duration(to: end) / hops.elapsed, columns: columns)
      let time = Amounts.time(start.duration(to: end)).padded(to: Self.time, right: true)
      return "\(style(.faint, name.padded(to: Self.label))) \(time)  \(style(role, bar))"
    }
    var lines = hops.transfers.dropLast().map { hop in
      line(hop.status.map { "\($0)" } ?? "", hop.started, hop.started.advanced(by: hop.elapsed), .plain)
    }
    lines += hops.last.phases.map { line(Self.name($0.kind), $0.start, $0.end, Self.role($0.kind)) }
    let rate = sparkline(columns: columns)
    if let peak = rate.peak {
      let label = "peak".padded(to: Self.label)
      let top = FigureText.rate(peak).padded(to: Self.time, right: true)
      lines.append("\(style(.faint, label)) \(top)  \(style(.down, rate.line))")
    }
    if let phases = phases(columns: columns, style: style) {
      lines.append("\(style(.faint, "phase".padded(to: Self.label + Self.time + 3)))\(phases)")
    }
    return lines
  }

  /// Draws the profile's phases along the same axis, outages hatched; `nil` when a single phase lasts for ever.
  private func phases(columns: Int, style: Style) -> String? {
    guard let schedule, schedule.phases.count > 1 else { return nil }
    let positions = (0..<columns).map { column in
      schedule.position(at: hops.first.started.advanced(by: hops.elapsed * column / columns))
    }
    return Blocks.stretches(columns) { positions[$0].start == positions[$1].start }.map { place in
      let phase = schedule.phases[positions[place.lowerBound].index]
      let isOut = phase.conditions.outage != nil
      let border = place.lowerBound > 0 ? "│" : ""
      let room = place.count - border.count
      let name = room > 3 ? phase.name.printable.shortened(to: room - 2) : ""
      let left = String(repeating: isOut ? "╱" : "─", count: (room - name.count) / 2)
      let right = String(repeating: isOut ? "╱" : "─", count: room - name.count - left.count)
      return style(isOut ? .bad : .faint, border + left + name + right)
    }.joined()
  }

  static let label = 8
  static let time = 11

  /// A bar that begins on a whole column and ends on an eighth of one; it is always visible.
  static func bar(from begin: Double, to end: Double, columns: Int) -> String {
    let first = min(columns - 1, Int(begin * Double(columns)))
    let length = max(end * Double(columns) - Double(first), 0.125)
    return String(repeating: " ", count: first) + Blocks.bar(length / Double(columns), width: columns)
  }

  /// Draws the rate along the same axis, and returns it with its greatest value.
  private func sparkline(columns: Int) -> (line: String, peak: Double?) {
    let history = hops.last.rate
    guard hops.last.bytesReceived > 0, !history.bytes.isEmpty else { return ("", nil) }
    let slice = Double(history.sliceNanoseconds)
    // A shorter arrival gets no drawing: its peak in a column or slice would be below the average.
    let least = 4 * max(slice, Double(hops.elapsed.wholeNanoseconds) / Double(columns))
    guard let last = hops.last.phases.last, last.kind == .receiving,
      Double(last.start.duration(to: last.end).wholeNanoseconds) >= least
    else { return ("", nil) }
    let before = Int((Double(hops.first.started.duration(to: hops.last.started).wholeNanoseconds) / slice).rounded())
    let wanted = max(before + history.bytes.count, Int((Double(hops.elapsed.wholeNanoseconds) / slice).rounded(.up)))
    let begin = max(0, Int(Double(hops.last.started.duration(to: last.start).wholeNanoseconds) / slice))
    let rates = Array(repeating: 0, count: before) + Self.spread(history.bitsPerSecond, from: begin)
    let values = Blocks.resampled(rates + Array(repeating: 0, count: wanted - rates.count), to: columns)
    // The peak is a mean over four columns: a record's last packet may share a slice with the next record.
    let peak = (0...max(0, values.count - 4)).map { values[$0...].prefix(4).reduce(0, +) / 4 }.max()
    return (Blocks.rows(values, height: 1)[0].withoutTrailingSpaces, peak)
  }

  /// Spreads each arrival over the slices since the previous arrival.
  ///
  /// TLS delivers a record's bytes when the record is complete, so they would seem faster than the link. A pause more
  /// than twice as long as the previous one is a stall, and stays empty.
  static func spread(_ rates: [Double], from begin: Int) -> [Double] {
    var (spread, last, longest) = (rates, begin - 1, Int.max)
    for (index, rate) in rates.enumerated() where rate > 0 && index > last {
      let length = min(index - last, longest)
      for slice in index - length + 1...index { spread[slice] = rate / Double(length) }
      (last, longest) = (index, 2 * length)
    }
    return spread
  }

  static func name(_ kind: TransferPhase.Kind) -> String {
    switch kind {
    case .resolving: "resolve"
    case .connecting: "connect"
    case .securing: "secure"
    case .sending: "send"
    case .waiting: "wait"
    case .receiving: "receive"
    }
  }

  private static func role(_ kind: TransferPhase.Kind) -> Style.Role {
    switch kind {
    case .receiving: .down
    case .sending: .up
    case .waiting: .faint
    default: .plain
    }
  }
}

struct Hops {
  let transfers: [Transfer]

  /// The transfer of the URL that the client asked for.
  let first: Transfer
  /// The transfer that gave the final answer.
  let last: Transfer

  init?(_ timeline: Timeline) {
    transfers = timeline.transfers
    guard let first = transfers.first, let last = transfers.last else { return nil }
    (self.first, self.last) = (first, last)
  }

  func since(_ time: SimulatedInstant?) -> Duration? { time.map { first.started.duration(to: $0) } }

  var elapsed: Duration { first.started.duration(to: last.started) + last.elapsed }

  var json: JSON {
    func seconds(_ time: SimulatedInstant?) -> JSON { JSON(seconds: since(time)) }
    return .array(
      transfers.map { transfer in
        [
          "method": .string(transfer.method), "url": .string(transfer.shownURL),
          "http": .string(transfer.version.rawValue),
          "status": transfer.status.map { .integer($0) } ?? .null, "start_s": seconds(transfer.started),
          "resolve_s": seconds(transfer.resolved), "connect_s": seconds(transfer.connected),
          "secure_s": seconds(transfer.secured), "first_byte_s": seconds(transfer.firstByte),
          "end_s": seconds(transfer.ended),
        ]
      })
  }
}

extension [Transfer] {
  var wire: StreamStatistics {
    reduce(into: StreamStatistics()) { sum, transfer in
      sum.up.add(transfer.wire.up)
      sum.down.add(transfer.wire.down)
    }
  }

  var bytesSent: Int64 { reduce(0) { $0 + $1.bytesSent } }

  var bytesReceived: Int64 { reduce(0) { $0 + $1.bytesReceived } }
}
