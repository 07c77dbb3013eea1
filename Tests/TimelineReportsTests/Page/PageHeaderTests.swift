import Testing

@testable import NetworkConditions
@testable import TimelineReports

struct PageHeaderTests {
  private func at(_ seconds: Int64) -> SimulatedInstant { SimulatedInstant(nanoseconds: seconds * 1_000_000_000) }

  private func timeline(_ outcomes: [Transfer.Outcome], droppedEvents: Int = 0) -> Timeline {
    let transfers = outcomes.enumerated().map { number, outcome in
      var transfer = Transfer(
        number: number, method: "GET", url: "http://a.example/x", occurrence: 1, profile: "p", started: at(7))
      (transfer.ended, transfer.outcome) = (at(9), outcome)
      (transfer.wire.up.packets, transfer.wire.down.packets) = (10, 20)
      (transfer.wire.up.lost, transfer.wire.down.lost) = (1, 2)
      return transfer
    }
    return Timeline(
      transfers: transfers, droppedTransfers: 0, events: [], droppedEvents: droppedEvents, seed: 0, profile: "p",
      conditions: [], packets: [], time: at(9))
  }

  @Test func `the head of a page counts losses of both directions and the time from the first start to the last end`() {
    let text = PageHeader(timeline: timeline([.finished]), origins: ["http://a.example"]).text
    #expect(text.contains("<dt>Packets lost</dt><dd>3 <small>of 30</small></dd>"), "\(text)")
    #expect(text.contains("<dt>Elapsed</dt><dd>2 s</dd>"), "\(text)")
  }

  @Test func `a page says that events were dropped only if some were`() {
    #expect(!TimelinePage(timeline([.finished])).text.contains("oldest events were dropped"))
    #expect(TimelinePage(timeline([.finished], droppedEvents: 2)).text.contains("2 of the oldest events were dropped"))
  }

  @Test func `a page has a filter for failures only if some transfers failed and others succeeded`() {
    let filter = "<label class=\"only\">"
    #expect(!TimelinePage(timeline([.finished, .finished])).text.contains(filter))
    #expect(!TimelinePage(timeline([.failed(.timedOut), .failed(.timedOut)])).text.contains(filter))
    #expect(TimelinePage(timeline([.finished, .failed(.timedOut)])).text.contains("only the 1 that failed"))
  }

  @Test func `conditions that never change are shaded only if the network is out`() {
    func shading(_ outage: PathConditions.Outage?) -> String {
      let conditions = PathConditions(outage: outage)
      return Bands.shading(
        [ConditionSpan(profile: "p", phase: "", start: 0, end: 4, conditions: conditions)],
        TimeScale(extent: 0...4), height: 10)
    }
    #expect(shading(nil).isEmpty && shading(.drop).contains("class=\"out\" d=\"M0 0h1000v10h-1000z\""))
  }

  @Test func `conditions that never change are named only if their phase has a name`() {
    func names(_ phase: String) -> String {
      Bands.names(
        [ConditionSpan(profile: "p", phase: phase, start: 0, end: 4, conditions: .unlimited)], TimeScale(extent: 0...4))
    }
    #expect(names("").isEmpty && names("tunnel").contains("<b>tunnel</b>"))
  }

  @Test func `the line of the limit is interrupted where the rate is unlimited`() {
    let limited = PathConditions(down: LinkConditions(rate: Bandwidth(bitsPerSecond: 100)), up: .unlimited)
    let spans = [limited, .unlimited, limited].enumerated().map { index, conditions in
      ConditionSpan(profile: "p", phase: "", start: Int64(index), end: Int64(index) + 1, conditions: conditions)
    }
    let drawing = RateStrip(timeline([.finished]), TimeScale(extent: 0...4), spans).drawing
    #expect(drawing.contains("class=\"limit\" d=\"M0 7.4H250M500 7.4H750\""), "\(drawing)")
  }

  @Test func `every second phase is shaded, beginning with the second`() {
    let spans = ["a", "b", "a", "c"].enumerated().map { index, name in
      ConditionSpan(profile: "p", phase: name, start: Int64(index), end: Int64(index) + 1, conditions: .unlimited)
    }
    let names = Bands.names(spans, TimeScale(extent: 0...4)).components(separatedBy: "<span").dropFirst()
    #expect(names.map { $0.contains("class=\"odd\"") } == [false, true, false, false])
  }
}
