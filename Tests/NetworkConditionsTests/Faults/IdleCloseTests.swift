import LinkSimulator
import Testing

@testable import NetworkConditions
import URLLoading

struct IdleCloseTests {
  /// Each way takes 50 ms, and nothing else takes time.
  private static let office = {
    let link = LinkConditions(delay: .milliseconds(50))
    var profile = NetworkProfile(name: "office", down: link, up: link)
    profile.configuration.repeats = .none
    return profile
  }()
  private static let fault = ScheduledFault.request(.get, "/cart", .idleClose(after: .seconds(5)))

  /// Reads a cart and pays after a pause; returns the outcome, and the number of payments at the server.
  private static func pay(after pause: Duration, _ network: SimulatedNetwork) async throws -> (String, paid: Int) {
    network.stub("/cart", with: .text("3 apples"))
    let route = network.stub("/pay", with: .text("paid"))
    _ = try await network.data(for: URLRequest(url: url("https://shop.example/cart")))
    try await network.clock.sleep(for: pause)
    var request = URLRequest(url: url("https://shop.example/pay"))
    request.httpMethod = "POST"
    do {
      _ = try await network.data(for: request)
      return ("paid", route.requests.count)
    } catch let error as URLError {
      return (error.code == .networkConnectionLost ? "lost" : "\(error)", route.requests.count)
    }
  }

  @Test(arguments: [
    (4_949, "paid", 1), (4_951, "lost", 0), (5_000, "lost", 0), (5_049, "lost", 0), (5_051, "paid", 1),
  ])
  func `only a payment sent while the server closes the idle connection is lost`(
    milliseconds: Int, end: String, paid: Int
  ) async throws {
    let schedule = FaultSchedule(Self.office, faults: [Self.fault])
    let run = try await Simulation(replaying: schedule) { network in
      try await Self.pay(after: .milliseconds(milliseconds), network)
    }
    #expect(run.value == (end, paid))
    #expect(run.unusedFaults == [])
    #expect(run.timeline.transfers.map(\.reusedConnection) == [false, milliseconds < 5_050])
  }

  @Test func `an idle close is shown in the timeline and survives in schedules and tokens`() async throws {
    let schedule = FaultSchedule(Self.office, faults: [Self.fault])
    let run = try await Simulation(replaying: schedule) { network in
      try await Self.pay(after: .seconds(5), network).0
    }
    #expect("\(Self.fault)" == "the 1st GET /cart: connection closed once idle for 5 s")
    #expect(run.timeline.events.count { $0.kind == .fault("connection closed once idle for 5 s") } == 1)
    #expect(schedule.formatText.contains(#""idleClose": { "after": "5 s" }"#))
    #expect(try FaultSchedule(json: Data(schedule.formatText.utf8)) == schedule)
    #expect(try ReplayToken("\(ReplayToken(schedule))") == ReplayToken(schedule))
  }

  /// A keep-alive time of a second, and a client that sends a request about every second.
  @Test func `idle closes that a profile drew happen again in a replay`() async throws {
    var profile = Self.office.changing { $0.down.jitter = Jitter(.normal, spread: .milliseconds(5)) }
    profile.faults = [FaultRule(.idleClose(after: .seconds(1)), probability: .percent(50))]
    let client: @Sendable (SimulatedNetwork) async throws -> [Bool] = { network in
      network.stub("/*", with: .text("ok"))
      var answers: [Bool] = []
      for number in 0..<40 {
        answers.append((try? await network.data(for: URLRequest(url: url("http://a.example/\(number)")))) != nil)
        try await network.clock.sleep(for: .milliseconds(940 + 5 * number))
      }
      return answers
    }
    let run = try await EndedRun(profile, seed: 4, faults: .recorded, client)
    let schedule = try #require(run.faults)
    let answers = try run.result.get()
    #expect(answers.contains(false) && answers.contains(true))
    let again = try await EndedRun(profile, seed: 4, faults: .replayed(schedule), client)
    #expect(try again.result.get() == answers)
    #expect(again.timeline.events.map(\.description) == run.timeline.events.map(\.description))
    #expect(again.unusedFaults == [])
  }

  @Test func `shrinking an idle close makes it later or rounder`() throws {
    #expect(
      RequestFault.idleClose(after: .milliseconds(2_340)).weaker
        == [.idleClose(after: .seconds(30)), .idleClose(after: .seconds(5))])
    #expect(RequestFault.idleClose(after: .seconds(30)).weaker == [])
    #expect(
      RequestFault.idleClose(after: .milliseconds(2_340)).rounder
        == [.idleClose(after: .seconds(2)), .idleClose(after: .milliseconds(2_300))])
    let json = #"{ "name": "p", "faults": [{ "idleClose": { "for": "5 s" } }] }"#
    let error = #expect(throws: ProfileError.self) { try NetworkProfile(json: Data(json.utf8)) }
    #expect(
      error?.sentence == #"profile: faults[0].idleClose.for: unknown key; an idle close has the keys "after""#)
  }
}
