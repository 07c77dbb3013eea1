import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

struct ExactTimelineTests {
  private static let profile = NetworkProfile(
    name: "slow",
    base: PathConditions(
      down: LinkConditions(rate: .megabitsPerSecond(2), delay: .milliseconds(30)),
      up: LinkConditions(rate: .kilobitsPerSecond(600), delay: .milliseconds(30)), dnsDelay: .milliseconds(5)))

  /// A client with a redirect, cookies, an upload, a slow stream, and requests that fail.
  private static func client(_ network: SimulatedNetwork) async {
    network.stub("/first", with: .redirect(to: "/second").header("Set-Cookie", "sid=1; Path=/"))
    network.stub("/second", with: .bytes(count: 40_000).header("Set-Cookie", "sid=22; Path=/"))
    network.stub(.post, "/upload", with: .status(503, retryAfter: .seconds(3)))
    network.stub(
      "/slow", with: .stream([(.milliseconds(400), Data("first".utf8)), (.seconds(2), Data("second".utf8))]))
    network.stub("/cut", with: .error(.networkConnectionLost, afterBytes: 9_000))
    network.stub("/never", with: .never)
    network.stub("/missing", with: .error(.resourceUnavailable))
    network.stub("/late", with: .text("late").after(.milliseconds(250)))
    func request(_ path: String, _ method: String = "GET") -> URLRequest {
      var request = URLRequest(url: url("https://api.example.com/\(path)"))
      (request.httpMethod, request.timeoutInterval) = (method, 7)
      return request
    }
    for path in ["first", "slow", "cut", "never", "missing"] { _ = try? await network.data(for: request(path)) }
    _ = try? await network.upload(for: request("upload", "POST"), from: Data(repeating: 7, count: 30_000))
    network.goOffline(.drop)
    let task = Task { _ = try? await network.data(for: request("late")) }
    try? await network.clock.sleep(for: .milliseconds(1_500))
    network.goOnline()
    await task.value
    try? await network.clock.sleep(for: .seconds(70))
    _ = try? await network.session.data(for: request("second"))
    let cancelled = Task { _ = try? await network.data(for: request("second")) }
    try? await network.clock.sleep(for: .milliseconds(200))
    cancelled.cancel()
    await cancelled.value
  }

  /// The figures of each transfer, in this order.
  ///
  /// - the status, or 0;
  /// - start, first byte and end in microseconds;
  /// - bytes sent and received, then packets' bytes up and down;
  /// - the number of events.
  private static func figures(_ timeline: Timeline) -> [String] {
    timeline.transfers.map { transfer in
      let times = [transfer.started, transfer.firstByte ?? .zero, transfer.ended ?? .zero].map {
        $0.nanoseconds / 1_000
      }
      let counts = [transfer.bytesSent, transfer.bytesReceived, transfer.wire.up.bytes, transfer.wire.down.bytes]
      let numbers = (times + counts).map { "\($0)" }.joined(separator: " ")
      return "\(transfer.status ?? 0) \(numbers) \(timeline.events(of: transfer).count)"
    }
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `the times and bytes of a client's ten requests are exactly these`() async throws {
    let timeline = try await Simulation(Self.profile, seed: 1, Self.client).timeline
    #expect(
      Self.figures(timeline) == [
        "302 0 279208 279208 0 0 1604 4790 8", "200 279208 342052 521225 0 40000 832 41811 8",
        "200 521225 583026 2983286 0 11 311 367 7", "200 2983286 3046169 3084117 0 9000 310 9604 6",
        "0 3084117 0 10115865 0 0 104 52 5", "0 10115865 0 10178981 0 0 105 191 4",
        "503 10178981 10655602 10655602 30000 0 31213 632 26", "200 10655602 13491561 13491561 0 4 528 620 24",
        "200 83491561 83704695 83897923 0 40000 2332 46422 10", "200 83897923 83960559 84097923 0 32768 780 41967 8",
      ])
  }
}
