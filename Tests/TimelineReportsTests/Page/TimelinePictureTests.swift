import HTMLPages
import Testing

@testable import NetworkConditions
@testable import TimelineReports

struct TimelinePictureTests {
  @Test func `the picture names the phases and shows the first transfers`() async throws {
    let timeline = try await SampleNetworks.ride(36)
    let picture = TimelinePicture(timeline).text
    #expect(Markup.isWellFormed(picture))
    #expect(picture.contains("<title id=\"title\">36 transfers under our train, "))
    for phase in ["open track", "portal", "tunnel"] { #expect(picture.contains(">\(phase)</text>"), "\(phase)") }
    #expect(picture.contains(">200 GET /photo/"))
    #expect(picture.contains(">and 6 more transfers</text>"))
    #expect(picture.contains(">failed or cancelled</text>") && picture.contains(">outage</text>"))
    #expect(picture.contains("prefers-color-scheme: dark") && !picture.contains("href"))
    #expect(TimelinePicture(timeline).text == picture)
  }

  @Test func `the picture of a network without requests is well-formed`() {
    let picture = TimelinePicture(SimulatedNetwork("3G").timeline).text
    #expect(Markup.isWellFormed(picture) && picture.contains(">0 transfers under 3G</text>"))
  }
}
