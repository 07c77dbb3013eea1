import NetworkConditions
import Testing
import TimelineReports
import URLLoading

struct DescriptionTests {
  /// How many rows these lines take on a terminal of 100 columns.
  private static func height(_ lines: [Substring]) -> Int { lines.reduce(0) { $0 + ($1.count + 99) / 100 } }

  @Test func `a printed CSV report shows its first lines and a printed page its size`() async throws {
    let run = try await Simulation("wifi") { network in
      network.stub("/a", with: .text("x"))
      for _ in 0..<60 { _ = try await network.data(for: URLRequest(url: URL(string: "https://a.example/a")!)) }
    }
    let timeline = run.timeline
    for text in ["\(TimelinePage(timeline))", "\(TimelinePicture(timeline))", "\(TraceEventReport(timeline))"] {
      #expect(text.hasPrefix("a ") && text.hasSuffix(" kB, to be written to a file"), "\(text)")
    }
    let table = "\(TransferCSVReport(timeline))".split(separator: "\n")
    #expect(table[0].hasPrefix("number,client,") && table.last?.hasSuffix(" more lines") == true)
    #expect((38...40).contains(Self.height(table)))
    #expect("\(EventCSVReport(timeline))".split(separator: "\n").count == 40)
    #expect("\(PacketCSVReport(timeline))".split(separator: "\n").count <= 40)
    let printed = "\(run)".split(separator: "\n")
    #expect(printed[0].hasPrefix("returned after ") && printed.last == "and \(62 - printed.count) more transfers")
    #expect((39...41).contains(Self.height(printed)))
    #expect("\(timeline.transfers[0])" == timeline.transfers[0].summary)
  }
}
