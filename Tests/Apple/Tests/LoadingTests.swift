import AppleFoundation
import Internals
import LoopbackServer
import Testing

@testable import AppleFoundation
@testable import NetworkConditions

/// The URLProtocol on Apple platforms, over a test double of the URL loading system.
///
/// The double follows Apple's documentation and notes each breach of it.
@Suite(.serialized) final class LoadingTests {
  let network = SimulatedNetwork(.unlimited, seed: 1)

  deinit {
    network.invalidate()
  }

  static func url(_ path: String) -> URL {
    guard let url = URL(string: "https://api.example.com/\(path)") else { fatalError("the path is part of a URL") }
    return url
  }

  @Test func `an awaited request returns a body of 20 MB whole`() async throws {
    network.stub("/large", with: .bytes(count: 20_000_000))
    for _ in 0..<4 {
      let (data, response) = try await network.session.data(from: Self.url("large"))
      #expect(data.count == 20_000_000)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
  }

  /// A delegate that records its calls.
  private final class Delegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
    struct Told {
      var status: Int?
      var bytes = 0
      var ends: [(any Error)?] = []
      var redirects = 0
      var downloaded: Int?
    }
    let told = Mutex(Told())
    let done = DispatchSemaphore(value: 0)
    let body: Data
    let follows: Bool

    init(body: Data = Data(), follows: Bool = true) { (self.body, self.follows) = (body, follows) }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      told.withLock { $0.status = (response as? HTTPURLResponse)?.statusCode }
      completionHandler(.allow)
    }
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      told.withLock { $0.bytes += data.count }
    }
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      told.withLock { $0.ends.append(error) }
      done.signal()
    }
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      told.withLock { $0.redirects += 1 }
      completionHandler(follows ? request : nil)
    }
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
      completionHandler(InputStream(data: body))
    }
    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
      let size = (try? Data(contentsOf: location))?.count
      told.withLock { $0.downloaded = size }
    }
  }

  private func run(
    _ delegate: Delegate, _ make: (URLSession) -> URLSessionTask
  ) -> Delegate.Told {
    let session = URLSession(
      configuration: network.sessionConfiguration, delegate: delegate, delegateQueue: nil)
    make(session).resume()
    delegate.done.wait()
    session.finishTasksAndInvalidate()
    return delegate.told.withLock { $0 }
  }

  @Test func `a delegate receives the response, the body and one completion`() {
    network.stub("/feed", with: .bytes(count: 200_000))
    let told = run(Delegate()) { $0.dataTask(with: Self.url("feed")) }
    #expect(told.status == 200)
    #expect(told.bytes == 200_000)
    #expect(told.ends.count == 1 && told.ends[0] == nil)
  }

  @Test func `a session follows a redirect and tells its delegate once`() async throws {
    network.stub("/old", with: .redirect(to: Self.url("new")))
    network.stub("/new", with: .text("here"))
    let (data, response) = try await network.session.data(from: Self.url("old"))
    #expect(String(decoding: data, as: UTF8.self) == "here")
    #expect(response.url == Self.url("new"))
    let told = run(Delegate()) { $0.dataTask(with: Self.url("old")) }
    #expect(told.redirects == 1)
    #expect(told.status == 200)
  }

  @Test func `a delegate that refuses a redirect receives the redirect's response`() {
    network.stub("/old", with: .redirect(to: Self.url("new")))
    let told = run(Delegate(follows: false)) { $0.dataTask(with: Self.url("old")) }
    #expect(told.redirects == 1)
    #expect(told.status.map { (300..<400).contains($0) } == true)
    #expect(told.ends.count == 1 && told.ends[0] == nil)
  }

  @Test func `the server receives request bodies given as data, as a file and as a stream`() async throws {
    let arrived = Mutex<[Int]>([])
    network.stub("/upload") { request in
      arrived.withLock { $0.append(request.httpBody?.count ?? -1) }
      return .status(201)
    }
    var request = URLRequest(url: Self.url("upload"))
    request.httpMethod = "POST"
    request.httpBody = Data(count: 5_000)
    _ = try await network.session.data(for: request)
    request.httpBody = nil
    _ = try await network.session.upload(for: request, from: Data(count: 70_000))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("apple-upload-\(UUID().uuidString)")
    try Data(count: 2_000_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try await network.session.upload(for: request, fromFile: file)
    let streamed = request
    let told = run(Delegate(body: Data(count: 300_000))) { $0.uploadTask(withStreamedRequest: streamed) }
    #expect(told.ends.count == 1 && told.ends[0] == nil)
    #expect(arrived.withLock { $0 } == [5_000, 70_000, 2_000_000, 300_000])
  }

  @Test(arguments: ["/nonexistent/file", "/"])
  func `an upload of an unreadable file ends once`(path: String) {
    let arrived = Mutex<[Int]>([])
    network.stub("/upload") { request in
      arrived.withLock { $0.append(request.httpBody?.count ?? 0) }
      return .status(201)
    }
    var request = URLRequest(url: Self.url("upload"))
    request.httpMethod = "POST"
    let post = request
    let told = run(Delegate()) { $0.uploadTask(with: post, fromFile: URL(fileURLWithPath: path)) }
    let goesWithout = Unkindness.noBodies.isOn && path != "/"
    #expect(arrived.withLock { $0 } == (goesWithout ? [0] : []))
    #expect(told.status == (goesWithout ? 201 : nil))
    let error = goesWithout ? nil : URLError.Code.requestBodyStreamExhausted
    #expect(told.ends.count == 1 && (told.ends[0] as? URLError)?.code == error)
  }

  @Test func `a redirect with 307 sends the body of each kind of upload again`() throws {
    let arrived = Mutex<[Int]>([])
    network.stub("/old", with: .redirect(to: Self.url("new"), status: 307))
    network.stub("/new") { request in
      arrived.withLock { $0.append(request.httpBody?.count ?? 0) }
      return .status(201)
    }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("apple-upload-\(UUID().uuidString)")
    try Data(count: 3_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var request = URLRequest(url: Self.url("old"))
    request.httpMethod = "POST"
    let post = request
    request.httpBody = Data(count: 500)
    let whole = request
    for make: (URLSession) -> URLSessionTask in [
      { $0.uploadTask(with: post, from: Data(count: 1_000)) }, { $0.uploadTask(with: post, fromFile: file) },
      { $0.uploadTask(withStreamedRequest: post) }, { $0.dataTask(with: whole) },
    ] {
      let told = run(Delegate(body: Data(count: 2_000)), make)
      #expect(told.status == 201 && told.redirects == 1)
    }
    #expect(arrived.withLock { $0 } == [1_000, 3_000, 2_000, 500])
  }

  @Test func `a download task downloads a stubbed file`() async throws {
    network.stub("/file", with: .bytes(count: 123_456))
    let told = run(Delegate()) { $0.downloadTask(with: Self.url("file")) }
    #expect(told.downloaded == 123_456)
  }

  @Test func `a client receives a stubbed error as a URLError`() async throws {
    network.stub("/feed", with: .error(.networkConnectionLost))
    let error = await #expect(throws: URLError.self) { try await network.session.data(from: Self.url("feed")) }
    #expect(error?.code == .networkConnectionLost)
    let none = await #expect(throws: URLError.self) { try await network.session.data(from: Self.url("nowhere")) }
    #expect(none != nil)
  }

  @Test func `a session with a URLCache sends each request to the network`() async throws {
    network.stub("/feed", with: .sequence([.text("one"), .text("two")]))
    let configuration = network.sessionConfiguration
    configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    let session = URLSession(configuration: configuration)
    #expect(try await session.data(from: Self.url("feed")).0 == Data("one".utf8))
    #expect(try await session.data(from: Self.url("feed")).0 == Data("two".utf8))
  }

  @Test func `a 401 with a Basic challenge reaches the client as a response`() async throws {
    network.stub("/private", with: .status(401).header("WWW-Authenticate", "Basic realm=\"x\""))
    let (_, response) = try await network.session.data(from: Self.url("private"))
    #expect((response as? HTTPURLResponse)?.statusCode == 401)
  }

  @Test func `a task that is suspended and resumed completes once`() {
    network.stub("/feed", with: .text("x"))
    let ends = Mutex(0)
    let done = DispatchSemaphore(value: 0)
    let task = network.session.dataTask(with: Self.url("feed")) { _, _, _ in
      ends.withLock { $0 += 1 }
      done.signal()
    }
    task.resume()
    task.suspend()
    task.resume()
    done.wait()
    #expect(ends.withLock { $0 } == 1)
  }

  @Test func `the shared URLSession uses the simulated network while the network intercepts it`() async throws {
    network.stub("/feed", with: .text("simulated"))
    let data = try await network.interceptingSharedSession {
      try await URLSession.shared.data(from: Self.url("feed")).0
    }
    #expect(data == Data("simulated".utf8))
  }

  @Test func `a transport's real requests reach the server while the shared session is intercepted`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let network = SimulatedNetwork(.unlimited, seed: 1, transport: URLSessionTransport())
    defer { network.invalidate() }
    let data = try await network.interceptingSharedSession {
      try await URLSession.shared.data(from: server.url("/bytes/1000")).0
    }
    #expect(data.count == 1_000)
  }

  @Test func `a session fails its tasks as cancelled once its network is invalidated`() async throws {
    let network = SimulatedNetwork(.unlimited, seed: 1)
    let session = network.session
    network.invalidate()
    let error = await #expect(throws: URLError.self) { try await session.data(from: Self.url("feed")) }
    #expect(error?.code == .cancelled)
  }

  /// How many times each task has completed.
  private final class Ends: Sendable {
    private let numbers = Mutex<[Int: Int]>([:])
    var counts: [Int: Int] { numbers.withLock { $0 } }

    func note(_ number: Int) -> Int {
      numbers.withLock { numbers in
        numbers[number, default: 0] += 1
        return numbers[number] ?? 0
      }
    }
  }

  @Test func `each of many tasks that are cancelled at random moments completes once`() async throws {
    network.stub("/feed", with: .bytes(count: 20_000))
    let count = Int(ProcessInfo.processInfo.environment["NETCOND_APPLE_TASKS"] ?? "") ?? 3_000
    let ends = Ends()
    let session = network.session
    for start in stride(from: 0, to: count, by: 100) {
      await withTaskGroup { group in
        for number in start..<min(count, start + 100) {
          group.addTask {
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
              let task = session.dataTask(with: Self.url("feed")) { _, _, _ in
                if ends.note(number) == 1 { done.resume() }
              }
              task.resume()
              if number % 3 != 0 {
                // Real time on purpose: the cancellation may come at any moment.
                DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(Int.random(in: 0..<2_000))) {
                  task.cancel()
                }
              }
            }
          }
        }
      }
    }
    #expect(ends.counts.count == count && ends.counts.values.allSatisfy { $0 == 1 })
  }
}
