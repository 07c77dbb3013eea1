import NetworkConditions
import Testing
import URLLoading

// The examples of the pages on repeating runs and on adding to the package, word for word.

struct EchoTransport: Transport {
  func respond(to request: TransportRequest, with reply: any TransportReply) {
    do {
      reply.answer(ResponseHead(headers: [HeaderField("X-Echo", "1")]), body: try request.body.load())
    } catch {
      reply.fail(URLError(.cannotOpenFile))
    }
  }
}

struct LoggingTransport: Transport {
  let wrapped: any Transport

  func respond(to request: TransportRequest, with reply: any TransportReply) {
    wrapped.respond(to: request, with: LoggingReply(wrapped: reply))
  }
}

struct LoggingReply: WrappingReply {
  let wrapped: any TransportReply

  func head(_ head: ResponseHead) {
    print("answered with \(head.status)")
    wrapped.head(head)
  }
}

struct RepeatingExamples {
  @Test func `a replayed schedule lists its faults that never happened`() async throws {
    let payment: URLRequest = {
      var request = URLRequest(url: url("https://api.example.com/pay"))
      request.httpMethod = "POST"
      return request
    }()
    let schedule = try FaultSchedule(
      "3G",
      faults: [
        .request(.post, "/pay", nth: 2, .reset(after: 1200)),
        .outage(from: .seconds(4), for: .seconds(12)),
      ])
    let run = try await Simulation(replaying: schedule) { network in
      network.stub("/pay", with: .status(201))
      return try await network.data(for: payment).1
    }
    #expect(run.unusedFaults == schedule.faults)

    let token = "\(ReplayToken(schedule))"
    let again = SimulatedNetwork(replaying: token, pace: .immediate)
    #expect(again.faultSchedule == schedule)
  }

  @Test func `a network that records faults has a fault schedule`() async throws {
    let feed = URLRequest(url: url("https://api.example.com/feed"))
    let network = SimulatedNetwork("flaky", seed: 7, pace: .immediate)
    network.recordFaults()
    network.stub("/feed", with: .bytes(count: 200_000))
    _ = try? await network.data(for: feed)
    if let schedule = network.faultSchedule { print(schedule) }
    #expect(network.faultSchedule?.faults.isEmpty == false)
  }

  @Test func `a transport that echoes the request body can be wrapped for logging`() async throws {
    let network = SimulatedNetwork("wifi", pace: .immediate, transport: LoggingTransport(wrapped: EchoTransport()))
    var request = URLRequest(url: url("https://api.example.com/"))
    request.httpMethod = "POST"
    let (data, _) = try await network.upload(for: request, from: Data("hello".utf8))
    #expect(data == Data("hello".utf8))
  }

  @Test func `reading a network from the environment does not throw when no variable is set`() throws {
    let session = try SimulatedNetwork.fromEnvironment()?.session ?? .shared
    #expect(session === URLSession.shared)
  }
}
