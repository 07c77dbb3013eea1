import HTMLPages
import Internals
import NetworkConditions

/// One transfer of the waterfall: its name, its phases as bars, what happened to its packets, and how long it took.
struct WaterfallRow {
  let transfer: Transfer
  let url: URLPlace
  let events: [NetworkEvent]
  let scale: TimeScale
  let now: SimulatedInstant
  /// Whether all transfers go to one server, whose name is then left out of the rows.
  let hasOneOrigin: Bool
  let stretches: Int
  let eventLimit: Int
  let packets: [PacketRecord]
  let isOpen: Bool

  /// How many characters of a name are shown; the details have the whole name.
  private static let longestName = 160

  var text: String {
    """
    <details\(isOpen ? " open" : "") class="t\(transfer.isFailure ? " bad" : "")"><summary>\(label)\
    <svg viewBox="0 0 1000 20" preserveAspectRatio="none">\(bars)\(marks)</svg>\
    <span class="d">\(duration)</span></summary>\(details)</details>
    """
  }

  private var label: String {
    let name = place.count > Self.longestName ? "\(place.prefix(Self.longestName))…" : place
    var text = "<span class=\"l\"><i>\(transfer.number)</i><b>\(status)</b><span>"
    if !transfer.errorName.isEmpty { text += "<em>\(Markup.escaped(transfer.errorName))</em> " }
    if transfer.outcome == .cancelled { text += "<em>cancelled</em> " }
    if let repetition = transfer.repetition {
      text += "<em title=\"\(Markup.escaped(repetition.words))\">again</em> "
    }
    if let fault { text += "<em title=\"\(Markup.escaped(fault))\">fault</em> " }
    return text + "\(Markup.escaped(transfer.method)) \(Markup.escaped(name))</span></span>"
  }

  /// The path of the URL, after the host if there are several.
  var place: String { hasOneOrigin ? url.path : "\(url.origin.drop { $0 != ":" }.dropFirst(3))\(url.path)" }

  var status: String {
    transfer.status.map { "\($0)" } ?? (transfer.outcome == .running ? "…" : "–")
  }

  private var fault: String? {
    for event in events { if case .fault(let text) = event.kind { return text } }
    return nil
  }

  var end: Int64 { transfer.end(at: now) }

  var time: String { DecimalText.seconds(end - transfer.started.nanoseconds) }

  private var duration: String {
    transfer.outcome == .running ? "<em>running</em>" : time
  }

  // MARK: Bars

  var bars: String {
    transfer.phases(until: now).map(bar).joined()
  }

  private func bar(_ phase: TransferPhase) -> String {
    let (begin, end) = (phase.start.nanoseconds, phase.end.nanoseconds)
    let (from, to) = (scale.place(begin), scale.place(end))
    let area = phase.kind == .receiving ? arrival(from, to, begin...max(begin, end)) : ""
    let role = area.isEmpty ? Self.role(phase.kind) : "v"
    let (y, height) = phase.kind == .waiting ? (8, 4) : (5, 10)
    let note =
      "\(phase.kind.rawValue) \(FigureText.time(nanoseconds: end - begin)), from \(FigureText.time(nanoseconds: begin))"
    // Even the shortest bar is visible.
    let width = Markup.point(max(1, to - from))
    return
      "<rect class=\"\(role)\" x=\"\(Markup.point(min(from, 999)))\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\">"
      + "<title>\(note)</title></rect>\(area)"
  }

  /// Draws the arrival rate of the body within the bar of the receiving phase; gaps show times without bytes.
  private func arrival(_ from: Double, _ to: Double, _ extent: ClosedRange<Int64>) -> String {
    let count = min(stretches, Int((to - from) / 3))
    guard count >= 4, extent.upperBound > extent.lowerBound, transfer.bytesReceived > 0 else { return "" }
    let bytes = Arrivals(CollectionOfOne(transfer), in: extent, count: count, until: now).bytes
    guard let most = bytes.max(), most > 0 else { return "" }
    let step = (to - from) / Double(count)
    var path = "M\(Markup.point(from)) 15"
    var last = 15
    for (index, value) in bytes.enumerated() {
      let y = 15 - Int((value / most * 10).rounded(.up))
      if y != last { path += "H\(Markup.point(from + Double(index) * step))V\(y)" }
      last = y
    }
    if last != 15 { path += "H\(Markup.point(to))V15" }
    return Markup.drawing("a", "\(path)z")
  }

  static func role(_ kind: TransferPhase.Kind) -> String {
    switch kind {
    case .resolving: "r"
    case .connecting: "c"
    case .securing: "s"
    case .sending: "u"
    case .waiting: "w"
    case .receiving: "a"
    }
  }

  var marks: String {
    var (losses, repetitions, stalls): ([Int64], [Int64], [Int64]) = ([], [], [])
    for event in events {
      switch event.kind {
      case .packetLost: losses.append(event.time.nanoseconds)
      case .retransmitted: repetitions.append(event.time.nanoseconds)
      case .stalled: stalls.append(event.time.nanoseconds)
      default: break
      }
    }
    let failure = transfer.errorName.isEmpty && transfer.outcome != .cancelled ? [] : [end]
    return scale.marks("k", losses, from: 16, to: 20) + scale.marks("g", repetitions, from: 0, to: 4)
      + scale.marks("z", stalls, from: 0, to: 20) + scale.marks("x", failure, from: 2, to: 18)
  }
}
