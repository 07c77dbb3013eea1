import NetworkConditions
import Testing
import TimelineReports
import URLLoading

/// The examples of the documentation, which must keep compiling.
struct ExampleTests {
  @Test func `a timeline can be written as page, trace and three CSV tables`() async throws {
    let feedURL = URL(string: "https://api.example.com/feed")!
    let network = SimulatedNetwork("tunnel", seed: 42, pace: .immediate)
    network.stub("https://api.example.com/feed", with: .bytes(count: 50_000))
    network.recordsPackets = true
    _ = try await network.data(for: URLRequest(url: feedURL))

    let page = TimelinePage(network.timeline).text
    let trace = TraceEventReport(network.timeline).text
    let transfers = network.timeline.transferCSV
    let events = network.timeline.eventCSV
    let packets = network.timeline.packetCSV
    #expect(packets.contains(",api.example.com,443,0,down,arrived,,"))
    for text in [page, trace, transfers, events] { #expect(text.contains("https://api.example.com")) }
  }
}
