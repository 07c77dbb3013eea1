import LinkSimulator
import NetworkConditions

/// A transfer's phases as bars along one axis of time, and beneath them how fast the body arrived.
struct Waterfall {
  let transfer: Transfer

  /// The lines, at most `width` characters long.
  func lines(width: Int, style: Style) -> [String] {
    let total = transfer.elapsed
    guard total > .zero else { return [] }
    let columns = min(72, max(10, width - Self.label - Self.time - 3))
    var lines = transfer.phases.map { phase in
      let begin = transfer.started.duration(to: phase.start) / total
      let end = transfer.started.duration(to: phase.end) / total
      let bar = Self.bar(from: begin, to: end, columns: columns)
      // A transfer that ended before it had a connection has waited for one.
      let kind = phase.kind == .waiting && transfer.connected == nil ? .connecting : phase.kind
      let name = Self.name(kind).padded(to: Self.label)
      let time = Amounts.time(phase.start.duration(to: phase.end)).padded(to: Self.time, right: true)
      return "\(style(.faint, name)) \(time)  \(style(Self.role(kind), bar))"
    }
    let rate = sparkline(columns: columns)
    if let peak = rate.peak {
      let label = "rate".padded(to: Self.label)
      let top = Amounts.rate(peak).padded(to: Self.time, right: true)
      lines.append("\(style(.faint, label)) \(top)  \(style(.down, rate.line))")
    }
    return lines
  }

  /// How wide the names are.
  static let label = 8
  /// How wide the times are.
  static let time = 11

  /// A bar in eighths of a column at its end; it begins on a whole column, and is never invisible.
  static func bar(from begin: Double, to end: Double, columns: Int) -> String {
    let first = min(columns - 1, Int(begin * Double(columns)))
    let length = max(end * Double(columns) - Double(first), 0.125)
    return String(repeating: " ", count: first) + Blocks.bar(length / Double(columns), width: columns)
  }

  /// The rate along the same axis, and its greatest value.
  private func sparkline(columns: Int) -> (line: String, peak: Double?) {
    let history = transfer.rate
    guard transfer.bytesReceived > 0, !history.bytes.isEmpty else { return ("", nil) }
    let slices = Double(transfer.elapsed.wholeNanoseconds) / Double(history.sliceNanoseconds)
    let wanted = max(history.bytes.count, Int(slices.rounded(.up)))
    let padded = history.bitsPerSecond + Array(repeating: 0, count: wanted - history.bytes.count)
    let values = Blocks.resampled(padded, to: columns)
    var line = Blocks.sparkline(values)
    while line.last == " " { line.removeLast() }
    return (line, values.max())
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
