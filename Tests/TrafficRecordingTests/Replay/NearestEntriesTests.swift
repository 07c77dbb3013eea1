import Foundation
import Testing
import TrafficRecording

@Suite struct NearestEntriesTests {
  @Test func `of long URLs the one with the nearest end is named first`() async throws {
    let path = "http://x.example/" + String(repeating: "a", count: 150)
    let transport = try RecordedTransport(Samples.archive([("GET \(path)/photos", ""), ("GET \(path)/item8", "")]))
    await #expect(
      performing: { try await transport.ask("GET", "\(path)/item7") },
      throws: { $0.localizedDescription.contains("nearest of its 2 requests: GET \(path)/item8, GET \(path)/photos") })
  }
}
