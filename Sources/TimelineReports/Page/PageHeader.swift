import HTMLPages
import Internals
import NetworkConditions

/// The header and footer of the page: what happened, in a sentence and in numbers.
struct PageHeader {
  let timeline: Timeline
  let origins: Set<String>

  var title: String {
    let count = FigureText.count(timeline.transfers.count, "transfer")
    let failed = failures == 0 ? "" : ", \(failures) failed"
    return "\(count) under \(timeline.profile)\(failed)"
  }

  private var failures: Int { timeline.transfers.count { $0.isFailure } }

  var text: String {
    let server = origins.count == 1 ? origins.first ?? "" : "\(origins.count) servers"
    return """
      <header>
      <p class="kind">Network timeline</p>
      <h1>\(Markup.escaped(title))</h1>
      <p class="what">\(Markup.escaped(origins.isEmpty ? "" : server))</p>
      <dl class="facts">\(facts.map(Self.fact).joined())</dl>
      </header>
      """
  }

  private var facts: [(name: String, value: String, note: String, isBad: Bool)] {
    let transfers = timeline.transfers
    let wire = transfers.map(\.wire)
    let lost = wire.reduce(0) { $0 + $1.up.lost + $1.down.lost }
    let packets = wire.reduce(0) { $0 + $1.up.packets + $1.down.packets }
    let again = transfers.reduce(0) { $0 + $1.retransmissions }
    let down = transfers.reduce(0) { $0 + $1.bytesReceived }
    let up = transfers.reduce(0) { $0 + $1.bytesSent }
    let begin = transfers.map(\.started.nanoseconds).min() ?? 0
    let end = transfers.map { $0.end(at: timeline.time) }.max() ?? begin
    return [
      ("Profile", timeline.profile, "", false), ("Seed", "\(timeline.seed)", "", false),
      ("Transfers", "\(transfers.count)", "", false), ("Failed", "\(failures)", "", failures > 0),
      ("Elapsed", FigureText.time(nanoseconds: end - begin), "", false),
      ("Bodies", FigureText.bytes(Double(down)), up > 0 ? "down, \(FigureText.bytes(Double(up))) up" : "down", false),
      ("Packets lost", "\(lost)", "of \(packets)", false), ("Sent again", "\(again)", "segments", false),
    ]
  }

  private static func fact(_ fact: (name: String, value: String, note: String, isBad: Bool)) -> String {
    let note = fact.note.isEmpty ? "" : " <small>\(Markup.escaped(fact.note))</small>"
    let role = fact.isBad ? " class=\"worse\"" : ""
    return "<div\(role)><dt>\(fact.name)</dt><dd>\(Markup.escaped(fact.value))\(note)</dd></div>"
  }

  /// - Parameter exceedsLimit: whether data ever arrived faster than the link's rate.
  func footer(exceedsLimit: Bool) -> String {
    var sentences = ["Times are network time, in which the simulation ran."]
    if exceedsLimit {
      sentences.append("Where more arrived than the link carries, a lost or late packet had held data back.")
    }
    if timeline.droppedTransfers > 0 {
      let count = timeline.droppedTransfers
      sentences.append(
        "\(FigureText.count(count, "earlier transfer")) \(count == 1 ? "was" : "were") dropped to keep memory bounded.")
    }
    if timeline.droppedEvents > 0 {
      sentences.append(
        "\(timeline.droppedEvents) of the oldest events were dropped; marks of losses are missing there.")
    }
    return "<footer><p>\(sentences.joined(separator: " "))</p></footer>"
  }
}
