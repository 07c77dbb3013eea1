import Internals
import RetryPolicies
import Testing

@testable import URLLoading

/// Answers every request with a status from its path, `/503/200` on its first and second attempt, without a network.
private final class ScriptedProtocol: URLProtocol {
  static let counts = Mutex<[String: Int]>([:])

  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    // A task that was cancelled before it began is not answered: Foundation on Linux would stop the process.
    guard task?.state == .running else { return }
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

/// A file of ten bytes whose connection breaks after every four bytes.
private final class BreakingProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let range = request.value(forHTTPHeaderField: "Range")
    let start = range.flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
    var headers = ["ETag": "\"a\"", "Content-Length": "\(10 - start)"]
    if range != nil { headers["Content-Range"] = "bytes \(start)-9/10" }
    let response = HTTPURLResponse(
      url: request.url!, statusCode: range == nil ? 200 : 206, httpVersion: "HTTP/1.1", headerFields: headers)!
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data("0123456789".utf8.dropFirst(start).prefix(4)))
    if start + 4 < 10 {
      client?.urlProtocol(self, didFailWithError: URLError(.networkConnectionLost))
    } else {
      client?.urlProtocolDidFinishLoading(self)
    }
  }

  override func stopLoading() {}
}

extension RetryPoliciesTests {
  struct URLSessionTests {
    private let session: URLSession = {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.protocolClasses = [ScriptedProtocol.self]
      return URLSession(configuration: configuration)
    }()

    @Test func `a session retries data requests and uploads until they succeed`() async throws {
      let get = URLRequest(url: URL(string: "http://get.example/503/502/200")!)
      let (data, _) = try await session.data(for: get, retry: ImmediateRetry())
      #expect(String(decoding: data, as: UTF8.self) == "200")
      let other = URLRequest(url: URL(string: "http://patient.example/503/200")!)
      let (late, _) = try await session.data(for: other, retry: ImmediateRetry().deadline(.seconds(3_600)))
      #expect(String(decoding: late, as: UTF8.self) == "200")
      var put = URLRequest(url: URL(string: "http://put.example/503/201")!)
      put.httpMethod = "PUT"
      let bytes = Mutex<[Int]>([])
      let (_, response) = try await session.upload(
        for: put, from: Data(count: 700), retry: ImmediateRetry()
      ) { record in
        bytes.withLock { $0.append(record.requestBytes) }
      }
      #expect((response as? HTTPURLResponse)?.statusCode == 201)
      #expect(bytes.withLock(\.self) == [700, 700])
    }

    @Test func `a session resumes interrupted downloads and chunk streams until they are complete`() async throws {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.protocolClasses = [BreakingProtocol.self]
      let session = URLSession(configuration: configuration)
      let get = URLRequest(url: URL(string: "http://map.example/")!)
      let (file, response) = try await session.download(for: get, retry: ImmediateRetry())
      defer { try? FileManager.default.removeItem(at: file) }
      #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self) == "0123456789")
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      let (chunks, _) = try await session.chunks(for: get, retry: ImmediateRetry())
      let body = try await chunks.reduce(into: Data()) { $0.append($1) }
      #expect(String(decoding: body, as: UTF8.self) == "0123456789")
    }

    @Test func `each attempt uploads the whole file again`() async throws {
      let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try Data(count: 900).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      var put = URLRequest(url: URL(string: "http://file.example/503/201")!)
      put.httpMethod = "PUT"
      let bytes = Mutex<[Int]>([])
      let (_, response) = try await session.upload(for: put, fromFile: file, retry: ImmediateRetry()) { record in
        bytes.withLock { $0.append(record.requestBytes) }
      }
      #expect((response as? HTTPURLResponse)?.statusCode == 201)
      #expect(bytes.withLock(\.self) == [900, 900])
    }

    @Test(arguments: [false, true])
    func `a request that begins in a cancelled task is not sent`(inChunks: Bool) async throws {
      let loader: any HTTPLoader = session
      let url = URL(string: "http://late-\(inChunks).example/200")!
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        let request = URLRequest(url: url)
        if inChunks { _ = try await loader.chunks(for: request) } else { _ = try await loader.data(for: request) }
      }
      task.cancel()
      let error = await #expect(throws: URLError.self) { try await task.value }
      #expect(error?.code == .cancelled)
      #expect(ScriptedProtocol.counts.withLock { $0[url.host!] } == nil)
    }

    #if canImport(FoundationNetworking)
      @Test func `a task that is started after its cancellation never runs`() throws {
        let url = try #require(URL(string: "http://never.example/0"))
        let isRunning = (0..<20).contains { _ in
          let (handle, task) = (CancellableTask(), session.dataTask(with: url))
          handle.cancel()
          handle.start(task)
          return task.state == .running
        }
        #expect(!isRunning)
      }
    #endif

    @Test(arguments: ["", "body"])
    func `a loader without chunks of its own gives a body as one piece, and an empty body as none`(body: String)
      async throws
    {
      struct Answer: HTTPLoader {
        let body: Data
        func data(for request: URLRequest) async throws -> (Data, URLResponse) {
          (
            body,
            URLResponse(url: request.url!, mimeType: nil, expectedContentLength: body.count, textEncodingName: nil)
          )
        }
      }
      let request = URLRequest(url: URL(string: "http://empty.example/")!)
      let (chunks, _) = try await Answer(body: Data(body.utf8)).chunks(for: request)
      let pieces = try await chunks.reduce(into: []) { $0.append(String(decoding: $1, as: UTF8.self)) }
      #expect(pieces == (body.isEmpty ? [] : [body]))
    }

    @Test func `cancelling the task cancels a request that has no answer`() async throws {
      let session = session
      let task = Task {
        try await session.data(for: URLRequest(url: URL(string: "http://never.example/0")!), retry: ImmediateRetry())
      }
      while ScriptedProtocol.counts.withLock({ $0["never.example"] == nil }) { await Task.yield() }
      task.cancel()
      let error = await #expect(throws: URLError.self) { try await task.value }
      #expect(error?.code == .cancelled)
    }

    /// Foundation's own `data(for:)` deadlocks if an attempt ends while the others are cancelled.
    @Test(.timeLimit(.minutes(10))) func `200 requests whose hedges end at the same time neither hang nor crash`()
      async throws
    {
      for turn in 0..<200 {
        let request = URLRequest(url: URL(string: "http://hedge\(turn).example/200")!)
        let (data, _) = try await session.data(for: request, retry: ImmediateRetry().hedged(after: .zero))
        #expect(data.count == 3)
      }
    }
  }
}
