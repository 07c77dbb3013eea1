import LinkSimulator
import NetworkConditions
import Testing
import Thoroughness
import URLLoading

/// Bodies arrive unchanged in both directions, at every size and under loss.
struct BodyTests {
  static let sizes: [Int64] = [
    0, 1, 2, 253, 254, 255, 1_193, 1_194, 1_195, 1_447, 1_448, 1_449, 2_896, 14_480, 14_481, 16_383, 16_384, 65_535,
    65_536, 99_999, 262_144, 1_048_575, 1_048_576, 1_048_577, 2_500_000, 5_000_000,
  ]

  private func network(_ profile: String) -> SimulatedNetwork {
    SimulatedNetwork(profile, seed: 3, pace: .immediate)
  }

  @Test(arguments: ["wifi", "lossy", "rural"])
  func `a downloaded body arrives unchanged`(_ profile: String) async throws {
    let network = network(profile)
    defer { network.invalidate() }
    for size in Self.sizes where size <= 1_048_577 || profile == "wifi" && Thoroughness.isWhole {
      network.stub("/body/\(size)", with: .bytes(count: size))
      for scheme in ["http", "https"] {
        let address = url("\(scheme)://bodies.example/body/\(size)")
        let (data, _) = try await network.session.data(for: URLRequest(url: address))
        #expect(data == GeneratedBody.bytes(in: 0..<size), "\(size) bytes over \(scheme) and \(profile)")
      }
    }
  }

  @Test(arguments: ["wifi", "lossy", "rural"])
  func `an uploaded body arrives unchanged`(_ profile: String) async throws {
    let network = network(profile)
    defer { network.invalidate() }
    let route = network.stub(.put, "/body", with: .status(204))
    for size in Self.sizes where size <= 262_144 || profile == "wifi" && Thoroughness.isWhole {
      var request = URLRequest(url: url("http://bodies.example/body"))
      request.httpMethod = "PUT"
      let body = GeneratedBody.bytes(in: 0..<size)
      _ = try await network.session.upload(for: request, from: body)
      #expect(route.requests.last?.bodyData == body, "\(size) bytes over \(profile)")
    }
  }

  @Test func `a body that is read byte by byte arrives unchanged`() async throws {
    let run = try await Simulation("3G", seed: 3) { network in
      network.stub("/body", with: .bytes(count: 200_000))
      let (bytes, _) = try await network.bytes(from: url("https://bodies.example/body"))
      var data = Data()
      for try await byte in bytes { data.append(byte) }
      return data
    }
    #expect(run.value == GeneratedBody.bytes(in: 0..<200_000))
  }

  static let promises: [(method: String, length: String, status: Int, received: Int, isWhole: Bool)] = [
    ("GET", "500", 200, 5, false), ("GET", "6", 404, 5, false), ("GET", "5", 200, 5, true), ("GET", "3", 200, 3, true),
    ("GET", "0", 200, 0, true), ("GET", "-5", 200, 5, true), ("GET", "many", 200, 5, true),
    ("HEAD", "500", 200, 0, true), ("GET", "500", 204, 0, true), ("GET", "500", 304, 0, true),
  ]

  /// A client takes the announced bytes, and a shorter response fails, as with a real server.
  @Test(arguments: promises, [false, true])
  func `a body longer or shorter than its Content-Length is cut or fails`(
    promise: (method: String, length: String, status: Int, received: Int, isWhole: Bool), inPieces: Bool
  ) async throws {
    let network = network("wifi")
    defer { network.invalidate() }
    let body = Data("hello".utf8)
    let response: StubResponse =
      inPieces ? .stream([(.zero, body.prefix(2)), (.milliseconds(1), body.dropFirst(2))]) : .data(body)
    network.stub(.any, with: response.status(promise.status).header("Content-Length", promise.length))
    var request = URLRequest(url: url("http://bodies.example/promise"))
    request.httpMethod = promise.method
    let code: URLError.Code? = promise.isWhole ? nil : .networkConnectionLost
    let received = body.prefix(promise.received)

    let delegate = RecordingDelegate()
    network.session(delegate: delegate).dataTask(with: request).resume()
    let record = await delegate.end()
    #expect(record.body == received && record.code == code && record.response?.statusCode == promise.status)
    let result = await network.session.complete { [request] in $0.dataTask(with: request, completionHandler: $1) }
    #expect(result.code == code && result.data == (promise.isWhole ? received : nil))
    for loader in [network.session, network] as [any HTTPLoader] {
      let data = try? await loader.data(for: request).0
      #expect(data == (promise.isWhole ? received : nil))
    }
    #expect(
      network.timeline.transfers.map(\.outcome) == Array(repeating: code.map { .failed($0) } ?? .finished, count: 4))
    #expect(network.timeline.transfers.map(\.bytesReceived) == Array(repeating: Int64(promise.received), count: 4))
  }

  @Test func `the Content-Length of an encoded body does not cut its decoded bytes`() async throws {
    let network = network("wifi")
    defer { network.invalidate() }
    network.stub(.any, with: .text("decoded").header("Content-Encoding", "br").header("Content-Length", "500"))
    let (data, _) = try await network.session.data(from: url("http://bodies.example/"))
    #expect(data == Data("decoded".utf8))
  }

  @Test func `pieces that arrive while a client does not read are read in their order`() async throws {
    let pieces = [1, 2, 3].map { (Duration.seconds(1), Data(repeating: $0, count: 100_000)) }
    let run = try await Simulation("wifi") { network in
      network.stub("/a", with: .stream(pieces))
      let bytes = try await network.bytes(from: url("http://bodies.example/a")).0
      try await network.clock.sleep(for: .seconds(10))
      var read: [UInt8] = []
      for try await byte in bytes { read.append(byte) }
      return Data(read)
    }
    let isInOrder = run.value == pieces[0].1 + pieces[1].1 + pieces[2].1
    #expect(isInOrder)
  }
}
