import NetworkConditions
import Pictures
import Testing
import TimelineReports

/// Whole documents, so that the test notices a change of any line, colour, place or number.
struct DocumentTests {
  @Test func `pages, pictures and tables of fixed runs equal the last reviewed ones`() async throws {
    let ride = try await SampleNetworks.ride(12, packets: true)
    let changes = try Picture.changes(
      of: ("ride.html", TimelinePage(ride).text, "045675813f895b47"),
      ("ride.svg", TimelinePicture(try await SampleNetworks.ride(36)).text, "3461496ab1ace092"),
      ("ride.json", TraceEventReport(ride).text, "47575bf0c52949b5"),
      ("ride.csv", ride.transferCSV, "0d25663c861e102c"),
      ("ride.events.csv", ride.eventCSV, "8a4233e3a545b406"),
      ("ride.packets.csv", ride.packetCSV, "2952d04d7e3fffe8"),
      ("repeated.html", TimelinePage(try await SampleNetworks.repeated()).text, "b14286ec4e753958"))
    #expect(changes == [])
  }
}
