package import ClientShapes
import Foundation
import NetworkConditions
package import URLLoading

extension ClientShape {
  /// Runs the client once over 3G, captured; returns its result, duration and trace hash, or the error.
  ///
  /// - Parameter session: the client's session; `nil` means the network's.
  package func simulatedCourse(
    seed: UInt64 = 1, in session: (@Sendable () -> URLSession)? = nil
  ) async -> String {
    guard let base = URL(string: "https://api.example.com") else { return "no base" }
    do {
      let simulation = try await Simulation("3G", seed: seed) { network in
        Self.stub(network)
        return try await run(
          ClientSurroundings(session: session?() ?? network.session, base: base, clock: network.clock))
      }
      return "\(simulation.value) after \(simulation.elapsed), \(simulation.traceHash)"
    } catch {
      return "\(error)"
    }
  }

  /// The server of all shapes.
  private static func stub(_ network: SimulatedNetwork) {
    for id in 0..<12 {
      let refusals = Array(repeating: StubResponse.status(503), count: id % 3)
      network.stub(
        "/items/\(id)",
        with: .sequence(
          refusals + [.bytes(count: Int64(1_500 + 700 * id)).after(.milliseconds(20 + 15 * (id % 4)))]))
    }
    network.stub("/token", with: .json(#"{"token": "t", "expires_in": 2.5}"#))
    network.stub("/work/*", with: .bytes(count: 800).after(.milliseconds(900)))
    network.stub("/slow", with: .bytes(count: 4_000).after(.seconds(8)))
    network.stub("/large", with: .bytes(count: 60_000))
    network.stub("/busy", with: .status(503).after(.milliseconds(100)))
    network.stub("/poll", with: .sequence([.status(202), .status(202), .status(202), .status(200)]))
    network.stub("/analytics", with: .status(204).after(.milliseconds(150)))
  }
}
