import Foundation
import Testing
import TrafficRecording

struct NearestEntriesTests {
  @Test func `for a long URL the error names the three entries with the most similar ends`() async throws {
    let path = "http://x.example/" + String(repeating: "a", count: 150)
    let entries = ["photos", "item8", "places", "item70"].map { ("GET \(path)/\($0)", "") }
    let transport = try RecordedTransport(Samples.archive(entries))
    await #expect(
      performing: { try await transport.ask("GET", "\(path)/item7") },
      throws: {
        let text = $0.localizedDescription
        return text.contains("nearest of its 4 requests: GET \(path)/item8, GET \(path)/item70, GET \(path)/p")
          && text.contains("photos") != text.contains("places")
      })
  }

  @Test func `a recording of one request is counted in the singular`() async throws {
    let transport = try RecordedTransport(Samples.archive([("GET http://x.example/a", "")]))
    await #expect(
      performing: { try await transport.ask("GET", "http://x.example/b") },
      throws: { $0.localizedDescription.contains("nearest of its 1 request: GET http://x.example/a") })
  }

  @Test(arguments: [
    ("http://x.example/a?b=2", "; only the query differs, which ignoringQueryItems(_:) or ignoringQuery() ignores."),
    ("http://y.example/a?b=1", "; only the host differs, which ignoringOrigin() ignores."),
    ("http://y.example/a?b=2", "GET http://x.example/a?b=1."),
    ("http://x.example/c?b=1", "GET http://x.example/a?b=1."),
  ])
  func `the error says which one part of the URL differs`(url: String, end: String) async throws {
    let transport = try RecordedTransport(Samples.archive([("GET http://x.example/a?b=1", "")]))
    await #expect(
      performing: { try await transport.ask("GET", url) },
      throws: { $0.localizedDescription.contains(end) && (end.contains("only") || !"\($0)".contains("only")) })
  }
}
