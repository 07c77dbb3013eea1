import Foundation
import NetworkConditions
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The first test of README.md and of the page on getting started, with its imports, in a separate file.

@Test func `the feed loads over 3G`() async throws {
  let network = SimulatedNetwork("3G", seed: 42, pace: .immediate)
  network.stub("https://api.example.com/feed", with: .json(#"{"items": []}"#))
  let session = URLSession(configuration: network.sessionConfiguration)

  let request = URLRequest(url: URL(string: "https://api.example.com/feed")!)
  let (data, _) = try await session.data(for: request)

  #expect(data.count == 13)
  print(network.timeline)
}
