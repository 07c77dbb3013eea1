import LinkSimulator
import LoopbackServer
import Testing
import URLLoading

@testable import NetworkConditions

struct EarlyAnswerTests {
  /// A response after the first 1000 bytes of a request body, and the server's next action.
  struct Early: Sendable {
    var status: Int
    /// Whether the answer has `Connection: close`.
    var isAnnounced = false
    var then = LoopbackServer.EarlyAnswer.Then.reads

    var message: Data {
      let fields = isAnnounced ? "Connection: close\r\n" : ""
      return Data("HTTP/1.1 \(status) Early\r\nContent-Length: 5\r\nLocation: /next\r\n\(fields)\r\nhello".utf8)
    }

    var response: StubResponse {
      let response = StubResponse.text("hello").status(status).header("Location", "/next").early(afterBytes: 1_000)
      return isAnnounced ? response.header("Connection", "close") : response
    }
  }

  struct Outcome: Equatable {
    var status: Int?
    var bytes: Int
    var code: URLError.Code?
    /// Whether the client sent the whole body.
    var isWhole: Bool
  }

  /// More than the buffers of a real connection hold.
  static let body = Data(count: 8 << 20)

  static func upload(to url: URL, _ configuration: URLSessionConfiguration) async -> RecordingDelegate.Record {
    let delegate = RecordingDelegate()
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    session.uploadTask(with: post(url), from: body).resume()
    defer { session.finishTasksAndInvalidate() }
    return await delegate.end()
  }

