import LoopbackServer
import NetworkConditions
import Testing
import URLLoading

#if canImport(FoundationNetworking)
  /// Calls that Foundation on Linux does not support fail at once with an explanation instead of aborting.
  struct PlatformLimitTests {
    let file = url("http://h.example/file")

    @Test func `a download task fails and names the call to use instead`() async throws {
      let network = SimulatedNetwork.immediate()
      network.stub("/file", with: .bytes(count: 100_000))
      let error: (any Error)? = await withCheckedContinuation { continuation in
        network.session.downloadTask(with: file) { _, _, error in continuation.resume(returning: error) }.resume()
      }
      #expect((error as? URLError)?.code == .unsupportedURL)
      #expect((error as? URLError)?.localizedDescription.contains("download(for:)") == true)
      let (saved, response) = try await network.download(from: file)
      defer { try? FileManager.default.removeItem(at: saved) }
      #expect(try Data(contentsOf: saved) == GeneratedBody.bytes(in: 0..<100_000))
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }

    @Test func `a WebSocket task fails without connecting and takes no virtual time`()
      async throws
    {
      let server = try LoopbackServer()
      defer { server.stop() }
      let socket = url(server.url("/").absoluteString.replacingOccurrences(of: "http:", with: "ws:"))
      @Sendable func open(in network: SimulatedNetwork) async {
        let task = network.session.webSocketTask(with: socket)
        task.resume()
        await #expect(throws: URLError.self) { _ = try await task.receive() }
      }
      await open(in: .immediate())
      let end = try await Simulation("3G") { network in
        try await network.clock.sleep(for: .seconds(1))
        await open(in: network)
        return network.now
      }.value
      #expect(end == SimulatedInstant.zero.advanced(by: .seconds(1)))
      #expect(server.connectionCount == 0)
    }

    @Test func `a Basic challenge fails a session's task but not the network's own call`() async throws {
      let network = SimulatedNetwork.immediate()
      network.stub("/file", with: .status(401).header("WWW-Authenticate", "Basic realm=\"x\""))
      let result = await network.session.complete { $0.dataTask(with: file, completionHandler: $1) }
      #expect(result.code == .userAuthenticationRequired)
      let (_, response) = try await network.data(for: URLRequest(url: file))
      #expect((response as? HTTPURLResponse)?.statusCode == 401)
    }

    /// A server that answers 401 with several fields of one name, as real servers do.
    private struct Challenges: Transport {
      let values: [String]

      func respond(to request: TransportRequest, with reply: any TransportReply) {
        let fields = values.map { HeaderField("WWW-Authenticate", $0) }
        reply.answer(ResponseHead(status: 401, headers: fields), body: Data())
      }
    }

    @Test(arguments: [
      ["Negotiate", "Basic realm=\"x\""], ["Bearer realm=\"x\", BASIC realm=\"y\""], ["basic realm=\"x\""],
    ])
    func `a Basic challenge among others fails a session's task`(values: [String]) async {
      let network = SimulatedNetwork("unlimited", pace: .immediate, transport: Challenges(values: values))
      let result = await network.session.complete { $0.dataTask(with: file, completionHandler: $1) }
      #expect(result.code == .userAuthenticationRequired)
    }

    @Test(arguments: ["Bearer realm=\"basic\"", "Bearer scope=\"read\", realm=basic", "Basically realm=\"x\""])
    func `a challenge that only mentions the word basic reaches the client as a response`(value: String) async {
      let network = SimulatedNetwork("unlimited", pace: .immediate, transport: Challenges(values: [value]))
      let result = await network.session.complete { $0.dataTask(with: file, completionHandler: $1) }
      #expect(result.response?.statusCode == 401)
    }

    @Test func `a 401 with a bearer challenge reaches the client as a response`() async {
      let network = SimulatedNetwork.immediate()
      network.stub("/file", with: .status(401).header("WWW-Authenticate", "Bearer error=\"expired\""))
      let result = await network.session.complete { $0.dataTask(with: file, completionHandler: $1) }
      #expect(result.response?.statusCode == 401)
    }
  }
#endif
