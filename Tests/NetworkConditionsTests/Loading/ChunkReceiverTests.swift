import NetworkConditions
import Testing
import URLLoading

struct ChunkReceiverTests {
  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `a reader who stops after the first piece cancels the request`() async throws {
    let run = try await Simulation("3G", seed: 1) { network in
      let feed = network.stub("/feed", with: .bytes(count: 1_000_000))
      let count = try await Self.firstPiece(of: url("https://api.example.com/feed"), in: network.session)
      await feed.waitUntilCancelled()
      return count
    }
    #expect(run.value > 0)
    #expect(run.timeline.transfers.map(\.outcome) == [.cancelled])
  }

  private static func firstPiece(of url: URL, in session: URLSession) async throws -> Int {
    for try await piece in try await session.chunks(for: URLRequest(url: url)).0 { return piece.count }
    return 0
  }
}
