#if os(Linux)
  import Internals
  import NetworkConditions
  import Testing
  import URLLoading

  /// In a captured simulation the client's own sessions and `URLSession.shared` run over the network.
  @Suite(.enabled(if: CaptureMode.obstacle == nil)) struct AdoptedSessionTests {
    private static let feed = URL(string: "https://api.example.com/feed")!
    /// A client's session that outlives the simulations.
    private static let lasting = URLSession(configuration: .default)
    private static let waiting = URLSession(configuration: .default)

    /// The ways in which clients get a session and make a request.
    enum Client: String, CaseIterable, Sendable {
      case shared, sharedHandler, own, ownDelegate, ownQueue, upload, lasting, inTask, retry

      func load() async throws -> Int {
        var request = URLRequest(url: AdoptedSessionTests.feed)
        let own = URLSession(configuration: .default)
        switch self {
        case .shared: return try await URLSession.shared.data(from: AdoptedSessionTests.feed).0.count
        case .sharedHandler: return try await Self.handled(in: .shared)
        case .own: return try await own.data(from: AdoptedSessionTests.feed).0.count
        case .ownDelegate:
          return try await withCheckedThrowingContinuation { done in
            URLSession(configuration: .default, delegate: Delegate(done), delegateQueue: nil)
              .dataTask(with: AdoptedSessionTests.feed).resume()
          }
        case .ownQueue:
          let queue = OperationQueue()
          return try await Self.handled(
            in: URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue))
        case .upload:
          request.httpMethod = "PUT"
          return try await own.upload(for: request, from: Data(count: 9)).0.count
        case .lasting: return try await AdoptedSessionTests.lasting.data(from: AdoptedSessionTests.feed).0.count
        case .inTask:
          return try await Task.detached { try await own.data(from: AdoptedSessionTests.feed).0.count }.value
        case .retry:
          while true {
            if let (data, _) = try? await URLSession.shared.data(from: AdoptedSessionTests.feed) { return data.count }
            try await Task.sleep(for: .seconds(1))
          }
        }
      }

      private static func handled(in session: URLSession) async throws -> Int {
        try await withCheckedThrowingContinuation { done in
          session.dataTask(with: AdoptedSessionTests.feed) { data, _, error in
            done.resume(with: Result { if let error { throw error } else { data?.count ?? 0 } })
          }.resume()
        }
      }
    }

    private final class Delegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
      private let done: CheckedContinuation<Int, any Error>
      private var count = 0
      init(_ done: CheckedContinuation<Int, any Error>) { self.done = done }
      func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        count += data.count
      }
      func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        done.resume(with: Result { if let error { throw error } else { count } })
      }
    }

    @Test(arguments: Client.allCases)
    func `a client's own session takes the same time as the network's session, in each run`(
      client: Client
    ) async throws {
      let expected = try await Simulation("3G", seed: 7) { network in
        network.stub("/feed", with: .bytes(count: 40_000))
        network.stub(.put, "/feed", with: .bytes(count: 40_000))
        var request = URLRequest(url: Self.feed)
        if client != .upload { return try await network.session.data(for: request).0.count }
        request.httpMethod = "PUT"
        return try await network.session.upload(for: request, from: Data(count: 9)).0.count
      }
      for _ in 0..<3 {
        let run = try await Simulation("3G", seed: 7) { network in
          network.stub("/feed", with: .bytes(count: 40_000))
          network.stub(.put, "/feed", with: .bytes(count: 40_000))
          return try await client.load()
        }
        #expect(run.value == 40_000)
        #expect(run.elapsed == expected.elapsed && run.traceHash == expected.traceHash)
      }
    }

    @Test(arguments: [false, true])
    func `simultaneous simulations take turns in sessions that outlive them`(isShared: Bool) async throws {
      let counts = try await withThrowingTaskGroup(of: Int.self) { group in
        for seed in 0..<16 {
          group.addTask {
            try await Simulation("3G", seed: UInt64(seed)) { network in
              network.stub("/feed", with: .bytes(count: Int64(1_000 + seed)))
              var sum = 0
              // In opposite orders, so that two runs could wait for each other.
              for number in 0..<4 {
                let session = isShared && (number + seed) % 2 == 0 ? URLSession.shared : Self.lasting
                sum += try await session.data(from: Self.feed).0.count
              }
              return sum - 4 * seed
            }.value
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(counts == Array(repeating: 4_000, count: 16))
    }

    @Test func `a run whose client left a request open in its own session leaves the session to the next`() async throws
    {
      for seed in 0..<3 {
        let run = try await Simulation("3G", seed: UInt64(seed)) { network in
          network.stub("/feed", with: .bytes(count: 40_000))
          Self.lasting.dataTask(with: Self.feed).resume()
          try await Task.sleep(for: .milliseconds(500))
          return try await Self.lasting.data(from: Self.feed).0.count
        }
        #expect(run.value == 40_000)
      }
    }

    @Test func `a session with an open request of a stepped simulation serves the next simulation`() async throws {
      let stepped = try SteppedSimulation("3G", seed: 1)
      stepped.network.stub("/feed", with: .bytes(count: 40_000))
      let load = stepped.run { _ in try await Self.waiting.data(from: Self.feed).0.count }
      try await stepped.advance(by: .seconds(1))
      stepped.end()
      let run = try await Simulation("3G", seed: 1) { network in
        network.stub("/feed", with: .bytes(count: 40_000))
        return try await Self.waiting.data(from: Self.feed).0.count
      }
      #expect(run.value == 40_000)
      withExtendedLifetime(load) {}
    }

    /// Answers requests to one host, like a client's own mock.
    private final class OwnProtocol: URLProtocol {
      override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "mock.example.com" }
      override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
      override func startLoading() {
        guard let url = request.url,
          let response = HTTPURLResponse(url: url, statusCode: 299, httpVersion: nil, headerFields: nil)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(count: 3))
        client?.urlProtocolDidFinishLoading(self)
      }
      override func stopLoading() {}
    }

    @Test func `a session's own protocol classes answer before the network`() async throws {
      let mocked = try #require(URL(string: "https://mock.example.com/"))
      let run = try await Simulation("3G", seed: 1) { network in
        network.stub("/feed", with: .bytes(count: 5))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [OwnProtocol.self]
        let session = URLSession(configuration: configuration)
        return try await [session.data(from: Self.feed).0.count, session.data(from: mocked).0.count]
      }
      #expect(run.value == [5, 3] && run.timeline.transfers.count == 1)
    }

    @Test func `after the run a client's own session no longer uses the network`() async throws {
      let session = URLSession(configuration: .ephemeral)
      let before = session.configuration.protocolClasses?.count
      _ = try await Simulation("3G", seed: 1) { network in
        network.stub("/feed", with: .text("x"))
        return try await session.data(from: Self.feed).0.count
      }
      #expect(session.configuration.protocolClasses?.count == before)
    }

    @Test func `a client can intercept the shared session after it has used it`() async throws {
      let run = try await Simulation("3G", seed: 1) { network in
        network.stub("/feed", with: .text("x"))
        _ = try await URLSession.shared.data(from: Self.feed)
        _ = try await network.interceptingSharedSession { try await URLSession.shared.data(from: Self.feed) }
        let interception = try network.interceptSharedSession()
        _ = try await URLSession.shared.data(from: Self.feed)
        interception.end()
        return try await URLSession.shared.data(from: Self.feed).0.count
      }
      #expect(run.value == 1 && run.timeline.transfers.count == 4)
    }

    @Test func `a stub that cannot answer ends the run, even if the client goes on after errors`() async throws {
      for (stub, why) in [
        (
          StubResponse.sequence([.status(503)], then: .fail),
          "The stub's sequence of 1 answers has no answer for request 2."
        ),
        (.status(9_999), "The stub's answer is unusable: "),
      ] {
        let error = await #expect(throws: SimulationError.self) {
          try await Simulation("3G", seed: 1) { network in
            network.stub("/feed", with: stub)
            for _ in 0..<3 { _ = try? await network.session.data(from: Self.feed) }
          }
        }
        guard case .unusableStub(let text) = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
        #expect(text.hasPrefix(why) && text.hasSuffix("(netcond explain unusable-stub)"), "\(text)")
      }
    }

    @Test(arguments: [false, true])
    func `a request that no stub matches ends the run, also in a session that the client made`(isOwn: Bool) async {
      let error = await #expect(throws: SimulationError.self) {
        _ = try await Simulation("3G", seed: 1) { network in
          network.stub("/feeds", with: .json("{}"))
          let session = isOwn ? URLSession.shared : network.session
          while (try? await session.data(from: Self.feed)) == nil {}
        }
      }
      let text = "\(String(describing: error))"
      #expect(text.contains("No stub matches GET https://api.example.com/feed (netcond explain no-stub)."))
      #expect(text.contains("/feeds (another path)"), "\(text)")
    }
  }
#endif
