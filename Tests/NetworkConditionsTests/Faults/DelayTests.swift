import NetworkConditions
import Testing
import URLLoading

struct DelayTests {
  @Test func `a body stream arrives whole when a fault delays its request`() async throws {
    let delay = ScheduledFault.request(.post, "/upload", .delay(.seconds(5)))
    let run = try await Simulation(replaying: FaultSchedule("wifi", faults: [delay])) { network in
      let route = network.stub(.post, "/upload", with: .status(201))
      var request = URLRequest(url: url("https://x.example/upload"))
      request.httpMethod = "POST"
      request.httpBodyStream = InputStream(data: Data(repeating: 7, count: 3_000))
      _ = try await network.data(for: request)
      return route.requests.map(\.bodyData)
    }
    #expect(run.value == [Data(repeating: 7, count: 3_000)] && run.timeline.transfers.map(\.bytesSent) == [3_000])
    #expect(run.elapsed > .seconds(5) && run.elapsed < .seconds(6))
  }
}
