import NetworkConditions
import Testing
import URLLoading

/// `URLSession.shared` under a simulated network: one at a time, and undone at the end.
@Suite(.serialized) struct SharedSessionTests {
  @Test func `code that uses the shared session runs over the network while it is intercepted`() async throws {
    let network = SimulatedNetwork.immediate()
    network.stub("http://shared.example/", with: .text("simulated"))
    let classes = URLSession.shared.configuration.protocolClasses?.count
    let text = try await network.interceptingSharedSession {
      let result = await URLSession.shared.complete {
        $0.dataTask(with: url("http://shared.example/"), completionHandler: $1)
      }
      return String(decoding: result.data ?? Data(), as: UTF8.self)
    }
    #expect(text == "simulated")
    #expect(URLSession.shared.configuration.protocolClasses?.count == classes)
  }

  @Test func `a network that the shared session ran over goes when it has ended`() async throws {
    let stubs: WeakBox<StubTransport>
    do {
      let network = SimulatedNetwork.immediate()
      network.stub("http://shared.example/", with: .text("x"))
      _ = try await network.interceptingSharedSession {
        await URLSession.shared.complete { $0.dataTask(with: url("http://shared.example/"), completionHandler: $1) }
      }
      stubs = WeakBox(network.stubs)
      network.invalidate()
    }
    #expect(await stubs.isGone())
  }

  @Test func `a second interception is refused until the first has ended`() throws {
    let network = SimulatedNetwork.immediate()
    let first = try network.interceptSharedSession()
    #expect(throws: SharedSessionInterception.Failure.alreadyIntercepted) { try network.interceptSharedSession() }
    first.end()
    try network.interceptSharedSession().end()
  }
}
