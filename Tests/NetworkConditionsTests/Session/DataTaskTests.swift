import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

/// Data tasks in all forms, over an ordinary URLSession.
struct DataTaskTests {
  let feed = url("https://api.example.com/feed")

  @Test func `an awaited request receives the stub's response`() async throws {
    let network = SimulatedNetwork.immediate()
    network.stub("https://api.example.com/feed", with: .json(#"{"items": []}"#).header("X-Trace", "7"))
    let (data, response) = try await network.session.data(for: URLRequest(url: feed))
    #expect(String(decoding: data, as: UTF8.self) == #"{"items": []}"#)
    let http = try #require(response as? HTTPURLResponse)
    #expect(http.statusCode == 200)
    #expect(http.url == feed)
    #expect(http.value(forHTTPHeaderField: "X-Trace") == "7")
    #expect(http.mimeType == "application/json")
  }

  @Test func `a completion handler receives a body of many pieces whole`() async {
    let network = SimulatedNetwork.immediate()
    network.stub("https://api.example.com/feed", with: .bytes(count: 300_000))
    let result = await network.session.complete { $0.dataTask(with: feed, completionHandler: $1) }
    #expect(result.error == nil)
    #expect(result.data == GeneratedBody.bytes(in: 0..<300_000))
  }

  @Test func `a client gets a stub's own error as it is, and one of the URL domain as a URLError`() async {
    enum Refusal: Error { case maintenance }
    let network = SimulatedNetwork.immediate()
    network.stub("/thrown") { _ -> StubResponse in throw Refusal.maintenance }
    network.stub("/given", with: .handler { _ in (nil, nil, Refusal.maintenance) })
    network.stub("/half", with: .handler { _ in (nil, Data("half".utf8), Refusal.maintenance) })
    for path in ["thrown", "given", "half"] {
      let address = url("https://api.example.com/\(path)")
      await #expect(throws: Refusal.maintenance) { try await network.session.data(from: address) }
      await #expect(throws: Refusal.maintenance) { try await network.data(for: URLRequest(url: address)) }
      let delegate = RecordingDelegate()
      network.session(delegate: delegate).dataTask(with: address).resume()
      #expect(await delegate.end().error is Refusal)
    }
    network.stub("/bridged") { _ -> StubResponse in throw NSError(domain: NSURLErrorDomain, code: -1005) }
    await #expect {
      try await network.session.data(from: url("https://api.example.com/bridged"))
    } throws: {
      ($0 as? URLError)?.code == .networkConnectionLost
    }
  }

  @Test func `a delegate receives a body in several pieces`() async {
    let network = SimulatedNetwork.immediate()
    network.stub("https://api.example.com/feed", with: .bytes(count: 100_000))
    let delegate = RecordingDelegate()
    network.session(delegate: delegate).dataTask(with: feed).resume()
    let record = await delegate.end()
    #expect(record.error == nil)
    #expect(record.ends == 1)
    #expect(record.response?.statusCode == 200)
    #expect(record.body == GeneratedBody.bytes(in: 0..<100_000))
    // 100 kB at 780 kbit/s take about a second; delivered at once, they would be one piece.
    #expect(record.chunks.count > 5)
  }

  #if canImport(FoundationNetworking)
    // On Apple platforms the system counts the progress in its own units.

    @Test func `a task's progress ends at its Content-Length`() async {
      let network = SimulatedNetwork.immediate()
      network.stub("https://api.example.com/feed", with: .bytes(count: 100_000))
      let delegate = RecordingDelegate()
      let task = network.session(delegate: delegate).dataTask(with: feed)
      task.resume()
      _ = await delegate.end()
      #expect(task.progress.totalUnitCount == 100_000)
      #expect(task.progress.completedUnitCount == 100_000)
    }

    @Test func `a task's progress ends complete, or at the received bytes after an error`() async {
      let network = SimulatedNetwork.immediate()
      network.stub("/stream", with: .stream([(.zero, Data("12345".utf8))]))
      network.stub("/empty", with: .status(204))
      network.stub("/canned", with: .text("12345"))
      network.stub("/cut", with: .bytes(count: 50_000).failing(.networkConnectionLost, afterBytes: 20_000))
      for (path, completed, total) in [("stream", 5, 5), ("empty", 1, 1), ("canned", 5, 5), ("cut", 20_000, 50_000)] {
        let delegate = RecordingDelegate()
        let task = network.session(delegate: delegate).dataTask(with: url("https://api.example.com/\(path)"))
        task.resume()
        _ = await delegate.end()
        #expect(task.progress.completedUnitCount == completed)
        #expect(task.progress.totalUnitCount == total)
      }
    }
  #endif

  @Test func `a response without a body succeeds`() async throws {
    let network = SimulatedNetwork.immediate()
    network.stub("https://api.example.com/feed", with: .status(204))
    let (data, response) = try await network.session.data(for: URLRequest(url: feed))
    #expect(data.isEmpty)
    #expect((response as? HTTPURLResponse)?.statusCode == 204)
  }

  @Test func `the error for a request without a stub lists the stubs`() async {
    let network = SimulatedNetwork.immediate()
    network.stub("https://api.example.com/feed", with: .text("x"))
    let error = await #expect(throws: URLError.self) {
      try await network.session.data(for: URLRequest(url: url("https://api.example.com/fed")))
    }
    #expect(error?.localizedDescription.contains("https://api.example.com/feed") == true)
  }

