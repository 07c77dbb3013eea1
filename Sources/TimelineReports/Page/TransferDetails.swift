import HTMLPages
import NetworkConditions

/// Shows all details of a row's transfer when the row is opened.
extension WaterfallRow {
  /// How many characters of a URL are shown: a query may contain a whole body.
  private static let longestURL = 1_000

  var details: String {
    let shown = url.text.count > Self.longestURL ? "\(url.text.prefix(Self.longestURL))…" : url.text
    return """
      <div class="m"><p>\(Markup.escaped("\(transfer.method) \(shown)"))</p>\(phases)\(facts)\(list)\(PacketGraph(packets)?.text ?? "")</div>
      """
  }

  private var phases: String {
    var rows = transfer.phases(until: now).map { phase in
      let (from, to) = (phase.start.nanoseconds, phase.end.nanoseconds)
      return Self.row([phase.kind.rawValue, DecimalText.seconds(from), DecimalText.seconds(to - from)])
    }
    let total = end - transfer.started.nanoseconds
    rows.append(Self.row(["in all", DecimalText.seconds(transfer.started.nanoseconds), DecimalText.seconds(total)]))
    return "<table class=\"n\"><tr><th></th><td>from</td><td>took</td></tr>\(rows.joined())</table>"
  }

  private var facts: String {
    let outcome = [transfer.outcomeWord, transfer.errorName].filter { !$0.isEmpty }
    var facts = [("outcome", outcome.joined(separator: ", "))]
    facts.append(("protocol", transfer.carrier))
    if let repetition = transfer.repetition { facts.append(("again", repetition.words)) }
    if let client = transfer.client { facts.append(("client", "\(client)")) }
    if let connection = transfer.wire.connection {
      facts.append(("connection", "\(connection)\(transfer.reusedConnection ? ", reused" : "")"))
    }
    facts.append(("profile", transfer.profile))
    let expected = transfer.bytesExpected.flatMap { $0 == transfer.bytesReceived ? nil : " of \($0)" } ?? ""
    facts.append(
      ("body", "\(transfer.bytesReceived)\(expected) bytes down\(transfer.coding), \(transfer.bytesSent) up"))
    facts.append(("packets", "\(transfer.wire.down.packets) down, \(transfer.wire.up.packets) up"))
    let lost = (transfer.wire.down.lost, transfer.wire.up.lost)
    if lost != (0, 0) { facts.append(("lost", "\(lost.0) down, \(lost.1) up")) }
    if transfer.retransmissions > 0 { facts.append(("sent again", "\(transfer.retransmissions)")) }
    if transfer.stalls > 0 {
      facts.append(("timer ran out", transfer.stalls == 1 ? "once" : "\(transfer.stalls) times"))
    }
    return "<table>\(facts.map { Self.row([$0.0, $0.1]) }.joined())</table>"
  }

  private var list: String {
    let notable = events.filter { event in
      switch event.kind {
      case .packetLost, .retransmitted, .stalled, .fault, .redirected, .repeated, .waitingForConnectivity, .timedOut,
        .failed, .cancelled, .fellBack:
        true
      default: false
      }
    }
    guard !notable.isEmpty else { return "" }
    let lines = Self.lines(of: notable)
    var items = lines.prefix(eventLimit).map { line in
      let more = line.count > 1 ? ", \(line.count) times until \(DecimalText.seconds(line.last.nanoseconds))" : ""
      let text = Markup.escaped(line.text + more)
      return "<li><span>\(DecimalText.seconds(line.first.nanoseconds))</span><span>\(text)</span></li>"
    }
    if lines.count > eventLimit {
      items.append("<li><span></span><span>and \(lines.count - eventLimit) more</span></li>")
    }
    return "<ol>\(items.joined())</ol>"
  }

  private struct Line {
    let text: String
    let first: SimulatedInstant
    var last: SimulatedInstant
    var count = 1
  }

  /// One line for each event; equal packet events in a row share a line.
  private static func lines(of events: [NetworkEvent]) -> [Line] {
    var lines: [Line] = []
    var start = 0
    for event in events {
      let text = EventWords(event.kind).text
      let isOfPackets =
        switch event.kind {
        case .packetLost, .retransmitted, .stalled: true
        default: false
        }
      if isOfPackets, let known = lines[start...].firstIndex(where: { $0.text == text }) {
        lines[known].last = event.time
        lines[known].count += 1
        continue
      }
      lines.append(Line(text: text, first: event.time, last: event.time))
      if !isOfPackets { start = lines.count }
    }
    return lines
  }

  private static func row(_ cells: [String]) -> String {
    let rest = cells.dropFirst().map { "<td>\(Markup.escaped($0))</td>" }
    return "<tr><th>\(Markup.escaped(cells[0]))</th>\(rest.joined())</tr>"
  }
}
