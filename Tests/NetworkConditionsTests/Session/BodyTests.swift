import Foundation
import LinkSimulator
import NetworkConditions
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Bodies arrive to the byte, at every size, in both directions, whatever the link loses.
@Suite struct BodyTests {
  static let sizes: [Int64] = [
    0, 1, 2, 253, 254, 255, 1_193, 1_194, 1_195, 1_447, 1_448, 1_449, 2_896, 14_480, 14_481, 16_383, 16_384, 65_535,
    65_536, 99_999, 262_144, 1_048_575, 1_048_576, 1_048_577, 2_500_000, 5_000_000,
  ]

  private func network(_ profile: String) -> SimulatedNetwork {
    SimulatedNetwork(profile, seed: 3, pace: .immediate)
  }

  @Test(arguments: ["wifi", "lossy", "cafe wifi"])
  func `a body comes down to the byte`(_ profile: String) async throws {
    let network = network(profile)
    defer { network.invalidate() }
    for size in Self.sizes where profile == "wifi" || size <= 1_048_577 {
      network.stub("/body/\(size)", with: .bytes(count: size))
      for scheme in ["http", "https"] {
        let address = url("\(scheme)://bodies.example/body/\(size)")
        let (data, _) = try await network.session.data(for: URLRequest(url: address))
        #expect(data == GeneratedBody.bytes(in: 0..<size), "\(size) bytes over \(scheme) and \(profile)")
      }
    }
  }

  @Test(arguments: ["wifi", "lossy", "cafe wifi"])
  func `a body goes up to the byte`(_ profile: String) async throws {
    let network = network(profile)
    defer { network.invalidate() }
    let route = network.stub(.put, "/body", with: .status(204))
    for size in Self.sizes where profile == "wifi" || size <= 262_144 {
      var request = URLRequest(url: url("http://bodies.example/body"))
      request.httpMethod = "PUT"
      let body = GeneratedBody.bytes(in: 0..<size)
      _ = try await network.session.upload(for: request, from: body)
      #expect(route.requests.last?.bodyData == body, "\(size) bytes over \(profile)")
    }
  }
}