  @Test func `with an unknown profile every request fails with a setup error that lists similar names`() async {
    let network = SimulatedNetwork("tunel", pace: .immediate)
    let request = URLRequest(url: feed)
    let failures: [() async throws -> Void] = [
      { _ = try await network.session.data(for: request) },
      { _ = try await network.session.upload(for: request, from: Data(count: 9)) },
      { _ = try await network.data(for: request) },
      { _ = try await network.bytes(for: request) },
      { _ = try await network.download(for: request) },
    ]
    for fail in failures {
      let error = await #expect(throws: (any Error).self) { try await fail() }
      #expect(error is URLError == false)
      #expect(error?.localizedDescription.contains("\"tunnel\"") == true)
      #expect((error as NSError?)?.domain == NetworkSetupError.errorDomain)
    }
    let result = await network.session.complete { $0.dataTask(with: feed, completionHandler: $1) }
    #expect(result.error != nil && result.error is URLError == false)
    let delegate = RecordingDelegate()
    network.session(delegate: delegate).dataTask(with: feed).resume()
    #expect(await delegate.end().code == nil)
  }

  // iOS, tvOS, watchOS and visionOS start no process for a test.
  #if os(macOS) || os(Linux)
    @Test func `an unusable network prints its mistake on standard error`() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        _ = SimulatedNetwork("tunel")
        _ = SimulatedNetwork(replaying: "netcond1:damaged")
        _ = SimulatedNetwork("3G", pace: .scaled(0))
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      let said = "The simulated network cannot be used, and every request fails: "
      #expect(text.components(separatedBy: said).count == 4, "\(text)")
      #expect(text.hasPrefix(said + #"no profile is called "tunel"; did you mean "tunnel""#), "\(text)")
    }
  #endif

  @Test func `a stubbed error reaches the client with its code and URL`() async {
    let network = SimulatedNetwork.immediate()
    network.stub("https://api.example.com/feed", with: .error(.networkConnectionLost))
    let result = await network.session.complete { $0.dataTask(with: feed, completionHandler: $1) }
    #expect(result.code == .networkConnectionLost)
    #expect((result.error as? URLError)?.failingURL == feed)
  }

  @Test func `a response cut after some bytes gives a delegate these bytes and then the error`() async {
    let network = SimulatedNetwork.immediate()
    network.stub(
      "https://api.example.com/feed", with: .bytes(count: 50_000).failing(.networkConnectionLost, afterBytes: 20_000))
    let delegate = RecordingDelegate()
    network.session(delegate: delegate).dataTask(with: feed).resume()
    let record = await delegate.end()
    #expect(record.body == GeneratedBody.bytes(in: 0..<20_000))
    #expect(record.code == .networkConnectionLost)
  }

  @Test func `a cancelled task ends once as cancelled, also in the timeline`() async {
    // Without the cancellation it would take five minutes of real time, so that a slow machine does not reach the end.
    let network = SimulatedNetwork("3G", pace: .scaled(100))
    network.stub("https://api.example.com/feed", with: .bytes(count: 3_000_000_000))
    let delegate = RecordingDelegate()
    let task = network.session(delegate: delegate).dataTask(with: feed)
    delegate.onData { count in if count == 3 { task.cancel() } }
    task.resume()
    let record = await delegate.end()
    #expect(record.code == .cancelled)
    #expect(record.ends == 1)
    #expect(network.timeline.transfers.map(\.outcome) == [.cancelled])
  }

  @Test func `a task that is suspended and resumed receives the whole body`() async {
    let network = SimulatedNetwork.immediate()
    network.stub("https://api.example.com/feed", with: .bytes(count: 200_000))
    let delegate = RecordingDelegate()
    let task = network.session(delegate: delegate).dataTask(with: feed)
    delegate.onData { count in
      guard count == 2 else { return }
      task.suspend()
      task.resume()
    }
    task.resume()
    let record = await delegate.end()
    #expect(record.error == nil)
    #expect(record.body == GeneratedBody.bytes(in: 0..<200_000))
  }

  @Test func `each piece of a body that a delegate receives has indices from 0`() async {
    let network = SimulatedNetwork("3G", seed: 1, pace: .immediate)
    network.stub("https://api.example.com/feed", with: .bytes(count: 400_000))
    let delegate = RecordingDelegate()
    network.session(delegate: delegate).dataTask(with: feed).resume()
    let record = await delegate.end()
    #expect(record.chunks.count > 1 && record.chunks.allSatisfy { $0.startIndex == 0 })
    #expect(record.body == GeneratedBody.bytes(in: 0..<400_000))
  }

  @Test func `a body of several pieces that come at once reaches a completion handler whole`() async {
    let network = SimulatedNetwork("unlimited", pace: .immediate)
    network.stub("https://api.example.com/feed", with: .bytes(count: 3_000_000))
    let result = await network.session.complete { $0.dataTask(with: feed, completionHandler: $1) }
    #expect(result.data == GeneratedBody.bytes(in: 0..<3_000_000))
  }

  @Test func `header fields that the session adds reach the server`() async throws {
    let network = SimulatedNetwork.immediate()
    let route = network.stub("https://api.example.com/feed", with: .text("x"))
    let configuration = network.sessionConfiguration
    configuration.httpAdditionalHeaders = ["X-Client": "one", "X-Own": "session"]
    var request = URLRequest(url: feed)
    request.setValue("request", forHTTPHeaderField: "X-Own")
    _ = try await URLSession(configuration: configuration).data(for: request)
    #expect(route.requests.first?.header("X-Client") == "one")
    #expect(route.requests.first?.header("X-Own") == "request")
  }

  @Test func `a received cookie is stored and sent with the next request`() async throws {
    let network = SimulatedNetwork.immediate()
    let route = network.stub(
      "https://api.example.com/feed", with: .text("x").header("Set-Cookie", "sid=abc; Path=/"))
    let session = network.session
    _ = try await session.data(for: URLRequest(url: feed))
    _ = try await session.data(for: URLRequest(url: feed))
    #expect(route.requests.map { $0.header("Cookie") } == [nil, "sid=abc"])
  }

  @Test(arguments: ["gopher://127.0.0.1/", "ftp://127.0.0.1:1/x", "ws://127.0.0.1:1/x", "data:,x", "file:///", "/x"])
  func `a URL that is not HTTP fails with an explanation and is never sent`(text: String) async {
    let network = SimulatedNetwork.immediate()
    network.stub(.any, with: .text("x"))
    let request = URLRequest(url: url(text))
    let delegate = RecordingDelegate()
    network.session(delegate: delegate).dataTask(with: request).resume()
    var errors = [await delegate.end().error as? URLError]
    errors.append(
      await network.session.complete { $0.dataTask(with: request, completionHandler: $1) }.error as? URLError)
    for loader in [network.session, network] as [any HTTPLoader] {
      errors.append(await #expect(throws: URLError.self) { try await loader.data(for: request) })
    }
    for error in errors {
      #expect(error?.code == .unsupportedURL)
      #expect(error?.localizedDescription.contains("only http: and https:") == true)
    }
    #expect(network.timeline.transfers.isEmpty)
  }

  /// A plain session reports the same error.
  ///
  /// On Apple platforms a protocol cannot tell such a body from an upload.
  @Test func `a GET with a body fails as too long and is not sent`() async throws {
    let network = SimulatedNetwork("unlimited", pace: .immediate)
    network.stub("/", with: .text("a"))
    var request = URLRequest(url: url("https://a.example/"))
    #if os(Linux)
      let loaders = [network.session, network] as [any HTTPLoader]
    #else
      let loaders = [network] as [any HTTPLoader]
    #endif
    for loader in loaders {
      request.httpBody = Data("a".utf8)
      let error = await #expect(throws: URLError.self) { try await loader.data(for: request) }
      #expect(error?.code == .dataLengthExceedsMaximum)
      request.httpBody = Data()
      #expect(try await loader.data(for: request).0.count == 1)
    }
    #expect(network.timeline.transfers.count == loaders.count)
  }

  /// A plain session on Linux reports the same error; for an upper-case scheme it reports -1002.
  @Test(arguments: ["http:///path", "HTTP:///path", "https://"])
  func `a URL without a host fails as a bad URL`(text: String) async {
    let network = SimulatedNetwork.immediate()
    network.stub(.any, with: .text("x"))
    for loader in [network.session, network] as [any HTTPLoader] {
      let error = await #expect(throws: URLError.self) { try await loader.data(from: url(text)) }
      #expect(error?.code == .badURL)
      #expect(error?.localizedDescription.contains("no host") == true)
    }
  }
}
