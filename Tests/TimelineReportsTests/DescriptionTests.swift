import NetworkConditions
import Testing
import TimelineReports
import URLLoading

struct DescriptionTests {
  /// How many rows these lines take on a terminal of 100 columns.
  private static func height(_ lines: [Substring]) -> Int { lines.reduce(0) { $0 + ($1.count + 99) / 100 } }

  @Test func `a printed page shows its size, and a printed run its first lines`() async throws {
    let run = try await Simulation("wifi") { network in
      network.stub("/a", with: .text("x"))
      for _ in 0..<60 { _ = try await network.data(for: URLRequest(url: URL(string: "https://a.example/a")!)) }
    }
    let timeline = run.timeline
    for text in ["\(TimelinePage(timeline))", "\(TimelinePicture(timeline))", "\(TraceEventReport(timeline))"] {
      #expect(text.hasPrefix("a ") && text.hasSuffix(" kB, to be written to a file"), "\(text)")
    }
    let printed = "\(run)".split(separator: "\n")
    #expect(printed[0].hasPrefix("returned after ") && printed.last == "and \(62 - printed.count) more transfers")
    #expect((39...41).contains(Self.height(printed)))
    #expect("\(timeline.transfers[0])" == timeline.transfers[0].summary)
  }
}
