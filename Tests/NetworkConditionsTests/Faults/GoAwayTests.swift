import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

struct GoAwayTests {
  /// Each way takes 50 ms, and nothing else takes time; the server sends GOAWAY at the payment.
  private static func run(
    _ repeats: PathConfiguration.Repeats, _ scheme: String = "https", body: Data? = nil
  ) async throws
    -> (outcome: String, after: Duration, paid: Int, timeline: Timeline, unusedFaults: [ScheduledFault])
  {
    let link = LinkConditions(delay: .milliseconds(50))
    var profile = NetworkProfile(name: "office", down: link, up: link)
    profile.configuration.repeats = repeats
    let schedule = FaultSchedule(profile, faults: [.request(.post, "/pay", .goAway)])
    let run = try await Simulation(replaying: schedule) { network in
      network.stub("/cart", with: .text("3 apples").after(.seconds(1)))
      let route = network.stub("/pay", with: .text("paid"))
      async let cart = network.session.data(from: url("\(scheme)://shop.example/cart")).0
      try await network.clock.sleep(for: .milliseconds(500))
      let start = network.clock.now
      var request = URLRequest(url: url("\(scheme)://shop.example/pay"), timeoutInterval: 20)
      (request.httpMethod, request.httpBody) = ("POST", body)
      let outcome: String
      do {
        outcome = String(decoding: try await network.session.data(for: request).0, as: UTF8.self)
      } catch let error as URLError {
        outcome = URLErrorNames.name(of: error.code)
      }
      let after = start.duration(to: network.clock.now)
      // The server still answers the request in progress.
      #expect(try await String(decoding: cart, as: UTF8.self) == "3 apples")
      return (outcome: outcome, after: after, paid: route.requests.count)
    }
    return (run.value.outcome, run.value.after, run.value.paid, run.timeline, run.unusedFaults)
  }

  @Test(arguments: [PathConfiguration.Repeats.idempotent, .bodiless])
  func `a payment that a GOAWAY refused is sent again once on another connection`(
    _ repeats: PathConfiguration.Repeats
  ) async throws {
    let payment = try await Self.run(repeats)
    #expect(payment.outcome == "paid" && payment.paid == 1)
    // One round trip until the client gets the GOAWAY, then one each for TCP, TLS and the request.
    #expect(payment.after == .milliseconds(400))
    #expect(payment.unusedFaults.isEmpty)
    #expect(payment.timeline.transfers.map(\.reusedConnection) == [false, true, false])
    #expect(payment.timeline.events.count { $0.kind == .repeated } == 1)
  }

  @Test func `a client without automatic retries sees a GOAWAY as a lost connection`() async throws {
    let payment = try await Self.run(.none)
    #expect(payment.outcome == "networkConnectionLost" && payment.paid == 0 && payment.after == .milliseconds(100))
  }

  @Test func `a request with a body is repeated after a GOAWAY only where the platform can`() async throws {
    let phone = try await Self.run(.idempotent, body: Data("4711".utf8))
    #expect(phone.outcome == "paid" && phone.paid == 1)
    let linux = try await Self.run(.bodiless, body: Data("4711".utf8))
    #expect(linux.outcome == "timedOut" && linux.paid == 0)
  }

  @Test func `a GOAWAY fault does not affect an HTTP/1 request`() async throws {
    let payment = try await Self.run(.idempotent, "http")
    #expect(payment.outcome == "paid" && payment.timeline.transfers.count == 2)
    #expect(payment.unusedFaults.count == 1)
  }
}
