import Internals
import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

/// Sessions and tasks that a client keeps after its network has ended.
struct SessionRegistryTests {
  let feed = url("https://api.example.com/feed")

  @Test func `tasks of every session fail as cancelled after their network was invalidated`() async {
    let network = SimulatedNetwork.immediate()
    network.stub("/feed", with: .text("x"))
    let sessions = [network.session, URLSession(configuration: network.sessionConfiguration)]
    #expect(await sessions[0].complete { $0.dataTask(with: feed, completionHandler: $1) }.error == nil)
    network.invalidate()
    // Sessions made before and sessions made now.
    for session in sessions + [network.session, URLSession(configuration: network.sessionConfiguration)] {
      let late = await session.complete { $0.dataTask(with: feed, completionHandler: $1) }
      #expect(late.code == .cancelled)
      #expect((late.error as? URLError)?.localizedDescription.contains("invalidated") == true)
    }
    #expect(network.session === sessions[0])
    let error = await #expect(throws: URLError.self) { try await network.data(from: feed) }
    #expect(error?.code == .cancelled)
  }

  // iOS, tvOS, watchOS and visionOS start no process for a test.
  #if os(macOS) || os(Linux)
    @Test func `an unused network with stubs prints a warning when it ends`() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        func network() -> SimulatedNetwork {
          let network = SimulatedNetwork("3G", pace: .immediate)
          network.stub("/feed", with: .text("x"))
          return network
        }
        _ = SimulatedNetwork("3G", pace: .immediate)
        _ = network().sessionConfiguration
        _ = try await network().data(from: URL(string: "https://api.example.com/feed")!)
        try network().interceptSharedSession().end()
        network().invalidate()
        network().simulate(in: .ephemeral)
        // An unusable network says something else.
        SimulatedNetwork("tunel", pace: .immediate).stub("/feed", with: .text("x"))
        network().stub("/more", with: .text("y"))
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.components(separatedBy: "\n").filter { $0.contains("unused-network") }.count == 1, "\(text)")
      #expect(text.contains("Nothing used a simulated network with 2 stubs: no session was made of it."))
    }
  #endif

  private final class OtherProtocol: URLProtocol {}

  @Test func `a network's URLProtocol class is added before a configuration's other protocol classes`() throws {
    let network = SimulatedNetwork.immediate()
    defer { network.invalidate() }
    let configuration = URLSessionConfiguration.default
    let others = [OtherProtocol.self] + (configuration.protocolClasses ?? [])
    configuration.protocolClasses = others
    network.simulate(in: configuration)
    let classes = try #require(configuration.protocolClasses).map { ObjectIdentifier($0) }
    #expect(classes.count == others.count + 1 && Array(classes.dropFirst()) == others.map { ObjectIdentifier($0) })
  }

  @Test func `a request after the end of its simulation fails as cancelled`() async throws {
    let run = try await Simulation("3G", seed: 1) { network in
      network.stub("/feed", with: .text("x"))
      _ = try await network.session.data(from: feed)
      return (network, network.session)
    }
    let late = await run.value.1.complete { $0.dataTask(with: feed, completionHandler: $1) }
    #expect(late.code == .cancelled)
    await #expect(throws: URLError.self) { try await run.value.0.data(from: feed) }
  }

  @Test func `an invalidated network releases its sessions`() async throws {
    let session: WeakReference<URLSession>
    let other: WeakReference<URLSession>
    do {
      let network = SimulatedNetwork.immediate()
      network.stub("/feed", with: .text("x"))
      session = WeakReference(network.session)
      let own = URLSession(configuration: network.sessionConfiguration)
      other = WeakReference(own)
      _ = try await network.session.data(from: feed)
      _ = try await own.data(from: feed)
      network.invalidate()
    }
    #expect(await session.isGone())
    #expect(await other.isGone())
  }
}

extension WeakReference {
  /// Waits until the object is released: other threads may still hold it for a moment.
  func isGone() async -> Bool { await eventually { object == nil } }
}

/// Polls for a condition without an event, such as work of threads after the end of a run or network.
func eventually(_ holds: () -> Bool) async -> Bool {
  for _ in 0..<5_000 where !holds() { try? await Task.sleep(for: .milliseconds(1)) }
  return holds()
}
