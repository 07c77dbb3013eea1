package func readFeed(_ network: SimulatedNetwork, _ variant: Variant = .fixed) async throws {
  FeedServer.answer(on: network)
  let client = FeedClient(
    base: ExampleServer.base, session: network.session, clock: network.clock, variant: variant)
  let items = try await client.refresh()
  guard items == FeedServer.items else { throw ExampleFailure("\(items.count) items, not as they were sent") }
}