  static func post(_ url: URL) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    return request
  }

  static func outcome(_ record: RecordingDelegate.Record, received: Int64) -> Outcome {
    Outcome(
      status: record.response?.statusCode, bytes: record.body.count,
      code: record.error.map { URLError(native: $0, behindHead: record.response != nil).code },
      isWhole: received == body.count)
  }

  @Test(arguments: [
    Early(status: 413), Early(status: 401, then: .ends), Early(status: 413, isAnnounced: true, then: .ends),
    Early(status: 303), Early(status: 200), Early(status: 200, isAnnounced: true, then: .ends),
  ])
  func `an early response affects a simulated upload as it affects a real one`(early: Early) async throws {
    let server = try LoopbackServer { request in
      .answer(Data("next".utf8))
    } early: { request in
      request.method == "POST" ? .init(afterBytes: 1_000, early.message, then: early.then) : nil
    }
    let record = await Self.upload(to: server.url("/upload"), .ephemeral)
    // The server may not have read all sent bytes yet.
    #expect(await eventually { server.requests.contains { $0.method == "POST" } })
    server.stop()
    let real = Self.outcome(record, received: server.requests.first { $0.method == "POST" }?.bodyHash.count ?? 0)

    let network = SimulatedNetwork("wifi", seed: 1, pace: .immediate)
    let route = network.stub(.post, "/upload", with: early.response)
    network.stub("/next", with: .text("next"))
    let simulated = await Self.upload(to: url("http://127.0.0.1/upload"), network.sessionConfiguration)
    let received = network.timeline.transfers.first?.bytesSent ?? 0
    #expect(Self.outcome(simulated, received: received) == real)

    let isWhole = early.status < 300 && !early.isAnnounced
    let isFollowed = early.status == 303
    #expect(
      real
        == Outcome(
          status: isFollowed ? 200 : early.status, bytes: isFollowed ? 4 : 5, code: nil, isWhole: isWhole))
    // The server reports how many bytes it received.
    #expect(route.callCount == 1)
    #expect(route.partialRequests.map(\.bytesReceived) == (isWhole ? [] : [received]))
    #expect(received >= 1_000)
    #if canImport(FoundationNetworking)
      #expect(simulated.sent.last == received)
      #expect((simulated.progress.last?.fraction == 1) == isWhole)
    #endif
  }

  /// Uploads 300 kB over 3G; the server answers after so many bytes.
  private static func timeline(_ status: Int, afterBytes bytes: Int64) async throws -> Timeline {
    try await Simulation("3G", seed: 1) { network in
      network.stub(.post, "/upload", with: .status(status).early(afterBytes: bytes))
      var request = post(url("http://127.0.0.1/upload"))
      request.httpBody = Data(count: 300_000)
      _ = try await network.session.data(for: request)
    }.timeline
  }

  @Test func `an early response stops an upload only from status 300 on`() async throws {
    #expect(try await Self.timeline(299, afterBytes: 1_000).transfers.first?.bytesSent == 300_000)
    let sent = try #require(try await Self.timeline(300, afterBytes: 1_000).transfers.first?.bytesSent)
    #expect((1_000..<300_000).contains(sent))
  }

  @Test func `an early response starts exactly when its byte of the upload arrives`() async throws {
    let early = try await Self.timeline(413, afterBytes: 1)
    let counts = early.events.compactMap { event -> Int64? in
      if case .uploaded(let bytes, _) = event.kind { bytes } else { nil }
    }
    let first = try #require(counts.first { $0 > 0 })
    let start = try #require(early.transfers.first?.firstByte)
    #expect(try await Self.timeline(413, afterBytes: first).transfers.first?.firstByte == start)
    let later = try #require(try await Self.timeline(413, afterBytes: first + 1).transfers.first?.firstByte)
    #expect(later > start)
  }

  @Test(arguments: [
    StubResponse.text("hello").failing(.networkConnectionLost, afterBytes: 4), .error(.networkConnectionLost),
  ])
  func `an upload fails when the server closes after its early response`(
    answer: StubResponse
  ) async throws {
    let server = try LoopbackServer { _ in
      .close
    } early: { _ in
      .init(afterBytes: 1_000, Early(status: 200).message, then: .closes)
    }
    let record = await Self.upload(to: server.url("/upload"), .ephemeral)
    server.stop()
    // It is random whether the answer arrives before the reset, but not how the upload ends.
    #expect(Self.outcome(record, received: 0).code == .networkConnectionLost)

    let network = SimulatedNetwork("wifi", seed: 1, pace: .immediate)
    network.stub(.post, "/upload", with: answer.early(afterBytes: 1_000))
    let simulated = await Self.upload(to: url("http://127.0.0.1/upload"), network.sessionConfiguration)
    #expect(simulated.code == .networkConnectionLost)
  }

  // MARK: In virtual time

  /// 1 Mbit/s up, and 50 ms in each direction.
  static let slow = NetworkProfile(
    name: "slow",
    phases: [
      .init(
        conditions: PathConditions(
          down: LinkConditions(delay: .milliseconds(50)),
          up: LinkConditions(rate: .megabitsPerSecond(1), delay: .milliseconds(50))))
    ])

  static func network(_ profile: NetworkProfile = slow) -> SimulatedNetwork {
    SimulatedNetwork(profile, seed: 1, pace: .immediate)
  }

  static func send(_ count: Int, _ network: SimulatedNetwork, _ scheme: String = "http") async throws -> Int? {
    let (_, response) = try await network.upload(
      for: post(url("\(scheme)://127.0.0.1/upload")), from: Data(count: count))
    return (response as? HTTPURLResponse)?.statusCode
  }

  @Test(arguments: ["http", "https"])
  func `an early 413 response arrives during the upload and stops its rest`(scheme: String) async throws {
    let network = Self.network()
    let route = network.stub("/upload", with: .status(413).early(afterBytes: 100_000))
    #expect(try await Self.send(1_000_000, network, scheme) == 413)
    let transfer = network.timeline.transfers[0]
    let partial = try #require(route.partialRequests.first)
    // 100 kB take 0.8 s; in the 50 ms that the answer takes about 6 kB more arrive.
    #expect((104_000...110_000).contains(partial.bytesReceived))
    #expect(partial.bytesExpected == 1_000_000 && partial.request.httpMethod == "POST")
    #expect(partial.bytesReceived == transfer.bytesSent)
    #expect(transfer.requestSent == nil && transfer.requestReceived == nil)
    let ended = try #require(transfer.ended)
    #expect((900...1_200).contains(SimulatedInstant.zero.duration(to: ended).wholeNanoseconds / 1_000_000))
    // HTTP/1.1 closes the connection, HTTP/2 resets the stream alone.
    #expect(try await Self.send(10, network, scheme) == 413)
    let connections = Set(network.timeline.transfers.compactMap(\.wire.connection))
    #expect(connections.count == (scheme == "http" ? 2 : 1))
    #expect(route.callCount == 2 && route.partialRequests.count == 1)
    #expect(route.requests.map(\.body.count) == [0, 10])
  }

  @Test func `an early 200 response waits for the upload and keeps the connection`() async throws {
    let network = Self.network()
    let route = network.stub("/upload", with: .status(200).early())
    for _ in 0..<2 { #expect(try await Self.send(100_000, network) == 200) }
    for transfer in network.timeline.transfers {
      #expect(transfer.bytesSent == 100_000 && transfer.wire.connection == 0)
      let first = try #require(transfer.firstByte)
      let whole = try #require(transfer.requestReceived)
      #expect(first < whole && transfer.ended == whole)
    }
    #expect(route.callCount == 2 && route.partialRequests.isEmpty)
  }

  @Test func `a stub records how many bytes of an aborted upload arrived`() async throws {
    let reset = FaultRule(.reset(after: .bytes(20_000), direction: .up))
    let network = Self.network(NetworkProfile(name: "reset", phases: Self.slow.phases, faults: [reset]))
    let route = network.stub("/upload", with: .status(201))
    await #expect(throws: URLError.self) { try await Self.send(100_000, network) }
    let bytes = try #require(route.partialRequests.first).bytesReceived
    #expect(route.callCount == 0 && (19_000...21_500).contains(bytes))
    #expect(bytes == network.timeline.transfers[0].bytesSent)

    // A client that gives up after 2 s has sent at most a quarter of its body.
    let run = try await Simulation(Self.slow, seed: 1) { network in
      let route = network.stub("/upload", with: .status(201))
      await withTaskGroup(of: Void.self) { race in
        race.addTask { _ = try? await Self.send(1_000_000, network) }
        race.addTask { try? await network.clock.sleep(for: .seconds(2)) }
        await race.next()
        race.cancelAll()
      }
      let status = try await Self.send(1_000, network)
      let sent = network.timeline.transfers[0].bytesSent
      return (status, route.callCount, route.partialRequests.map(\.bytesReceived), sent)
    }
    #expect(run.value.0 == 201 && run.value.1 == 1)
    #expect(run.value.2 == [run.value.3] && (150_000...250_000).contains(run.value.3), "\(run.value)")
  }

  @Test func `a sequence of stub responses gives each of its early responses once`() async throws {
    let network = Self.network()
    let answers: [StubResponse] = [
      .status(401).early(), .sequence([.status(413).early(afterBytes: 5_000)]), .status(201),
    ]
    let route = network.stub("/upload", with: .sequence(answers, then: .fail))
    var statuses: [Int?] = []
    for _ in answers { statuses.append(try await Self.send(50_000, network)) }
    #expect(statuses == [401, 413, 201])
    await #expect(throws: URLError.self) { try await Self.send(50_000, network) }
    #expect(route.callCount == 4 && route.partialRequests.count == 2)
    #expect(route.requests.map(\.body.count) == [0, 0, 50_000, 50_000])
  }

  @Test func `a stub whose closure may read the body responds only after the whole upload`() async throws {
    let network = Self.network()
    let route = network.stub({ $0.httpMethod == "POST" }, with: .status(413).early())
    #expect(try await Self.send(50_000, network) == 413)
    #expect(route.requests.map(\.body.count) == [50_000] && route.partialRequests.isEmpty)
  }

  @Test func `an early stub handler decides without the request body`() async throws {
    let network = Self.network()
    let handler = StubResponse.handler { (request: URLRequest) -> StubResponse in
      .text("\(request.httpBody?.count ?? 0)").status(request.httpMethod == "POST" ? 403 : 500)
    }
    network.stub("/upload", with: handler.early(afterBytes: 10))
    let (data, response) = try await network.upload(
      for: Self.post(url("http://127.0.0.1/upload")), from: Data(count: 50_000))
    #expect((response as? HTTPURLResponse)?.statusCode == 403 && data == Data("0".utf8))
  }

  @Test(arguments: [303, 307])
  func `an early redirect of a streamed upload is followed`(status: Int) async throws {
    let network = Self.network()
    let route = network.stub("/upload", with: .redirect(to: "/next", status: status).early(afterBytes: 1_000))
    let next = network.stub("/next", with: .status(204))
    var request = Self.post(url("http://127.0.0.1/upload"))
    request.httpBodyStream = InputStream(data: Data(count: 100_000))
    let (_, response) = try await network.data(for: request)
    #expect((response as? HTTPURLResponse)?.statusCode == 204)
    // A stream that has been read is kept, and sent again completely.
    #expect(next.requests.map(\.body.count) == [status == 303 ? 0 : 100_000])
    #expect(route.partialRequests.count == 1)
  }

  @Test func `early responses are the same in each run`() async throws {
    try await Simulation.verifyDeterminism("flaky", seed: 3) { network in
      let route = network.stub("/upload", with: .sequence([.status(401).early(afterBytes: 3_000), .status(201)]))
      for _ in 0..<4 { _ = try? await Self.send(200_000, network) }
      return route.partialRequests.map(\.bytesReceived)
    }
  }
}
