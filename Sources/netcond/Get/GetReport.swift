import Foundation
import LinkSimulator
import NetworkConditions

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What came of `netcond get`, as text and as JSON.
struct GetReport {
  let url: String
  let profile: String
  let seed: UInt64
  let speed: Double
  let result: TransferDelegate.Result
  let failure: Failure?
  let timeline: Timeline
  /// The file that was written.
  var saved: String?
  /// The files that what happened was written to.
  var traces: [String] = []
  /// How much time passed, of a transfer in virtual time.
  var virtual: VirtualTime?

  /// A stretch of the network's time, and how long it took to compute.
  struct VirtualTime {
    var elapsed = Duration.zero
    var real = Duration.zero
  }

  /// The transfer that gave the answer: of redirects, the last.
  var transfer: Transfer? { timeline.transfers.last }

  /// The status that the client got.
  var status: Int? { result.response?.statusCode ?? transfer?.status }

  /// The object of `--json`.
  var json: JSON {
    func since(_ time: SimulatedInstant?) -> JSON {
      JSON(seconds: time.flatMap { time in transfer.map { $0.started.duration(to: time) } })
    }
    let wire = transfer?.wire ?? StreamStatistics()
    let headers = result.response.map { Redaction.standard.headers(Secrets.headers(of: $0)) } ?? []
    var fields: [(String, JSON)] = [
      ("url", .string(url)), ("profile", .string(profile)), ("seed", .unsigned(seed)), ("speed", .number(speed)),
    ]
    if virtual != nil { fields.append(("virtual", .bool(true))) }
    fields += [
      ("method", JSON(transfer?.method)), ("status", status.map { .integer(Int64($0)) } ?? .null),
      ("bytes", .integer(result.bytes)), ("bytes_sent", .integer(transfer?.bytesSent ?? 0)),
      ("resolve_s", since(transfer?.resolved)), ("connect_s", since(transfer?.connected)),
      ("secure_s", since(transfer?.secured)), ("first_byte_s", since(transfer?.firstByte)),
      ("total_s", JSON(seconds: transfer?.elapsed)),
      ("packets_down", .integer(wire.down.packets)), ("packets_up", .integer(wire.up.packets)),
      ("lost", .integer(wire.down.lost + wire.up.lost)),
      ("retransmissions", .integer(transfer?.retransmissions ?? 0)),
      ("redirects", .integer(Int64(max(0, timeline.transfers.count - 1)))),
      ("headers", .object(headers.map { ($0.name, .string($0.value)) })), ("output", JSON(saved)),
      ("traces", .array(traces.map { .string($0) })),
      ("error", JSON(failure?.sentence)), ("error_code", JSON(failure?.code)),
    ]
    return .object(fields)
  }

  /// The summary for people.
  func lines(width: Int, style: Style) -> [String] {
    var head = status.map { style(failure == nil ? .good : .bad, "\($0)") } ?? style(.bad, "no response")
    if failure?.code != nil, status != nil { head += style(.bad, ", incomplete") }
    head += "  \(style(.strong, url.printable))"
    let pace = speed == 1 ? "" : ", time \(Amounts.digits(speed)) times as fast"
    var lines = [head, style(.faint, "profile \(profile.printable), seed \(seed)\(pace)"), ""]
    guard let transfer else { return lines }
    if timeline.transfers.count > 1 {
      let count = Amounts.count(Int64(timeline.transfers.count - 1), "redirect")
      lines.insert(style(.faint, "after \(count), of which the last is shown"), at: 2)
    }
    let waterfall = Waterfall(transfer: transfer).lines(width: width, style: style)
    if !waterfall.isEmpty { lines += waterfall + [""] }
    lines.append(row("total", totals(transfer), style))
    lines.append(row("down", Self.direction(transfer.wire.down), style))
    lines.append(row("up", Self.direction(transfer.wire.up), style))
    if let saved { lines.append(row("saved", saved.printable, style)) }
    for trace in traces { lines.append(row("trace", trace.printable, style)) }
    if let virtual {
      let times = "\(Amounts.time(virtual.elapsed)) passed in \(Amounts.time(virtual.real)) of real time"
      lines.append(row("virtual", times, style))
    }
    return lines
  }

  private func row(_ name: String, _ text: String, _ style: Style) -> String {
    "\(style(.faint, name.padded(to: Waterfall.label))) \(text)"
  }

  private func totals(_ transfer: Transfer) -> String {
    var text = "\(Amounts.time(transfer.elapsed)), \(Amounts.bytes(result.bytes)) of body"
    if transfer.bytesSent > 0 { text += " for \(Amounts.bytes(transfer.bytesSent)) sent" }
    if let first = transfer.firstByte, let end = transfer.ended, end > first, result.bytes > 0 {
      let seconds = first.duration(to: end) / .seconds(1)
      text += ", \(Amounts.rate(Double(result.bytes) * 8 / seconds)) on average while it came"
    }
    if transfer.stalls > 0 { text += ", \(Amounts.count(Int64(transfer.stalls), "stall"))" }
    return text
  }

  private static func direction(_ counters: StreamStatistics.Counters) -> String {
    var text = "\(Amounts.bytes(counters.bytes)) on the wire, \(Amounts.count(counters.packets, "packet"))"
    if counters.lost > 0 || counters.retransmissions > 0 {
      text += ", \(counters.lost) lost, \(counters.retransmissions) sent again"
    }
    return text
  }
}
