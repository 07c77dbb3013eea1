import NetworkConditions
import Testing
import URLLoading

/// Faults of servers: a reset stream, a dripping response, a brown-out.
struct ServerFaultTests {
  private static let base = "https://shop.example"

  @Test(arguments: [0, 100, 40_000] as [Int64])
  func `a reset stream fails one request and keeps its connection`(_ place: Int64) async throws {
    let fault = ScheduledFault.request(.get, "/one", .resetStream(after: .bytes(place)))
    let run = try await Simulation(replaying: FaultSchedule("3G", faults: [fault])) { network in
      let one = network.stub("/one", with: .bytes(count: 50_000))
      network.stub("/two", with: .bytes(count: 50_000))
      _ = try await network.session.data(from: url("\(Self.base)/two"))
      async let other = network.session.data(from: url("\(Self.base)/two"))
      let error = await #expect(throws: URLError.self) { try await network.session.data(from: url("\(Self.base)/one")) }
      #expect(error?.code == .networkConnectionLost)
      #expect(try await other.0.count == 50_000)
      #expect(try await network.session.data(from: url("\(Self.base)/two")).0.count == 50_000)
      return one.requests.count
    }
    #expect(run.value == 1)
    #expect(run.unusedFaults.isEmpty)
    #expect(run.timeline.transfers.map(\.reusedConnection) == [false, true, true, true])
  }

  @Test func `a stream reset does not happen over HTTP without TLS`() async throws {
    let fault = ScheduledFault.request(.get, "/one", .resetStream(after: .zero))
    let run = try await Simulation(replaying: FaultSchedule("3G", faults: [fault])) { network in
      network.stub("/one", with: .text("1"))
      _ = try await network.session.data(from: url("http://shop.example/one"))
    }
    #expect(run.unusedFaults == [fault])
  }

  @Test func `a packet fault of a path that no request takes stays unused`() async throws {
    let packet = PacketName(origin: "shop.example:80", connection: 0, direction: .up, number: 0)
    let fault = ScheduledFault(.packet(packet, .lost), via: "another")
    let run = try await Simulation(replaying: FaultSchedule("3G", faults: [fault])) { network in
      network.stub("/one", with: .text("1"))
      _ = try await network.session.data(from: url("http://shop.example/one"))
    }
    #expect(run.unusedFaults == [fault])
  }

  @Test func `a dripping response arrives whole after all its pauses without a timeout`()
    async throws
  {
    func elapsed(_ faults: [ScheduledFault]) async throws -> Duration {
      try await Simulation(replaying: FaultSchedule("3G", faults: faults)) { network in
        network.stub("/one", with: .text(String(repeating: "x", count: 1_000)))
        let text = try await network.session.data(from: url("\(Self.base)/one")).0
        #expect(text == Data(repeating: UInt8(ascii: "x"), count: 1_000))
      }.elapsed
    }
    let drip = try await elapsed([.request(.get, "/one", .drip(bytes: 200, pause: .seconds(59)))])
    // The head has about 60 bytes, so 1,060 bytes have five pauses.
    #expect(try await drip - elapsed([]) == .seconds(5 * 59))
  }

  @Test func `during a brown-out every request gets a 503, and later requests succeed`() async throws {
    let schedule = try FaultSchedule(
      "3G", faults: [ScheduledFault(.brownOut(from: .seconds(10), for: .seconds(20)))])
    let run = try await Simulation(replaying: schedule) { network in
      let route = network.stub("/one", with: .text("1"))
      var statuses: [Int?] = []
      for time in [0, 10, 29, 30] {
        try await network.clock.sleep(until: .zero.advanced(by: .seconds(time)))
        let response = try await network.session.data(from: url("\(Self.base)/one")).1
        statuses.append((response as? HTTPURLResponse)?.statusCode)
      }
      return (statuses, route.requests.count)
    }
    #expect(run.value.0 == [200, 503, 503, 200])
    #expect(run.value.1 == 2)
    #expect(run.unusedFaults.isEmpty)
    #expect(try FaultSchedule(json: Data(schedule.formatText.utf8)) == schedule)
    #expect(
      schedule.faults[0].description == "from 10 s on, for 20 s: the servers answer with the status 503")
  }
}
