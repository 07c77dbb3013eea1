import Internals
import NetworkConditions
import URLLoading

struct GetReport {
  let url: String
  let profile: String
  let seed: UInt64
  let speed: Double
  let result: TransferDelegate.Result
  let failure: Failure?
  let timeline: Timeline
  /// The profile's phases over time, from the network's beginning on.
  var schedule: ConditionSchedule?
  /// A sentence that says why the embedded server sent this number of bytes.
  var note: String?
  var saved: String?
  var traces: [String] = []
  var virtual: VirtualTime?

  struct VirtualTime {
    var elapsed = Duration.zero
    var real = Duration.zero
  }

  private var shownURL: String { timeline.redaction.url(url) }

  var hops: Hops? { Hops(timeline) }

  var status: Int? { result.response?.statusCode ?? hops?.last.status }

  var json: JSON {
    let hops = hops
    func since(_ time: SimulatedInstant?) -> JSON { JSON(seconds: hops?.since(time)) }
    let wire = hops?.transfers.wire ?? StreamStatistics()
    let headers = result.response.map { timeline.redaction.headers(of: $0) } ?? []
    return [
      "url": .string(shownURL), "final_url": JSON(hops?.last.shownURL),
      "profile": .string(profile), "seed": .integer(seed), "speed": .real(speed),
      "virtual": virtual == nil ? nil : .bool(true),
      "method": JSON(hops?.first.method), "status": status.map { .integer($0) } ?? .null,
      "bytes": .integer(result.bytes),
      // For a compressed body, the compressed bytes, if known.
      "bytes_on_wire": hops.map { $0.last.isSizeAssumed ? .null : .integer($0.last.bytesReceived) } ?? .null,
      "bytes_sent": .integer(hops?.transfers.bytesSent ?? 0),
      "resolve_s": since(hops?.first.resolved), "connect_s": since(hops?.first.connected),
      "secure_s": since(hops?.first.secured), "redirect_s": since(hops?.last.started),
      "first_byte_s": since(hops?.last.firstByte), "total_s": JSON(seconds: hops?.elapsed),
      "packets_down": .integer(wire.down.packets), "packets_up": .integer(wire.up.packets),
      "lost": .integer(wire.down.lost + wire.up.lost),
      "retransmissions": .integer(wire.down.retransmissions + wire.up.retransmissions),
      "redirects": .integer((hops?.transfers.count ?? 1) - 1), "hops": hops?.json ?? .array([]),
      "headers": .members(headers.map { ($0.name, .string($0.value)) }), "output": JSON(saved),
      "traces": .array(traces.map { .string($0) }),
      "error": JSON(failure?.sentence), "error_code": JSON(failure?.code),
    ]
  }

  /// The version of HTTP, if the client tried QUIC.
  private var carrier: String {
    guard let transfer = hops?.last, transfer.version == .http3 || transfer.fellBack != nil else { return "" }
    return ", \(transfer.carrier)"
  }

  func lines(width: Int, style: Style) -> [String] {
    var head = status.map { style(failure == nil ? .good : .bad, "\($0)") } ?? style(.bad, "no response")
    if failure?.code != nil, status != nil { head += style(.bad, ", incomplete") }
    head += "  \(style(.strong, shownURL.printable))"
    let pace = speed == 1 ? "" : ", time \(Amounts.digits(speed)) times as fast"
    var lines = [head, style(.faint, "profile \(profile.printable), seed \(seed)\(pace)\(carrier)"), ""]
    if let note { lines.insert(style(.faint, note), at: 2) }
    guard let hops else { return lines }
    if hops.transfers.count > 1 {
      let count = FigureText.count(hops.transfers.count - 1, "redirect")
      lines.insert("\(style(.faint, "after \(count) at")) \(hops.last.shownURL.printable)", at: 1)
    }
    let waterfall = Waterfall(hops: hops, schedule: schedule).lines(width: width, style: style)
    if !waterfall.isEmpty { lines += waterfall + [""] }
    lines.append(row("total", totals(hops), style))
    lines.append(row("down", Self.direction(hops.transfers.wire.down), style))
    lines.append(row("up", Self.direction(hops.transfers.wire.up), style))
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

  private func totals(_ hops: Hops) -> String {
    var text = "\(Amounts.time(hops.elapsed)), \(Amounts.bytes(hops.last.bytesReceived)) of body\(hops.last.coding)"
    if hops.transfers.bytesSent > 0 { text += " for \(Amounts.bytes(hops.transfers.bytesSent)) sent" }
    if let first = hops.last.firstByte, let end = hops.last.ended, end > first, hops.last.bytesReceived > 0 {
      let seconds = first.duration(to: end) / .seconds(1)
      text += ", \(FigureText.rate(Double(hops.last.bytesReceived) * 8 / seconds)) while it arrived"
    }
    let stalls = hops.transfers.reduce(0) { $0 + $1.stalls }
    if stalls > 0 { text += ", \(FigureText.count(stalls, "stall"))" }
    return text
  }

  private static func direction(_ counters: StreamStatistics.Counters) -> String {
    var text = "\(Amounts.bytes(counters.bytes)) on the wire, \(FigureText.count(counters.packets, "packet"))"
    if counters.lost > 0 || counters.retransmissions > 0 {
      text += ", \(counters.lost) lost, \(counters.retransmissions) sent again"
    }
    return text
  }
}
