import NetworkConditions
import Testing
import URLLoading

struct ResetTests {
  private func pay(_ fault: RequestFault) async throws -> (error: URLError.Code?, payments: Int) {
    let schedule = try FaultSchedule("3G", faults: [.request(.post, "/pay", nth: 1, fault)])
    return try await Simulation(replaying: schedule) { network in
      let payments = network.stub(.post, "/pay", with: .status(201))
      var request = URLRequest(url: URL(string: "https://shop.example.com/pay")!)
      request.httpMethod = "POST"
      request.httpBody = Data(count: 30)
      do {
        _ = try await network.session.data(for: request)
        return (nil, payments.callCount)
      } catch let error as URLError {
        return (error.code, payments.callCount)
      }
    }.value
  }

  @Test func `a payment that is reset before the server has it whole is not made`() async throws {
    for bytes in [0, 1, 40] as [Int64] {
      #expect(try await pay(.reset(after: .bytes(bytes), direction: .up)) == (.networkConnectionLost, 0))
    }
    #expect(try await pay(.reset(after: .zero)) == (.networkConnectionLost, 1))
  }

  @Test func `a fault beyond the end of a message is reported as unused`() async throws {
    let faults: [ScheduledFault] = [
      .request(.get, "/a", .reset(after: .bytes(100_000), direction: .up)),
      .request(.get, "/a", .stall(after: .bytes(100_000))), .request(.get, "/a", .corrupt(at: .bytes(5))),
    ]
    let run = try await Simulation(replaying: try FaultSchedule("3G", faults: faults)) { network in
      network.stub("/a", with: .text("12345"))
      return try await network.session.data(from: URL(string: "https://api.example.com/a")!).0
    }
    #expect(run.value == Data("12345".utf8))
    #expect(run.unusedFaults == faults)
    #expect(!run.timeline.events.contains { if case .fault = $0.kind { true } else { false } })
  }

  @Test func `the request after a reset opens a new connection`() async throws {
    let schedule = try FaultSchedule("3G", faults: [.request(.get, "/a", nth: 1, .reset(after: .zero))])
    let run = try await Simulation(replaying: schedule) { network in
      network.stub("/a", with: .status(200))
      for _ in 0..<2 { _ = try? await network.session.data(from: URL(string: "https://api.example.com/a")!) }
    }
    #expect(run.timeline.transfers.map(\.reusedConnection) == [false, false])
    #expect(run.timeline.transfers.map(\.outcome) == [.failed(.networkConnectionLost), .finished])
  }
}
