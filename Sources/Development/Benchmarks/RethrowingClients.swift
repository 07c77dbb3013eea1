import FailureSearch
import NetworkConditions
import PlantedClients

/// Clients that rethrow every error, with each kind of fault alone and some kinds together.
extension PlantedClient {
  static let rethrowing: [PlantedClient] = RethrowingClient.all.flatMap { client in
    let together: [Set<FaultKinds.Kind>?] = [nil, [.reset, .truncate], [.reset, .truncate, .stall]]
    return (FaultKinds.Kind.allCases.map { [$0] } + together).map { kinds in
      let names = kinds.map { $0.map(\.rawValue).sorted().joined(separator: " and ") } ?? "every kind"
      return PlantedClient("rethrows, \(client.name), \(names)", kinds: kinds) { network in
        for (path, answer) in RethrowingClient.answers { network.stub("/\(path)", with: .text(answer)) }
        network.stub(.post, "/note", with: .text("stored"))
        try await client.run(network.session, base: PlantedServer.plain, clock: network.clock)
      }
    }
  }
}
