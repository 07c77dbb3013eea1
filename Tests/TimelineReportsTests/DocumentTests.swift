import NetworkConditions
import Pictures
import Testing
import TimelineReports

/// Whole documents, so that a change of any line, colour, place or number is seen.
struct DocumentTests {
  @Test func `pages, pictures and tables of fixed runs are those that somebody last looked at`() async throws {
    let ride = try await SampleNetworks.ride(12, packets: true)
    let documents: [(name: String, text: String, hash: String)] = [
      ("ride.html", TimelinePage(ride).text, "3d5c0122429b3c0"),
      ("ride.svg", TimelinePicture(try await SampleNetworks.ride(36)).text, "bfef3aee9710e026"),
      ("ride.json", TraceEventReport(ride).text, "6594541e893f73cb"),
      ("ride.csv", TransferCSVReport(ride).text, "2c5852a32986ea54"),
      ("ride.events.csv", EventCSVReport(ride).text, "b333f2a71208fce2"),
      ("ride.packets.csv", PacketCSVReport(ride).text, "bb74b8fe69a1fc78"),
      ("repeated.html", TimelinePage(try await SampleNetworks.repeated()).text, "7e64693257472173"),
    ]
    for document in documents {
      let change = try Picture.change(of: document.text, since: document.hash, document.name)
      #expect(change == nil)
    }
  }
}
