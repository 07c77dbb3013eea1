import HTMLPages
import Internals
import NetworkConditions

struct Legend {
  let timeline: Timeline
  /// The link's rate in bits per second, if it is too high to be drawn in the chart.
  let hiddenLimit: Double?
  let spans: [ConditionSpan]

  typealias Entry = (sample: String, text: String)

  var rows: String { Self.list(rowEntries, "legend") }

  var strip: String { Self.list(stripEntries, "legend side") }

  var rowEntries: [Entry] {
    var entries = TransferPhase.Kind.allCases.map { (Self.sample(of: $0), $0.rawValue) }
    var (hasRepetition, hasStall) = (false, false)
    for event in timeline.events {
      switch event.kind {
      case .retransmitted: hasRepetition = true
      case .stalled: hasStall = true
      default: break
      }
    }
    if hasRepetition { entries.append(("<path class=\"g\" d=\"M6 0v9M12 0v9M22 0v9\"/>", "sent again (above)")) }
    if hasLoss { entries.append(("<path class=\"k\" d=\"M6 11v9M12 11v9M22 11v9\"/>", "lost (below)")) }
    if hasStall { entries.append(("<path class=\"z\" d=\"M15 0v20\"/>", "retransmission timer ran out")) }
    if timeline.transfers.contains(where: { !$0.errorName.isEmpty || $0.outcome == .cancelled }) {
      entries.append(("<path class=\"x\" d=\"M15 2v16\"/>", "failed or cancelled"))
    }
    return entries
  }

  var stripEntries: [Entry] {
    var entries = [("<rect class=\"arrived\" width=\"30\" height=\"20\"/>", "arriving, all transfers")]
    if let hiddenLimit {
      entries.append(("<path class=\"limit\" d=\"M0 3H30\"/>", "the link: up to \(FigureText.rate(hiddenLimit))"))
    } else if spans.contains(where: { $0.rate != nil }) {
      entries.append(("<path class=\"limit\" d=\"M0 10H30\"/>", "what the link carries"))
    }
    if spans.contains(where: { $0.conditions.outage != nil }) {
      entries.append(("<rect class=\"out\" width=\"30\" height=\"20\"/>", "outage"))
    }
    if hasLoss { entries.append(("<path class=\"k\" d=\"M6 11v9M12 11v9M22 11v9\"/>", "packet lost")) }
    return entries
  }

  private var hasLoss: Bool {
    timeline.events.contains { if case .packetLost = $0.kind { true } else { false } }
  }

  static func list(_ entries: [Entry], _ role: String) -> String {
    let items = entries.map { "<li>\(sample($0.sample))\($0.text)</li>" }
    return "<ul class=\"\(role)\">\(items.joined())</ul>"
  }

  private static func sample(of kind: TransferPhase.Kind) -> String {
    switch kind {
    case .resolving, .connecting, .securing, .sending:
      "<rect class=\"\(WaterfallRow.role(kind))\" y=\"3\" width=\"30\" height=\"14\"/>"
    case .waiting: "<rect class=\"w\" y=\"7\" width=\"30\" height=\"6\"/>"
    case .receiving:
      "<rect class=\"v\" y=\"3\" width=\"30\" height=\"14\"/><path class=\"a\" d=\"M0 17V8H9V4H19V17H22V9H30V17z\"/>"
    }
  }

  private static func sample(_ drawing: String) -> String {
    "<svg viewBox=\"0 0 30 20\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\(drawing)</svg>"
  }
}
