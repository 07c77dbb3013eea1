import Foundation
import Internals
public import NetworkConditions

/// A timeline as text: one line for each transfer along a time axis, with the faults where they struck.
///
/// Transfers in succession whose lines are equal share one, with their number.
///
/// ```
///                        0 s                      12 s                    24.1 s
/// GET /feed              ────x!·····━━━━━━━━━━━━━━━━┫ 200
/// POST /pay                                         ────!··················× timedOut
/// ```
public struct TimelineDrawing: Sendable, CustomStringConvertible {
  private let timeline: Timeline
  private let faults: [ScheduledFault]
  private let width: Int

  /// The most lines of transfers: the last ones, because the failure is near the end.
  private static let rows = 30

  /// Prepares a drawing of a timeline.
  ///
  /// - Parameters:
  ///   - timeline: what happened.
  ///   - faults: the scheduled faults; those that strike no single request are drawn on lines of their own.
  ///   - width: how many characters a line may have, at least 40.
  public init(_ timeline: Timeline, faults: [ScheduledFault] = [], width: Int = 100) {
    self.timeline = timeline
    self.faults = faults
    self.width = max(40, width)
  }

  /// The drawing, with a legend.
  public var description: String {
    if timeline.transfers.isEmpty { return "no transfer" }
    let last = (timeline.transfers.map { $0.ended ?? timeline.time } + moments.map(\.time)).max() ?? .zero
    // An axis needs a length above 0, even if everything failed at time 0.
    let end = max(last, SimulatedInstant.zero.advanced(by: .nanoseconds(1)))
    let events = Dictionary(grouping: timeline.events, by: \.transfer)
    let entries = zip(timeline.transfers, timeline.shownRequests).map { transfer, request in
      Entry(
        transfer: transfer, name: (transfer.client.map { "\($0): " } ?? "") + request, end: Self.end(of: transfer),
        events: events[transfer.number] ?? [])
    }
    let label = min(max(entries.map(\.name.count).max() ?? 0, 7), width / 3)
    var (rows, axis) = rows(of: entries, label, to: end, reserving: 0)
    if rows.contains(where: { $0.count > 1 }) {
      let number = FigureText.repeated("", entries.count)
      (rows, axis) = self.rows(of: entries, label, to: end, reserving: number.count)
    }
    var lines = [String(repeating: " ", count: label) + "  " + axis.labels]
    lines += rows.map { FigureText.repeated($0.line, $0.count) }
    let marks = spans(axis) + moments.map { ($0.name, axis.mark(at: $0.time)) }
    lines += marks.map { Self.padded($0.name, to: label) + "  " + $0.cells }
    let drawn = rows.reduce(0) { $0 + $1.count }
    let left = timeline.transfers.count - drawn
    if left > 0 {
      lines.append("(\(FigureText.count(left, "earlier transfer")) \(left == 1 ? "is" : "are") not drawn)")
    }
    lines.append("─ setting out  · waiting  ━ receiving  x lost  ! fault  ┫ done  × failed")
    for repetition in [Transfer.Repetition.whole, .withoutBody]
    where timeline.transfers.suffix(drawn).contains(where: { $0.repetition == repetition }) {
      lines.append("\(Self.sign(of: repetition)) \(repetition.words)")
    }
    return lines.map { line in
      var line = line
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }

  private struct Axis {
    let end: SimulatedInstant
    let columns: Int

    func column(_ time: SimulatedInstant) -> Int {
      let share = Double(time.nanoseconds) / Double(end.nanoseconds)
      return min(columns - 1, max(0, Int(share * Double(columns - 1))))
    }

    func mark(at time: SimulatedInstant) -> String { String(repeating: " ", count: column(time)) + "!" }

    var labels: String {
      let texts = [0, end.nanoseconds / 2, end.nanoseconds].map(Self.text)
      if texts[0] == texts[2] { return texts[0] }
      let middle = columns / 2 - texts[1].count / 2
      var line = TimelineDrawing.padded(texts[0], to: max(middle, texts[0].count + 1)) + texts[1]
      line = TimelineDrawing.padded(line, to: max(line.count + 1, columns - texts[2].count)) + texts[2]
      return line
    }

    private static func text(_ nanoseconds: Int64) -> String {
      if 50_000..<2_000_000 ~= nanoseconds {
        let tenths = (nanoseconds + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) ms"
      }
      let milliseconds = (nanoseconds + 500_000) / 1_000_000
      if milliseconds < 1_000 { return "\(milliseconds) ms" }
      let tenths = (milliseconds + 50) / 100
      return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
  }

  private struct Entry {
    let transfer: Transfer
    let name: String
    let end: String
    let events: [NetworkEvent]
  }

  /// The last lines of transfers, each with the number of transfers that it shows; `places` characters stay free.
  private func rows(
    of entries: [Entry], _ label: Int, to end: SimulatedInstant, reserving places: Int
  ) -> (rows: [(line: String, count: Int)], Axis) {
    let axis = Axis(end: end, columns: max(16, width - label - 3 - (entries.map(\.end.count).max() ?? 0) - places))
    var rows: [(line: String, count: Int)] = []
    for entry in entries.reversed() {
      let cells = row(of: entry.transfer, entry.events, axis)
      let line = "\(Self.padded(entry.name, to: label))  \(cells) \(entry.end)"
      if rows.last?.line == line {
        rows[rows.count - 1].count += 1
      } else if rows.count < Self.rows {
        rows.append((line, 1))
      } else {
        break
      }
    }
    return (rows.reversed(), axis)
  }

  private func row(of transfer: Transfer, _ events: [NetworkEvent], _ axis: Axis) -> String {
    var cells = [Character](repeating: " ", count: axis.columns)
    for phase in transfer.phases(until: axis.end) {
      let mark: Character =
        switch phase.kind {
        case .receiving: "━"
        case .waiting: "·"
        default: "─"
        }
      for column in axis.column(phase.start)...axis.column(max(phase.start, phase.end)) { cells[column] = mark }
    }
    if let end = transfer.ended { cells[axis.column(end)] = transfer.outcome == .finished ? "┫" : "×" }
    for event in events {
      switch event.kind {
      // An outage has its own line, and a full queue is not a fault.
      case .packetLost(_, .link), .packetLost(_, .corruption), .packetLost(_, .forgotten),
        .packetLost(_, .blocked):
        if cells[axis.column(event.time)] != "!" { cells[axis.column(event.time)] = "x" }
      case .fault: cells[axis.column(event.time)] = "!"
      default: break
      }
    }
    return String(cells)
  }

  private func spans(_ axis: Axis) -> [(name: String, cells: String)] {
    faults.compactMap { fault in
      guard let (start, length) = fault.kind.span else { return nil }
      let name =
        switch fault.kind {
        case .phase(let phase, _, _): phase
        case .suspension: "suspended"
        default: "outage"
        }
      let begin = SimulatedInstant.zero.advanced(by: start)
      guard begin <= axis.end else { return nil }
      let end = min(axis.end, length.map { begin.advanced(by: $0) } ?? axis.end)
      var cells = [Character](repeating: " ", count: axis.columns)
      for column in axis.column(begin)...axis.column(end) { cells[column] = "▒" }
      return (name, String(cells))
    }
  }

  /// The faults that strike the client at one time within the run.
  private var moments: [(name: String, time: SimulatedInstant)] {
    let ends = timeline.events.filter { [.killed, .powerLost].contains($0.kind) }.map { ("killed", $0.time) }
    let moments = faults.compactMap { fault -> (String, SimulatedInstant)? in
      switch fault.kind {
      case .cancellation(let time): ("cancel", SimulatedInstant.zero.advanced(by: time))
      case .clockJump(_, let time): ("clock", SimulatedInstant.zero.advanced(by: time))
      default: nil
      }
    }
    return (moments + ends).filter { $0.1 <= timeline.time }
  }

  private static func end(of transfer: Transfer) -> String {
    let end = transfer.ending
    return transfer.repetition.map { "\(end) \(sign(of: $0))" } ?? end
  }

  private static func sign(of repetition: Transfer.Repetition) -> String {
    switch repetition {
    case .whole: "↻"
    case .withoutBody: "↻!"
    }
  }

  /// A text of exactly this width; a longer text loses its middle.
  fileprivate static func padded(_ text: String, to width: Int) -> String {
    guard text.count > width else { return text + String(repeating: " ", count: width - text.count) }
    let kept = width - 1
    return "\(text.prefix((kept + 1) / 2))…\(text.suffix(kept / 2))"
  }
}
