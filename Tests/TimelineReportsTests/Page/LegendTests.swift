import LinkSimulator
import Testing

@testable import NetworkConditions
@testable import TimelineReports

struct LegendTests {
  private func legend(
    _ kinds: [NetworkEvent.Kind] = [], outcome: Transfer.Outcome = .finished, limit: Double? = nil,
    _ conditions: PathConditions = .unlimited
  ) -> Legend {
    var transfer = Transfer(
      number: 0, method: "GET", url: "http://a.example/x", occurrence: 1, profile: "p", started: .zero)
    (transfer.ended, transfer.outcome) = (.zero, outcome)
    let events = kinds.map { NetworkEvent(time: .zero, transfer: 0, kind: $0) }
    let timeline = Timeline(
      transfers: [transfer], droppedTransfers: 0, events: events, droppedEvents: 0, seed: 0, profile: "p",
      conditions: [], packets: [], time: .zero)
    let span = ConditionSpan(profile: "p", phase: "", start: 0, end: 1, conditions: conditions)
    return Legend(timeline: timeline, hiddenLimit: limit, spans: [span])
  }

  @Test func `the legend of transfers explains only marks that the page has`() {
    func added(_ legend: Legend) -> [String] {
      legend.rowEntries.map(\.text).filter { text in !TransferPhase.Kind.allCases.contains { $0.rawValue == text } }
    }
    #expect(added(legend()) == [])
    #expect(added(legend([.retransmitted(.up, .fast)])) == ["sent again (above)"])
    #expect(added(legend([.packetLost(.up, .link)])) == ["lost (below)"])
    #expect(added(legend([.stalled])) == ["retransmission timer ran out"])
    #expect(added(legend(outcome: .failed(.timedOut))) == ["failed or cancelled"])
    #expect(added(legend(outcome: .cancelled)) == ["failed or cancelled"])
  }

  @Test func `the legend of the rate chart explains its limit, outages and losses`() {
    func added(_ legend: Legend) -> [String] { legend.stripEntries.dropFirst().map(\.text) }
    let limited = PathConditions(down: LinkConditions(rate: .megabitsPerSecond(8)))
    #expect(added(legend()) == [])
    #expect(added(legend([], limited)) == ["what the link carries"])
    #expect(added(legend(limit: 8_000_000, limited)) == ["the link: up to 8 Mbit/s"])
    #expect(added(legend([], PathConditions(outage: .drop))) == ["what the link carries", "outage"])
    #expect(added(legend([.packetLost(.down, .link)])) == ["packet lost"])
  }
}
