import Internals
import RetryPolicies
import Testing
import URLLoading

/// Answers every request with a status from its path, `/503/200` on its first and second attempt, without a network.
private final class ScriptedProtocol: URLProtocol {
  static let counts = Mutex<[String: Int]>([:])

  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    // A task that was cancelled before it began is not answered: Foundation on Linux would stop the process.
    guard task?.state != .canceling else { return }
    let url = request.url!
    let turn = Self.counts.withLock { counts in
      counts[url.host!, default: 0] += 1
      return counts[url.host!]! - 1
    }
    let statuses = url.path.split(separator: "/").compactMap { Int($0) }
    let status = statuses[min(turn, statuses.count - 1)]
    guard status > 0 else { return }
    let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: nil)!
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data("\(status)".utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}

extension RetryPoliciesTests {
  @Suite struct URLSessionTests {
    private let session: URLSession = {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.protocolClasses = [ScriptedProtocol.self]
      return URLSession(configuration: configuration)
    }()

    @Test func `a session retries data and uploads`() async throws {
      let get = URLRequest(url: URL(string: "http://get.example/503/502/200")!)
      let (data, _) = try await session.data(for: get, retry: .immediate)
      #expect(String(decoding: data, as: UTF8.self) == "200")
      var put = URLRequest(url: URL(string: "http://put.example/503/201")!)
      put.httpMethod = "PUT"
      let bytes = Mutex<[Int]>([])
      let (_, response) = try await session.upload(for: put, from: Data(count: 700), retry: .immediate) { record in
        bytes.withLock { $0.append(record.requestBytes) }
      }
      #expect((response as? HTTPURLResponse)?.statusCode == 201)
      #expect(bytes.withLock(\.self) == [700, 700])
    }

    @Test func `a file is uploaded anew by each attempt`() async throws {
      let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try Data(count: 900).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      var put = URLRequest(url: URL(string: "http://file.example/503/201")!)
      put.httpMethod = "PUT"
      let bytes = Mutex<[Int]>([])
      let (_, response) = try await session.upload(for: put, fromFile: file, retry: .immediate) { record in
        bytes.withLock { $0.append(record.requestBytes) }
      }
      #expect((response as? HTTPURLResponse)?.statusCode == 201)
      #expect(bytes.withLock(\.self) == [900, 900])
    }

    @Test func `a request that never ends is cancelled with its task`() async throws {
      let session = session
      let task = Task {
        try await session.data(for: URLRequest(url: URL(string: "http://never.example/0")!), retry: .immediate)
      }
      while ScriptedProtocol.counts.withLock({ $0["never.example"] == nil }) { await Task.yield() }
      task.cancel()
      let error = await #expect(throws: URLError.self) { try await task.value }
      #expect(error?.code == .cancelled)
    }

    /// The moment in which Foundation's own `data(for:)` deadlocks: an attempt ends while the others are cancelled.
    @Test(.timeLimit(.minutes(10))) func `hedges that end together neither hang nor crash`() async throws {
      for turn in 0..<200 {
        let request = URLRequest(url: URL(string: "http://hedge\(turn).example/200")!)
        let (data, _) = try await session.data(for: request, retry: ImmediateRetry().hedged(after: .zero))
        #expect(data.count == 3)
      }
    }
  }
}
