#if os(Linux)
  import Internals
  import NetworkConditions
  import Testing
  import Thoroughness
  import URLLoading

  /// A task that cannot run over the network is refused before it is sent.
  @Suite(.enabled(if: CaptureMode.obstacle == nil)) struct ForeignSessionTests {
    /// The tasks, and the sessions that they run in.
    enum Client: String, CaseIterable, Codable, Sendable {
      case shared, sharedSocket, sharedDownload, ownSession, ownDownload, resumeData, onQueue, inTask

      func run(in network: SimulatedNetwork) async throws {
        let file = URL(string: "file:///etc/hostname?token=secret")!
        let own = URLSession(configuration: .ephemeral)
        network.stub("/feed", with: .text("x"))
        for session in [own, .shared] { _ = try await session.data(from: URL(string: "https://api.example.com/feed")!) }
        switch self {
        case .shared: _ = try await URLSession.shared.data(from: file)
        case .sharedSocket:
          URLSession.shared.webSocketTask(with: URL(string: "ws://127.0.0.1:9/feed?token=secret")!).resume()
        case .sharedDownload, .ownDownload:
          let session = self == .ownDownload ? own : .shared
          let page = URL(string: "https://api.example.com/feed?token=secret")!
          session.downloadTask(with: page) { _, _, _ in }.resume()
        case .ownSession: own.downloadTask(with: file) { _, _, _ in }.resume()
        case .resumeData: network.session.downloadTask(withResumeData: Data()) { _, _, _ in }.resume()
        case .onQueue: DispatchQueue.global().async { own.dataTask(with: file).resume() }
        case .inTask: _ = try await Task.detached { try await own.data(from: file) }.value
        }
        try await Task.sleep(for: .seconds(1))
        fatalError("the client went on")
      }
    }

    private static func refuse(_ client: Client) async throws {
      let error = await #expect(throws: SimulationError.self) {
        try await Simulation("3G", seed: 7) { network in try await client.run(in: network) }
      }
      #expect(error?.description.contains("ForeignSessionTests.swift:") == true)
      for seed in 0..<5 {
        _ = try await Simulation("3G", seed: UInt64(seed)) { network in
          network.stub("/feed", with: .text("x"))
          let session = seed % 2 == 0 ? network.session : URLSession.shared
          _ = try await session.data(from: #require(URL(string: "https://api.example.com/feed")))
          try await Task.sleep(for: .seconds(20))
        }
      }
    }

    @Test(arguments: ["A request to http://10.0.0.1/a was resumed", "A request", "A sleep"])
    func `a run whose client uses a network in real time is refused`(call: String) async throws {
      let page = URL(string: "http://10.0.0.1/a")!
      let made = SimulatedNetwork("3G", seed: 1)
      let error = await #expect(throws: SimulationError.self) {
        try await Simulation("3G", seed: 7) { _ in
          // One network is from before the run, the others begin in its virtual time.
          let other = call == "A sleep" ? made : SimulatedNetwork("3G", seed: 1)
          other.stub("/a", with: .text("x"))
          switch call {
          case "A request": _ = try await other.data(for: URLRequest(url: page))
          case "A sleep": try await other.clock.sleep(for: .seconds(1))
          default: _ = try await other.session.data(from: page)
          }
        }
      }
      #expect(error?.description.hasPrefix("\(call) in another network, which runs in real time") == true)
    }

    @Test func `tasks that parallel simulations make in the shared session have distinct identifiers`()
      async throws
    {
      let numbers = try await withThrowingTaskGroup(of: [Int].self) { group in
        for seed in 0..<2 {
          group.addTask {
            try await Simulation("3G", seed: UInt64(seed)) { _ in
              let feed = try #require(URL(string: "http://127.0.0.1:9/feed"))
              return (0..<4_000).map { _ in URLSession.shared.dataTask(with: feed).taskIdentifier }
            }.value
          }
        }
        return try await group.reduce(into: [], +=)
      }
      #expect(Set(numbers).count == 8_000)
    }

    // The closure of an exit test captures nothing before Swift 6.3.
    #if compiler(>=6.3)
      @Test(arguments: Thoroughness.cases(3, of: Client.allCases))
      func `a refused request in a foreign session is reported with session, redacted URL and source file`(
        _ client: Client
      ) async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
          [client = client as Client] in
          try await Self.refuse(client)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let url =
          switch client {
          case .sharedSocket: "ws://127.0.0.1:9/feed?token=redacted"
          case .sharedDownload, .ownDownload: "https://api.example.com/feed?token=redacted"
          default: "file:///etc/hostname?token=redacted"
          }
        let session =
          switch client {
          case .shared, .sharedSocket, .sharedDownload: "URLSession.shared"
          default: "a session that the client made itself"
          }
        let what = [.sharedDownload, .ownDownload].contains(client) ? "A download task for" : "A request to"
        let call =
          client == .resumeData
          ? "A task without a URL, such as a download from resume data, was resumed, at "
          : "\(what) \(url) was resumed in \(session), which is not the network's, at "
        #expect(text.hasPrefix("A simulated run is refused: under \"3G\", seed 7\n\(call)"), "\(text)")
        #expect(text.contains("ForeignSessionTests.swift:"), "\(text)")
      }
    #endif
  }
#endif
