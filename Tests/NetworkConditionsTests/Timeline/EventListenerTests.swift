import LinkSimulator
import Testing

@testable import NetworkConditions

struct EventListenerTests {
  @Test func `a condition for advancing may read the network's time and timeline`() async throws {
    let simulation = try SteppedSimulation("3G", seed: 1)
    let network = simulation.network
    network.stub("/feed", with: .text("x"))
    let job = simulation.run { try await $0.data(from: url("https://api.example.com/feed")).0.count }
    let event = try await simulation.advance(
      until: .event { event in
        network.now > .zero && network.timeline.transfers.count == 1 && event.kind == .response(status: 200)
      })
    #expect(event?.time == network.now)
    #expect(try await job.value() == 1)
  }

  @Test func `events of parallel requests are delivered once and in timeline order`() async throws {
    let network = SimulatedNetwork.immediate()
    network.stub("/**", with: .text("x"))
    let before = network.timeline.events.count
    let events = network.events
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask { _ = try await network.data(from: url("https://api.example.com/\(number)")) }
      }
      try await group.waitForAll()
    }
    network.invalidate()
    var told: [NetworkEvent] = []
    for await event in events { told.append(event) }
    #expect(told == Array(network.timeline.events.dropFirst(before)))
    #expect(told.filter { $0.kind == .finished }.count == 50)
  }

  @Test func `a network's event stream ends when the network is invalidated`() async throws {
    let network = SimulatedNetwork.immediate()
    let listener = Task {
      for await _ in network.events {}
      return true
    }
    network.invalidate()
    #expect(await listener.value)
  }

  @Test func `only one thread at a time notifies a listener, and the end is notified once`() {
    var recorder = TimelineRecorder()
    let listener = EventListener { _ in }
    /// What a thread finds; `+` is an event, and `.` the end.
    func find(isFirst: Bool) -> String {
      switch recorder.news(for: listener, isFirst: isFirst) {
      case .event?: "+"
      case .end?: "."
      case nil: "nothing"
      }
    }
    recorder.add(listener)
    for _ in 0..<2 { recorder.record(.finished, at: .zero, transfer: 0) }
    // The second thread leaves both events to the first one, which finishes; then another may begin.
    #expect([true, true, false, true, false].map(find) == ["+", "nothing", "+", "nothing", "nothing"])
    recorder.record(.finished, at: .zero, transfer: 1)
    recorder.isOver = true
    #expect([true, true, false, true].map(find) == ["+", "nothing", ".", "nothing"])
    #expect(!recorder.hasListeners)
  }
}
