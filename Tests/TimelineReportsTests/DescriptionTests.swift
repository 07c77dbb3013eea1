import NetworkConditions
import Testing
import TimelineReports
import URLLoading

@Suite struct DescriptionTests {
  @Test func `a printed report is its first lines, and a page its size`() async throws {
    let run = try await Simulation("wifi") { network in
      network.stub("/a", with: .text("x"))
      for _ in 0..<60 { _ = try await network.data(for: URLRequest(url: URL(string: "https://a.example/a")!)) }
    }
    let timeline = run.timeline
    for text in ["\(TimelinePage(timeline))", "\(TimelinePicture(timeline))", "\(TraceEventReport(timeline))"] {
      #expect(text.hasPrefix("a ") && text.hasSuffix(" kB, to be written to a file"), "\(text)")
    }
    let table = "\(TransferCSVReport(timeline))".split(separator: "\n")
    #expect(table.count == 40 && table[0].hasPrefix("number,client,") && table[39].hasSuffix(" more lines"))
    #expect("\(EventCSVReport(timeline))".split(separator: "\n").count == 40)
    #expect("\(PacketCSVReport(timeline))".split(separator: "\n").count <= 40)
    let printed = "\(run)".split(separator: "\n")
    #expect(printed.count == 41 && printed[0].hasPrefix("returned after ") && printed[40] == "and 21 more transfers")
    #expect("\(timeline.transfers[0])" == timeline.transfers[0].summary)
  }
}
