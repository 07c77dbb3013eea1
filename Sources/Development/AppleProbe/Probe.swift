import Foundation
import Internals
import LoopbackServer
import URLLoading

// Prints what the URL loading system of this machine does where the package relies on it: a line for each assumption of
// the page "On Apple platforms". The doubles print the same lines; a difference is news.

/// Writes down what is asked of it, and answers each path in a way of its own.
final class ProbeProtocol: URLProtocol {
  struct Seen {
    var lines: [String] = []
    var questions = 0
    var task: ObjectIdentifier?
  }
  static let seen = Mutex(Seen())
  static func note(_ line: String) { seen.withLock { $0.lines.append(line) } }

  override class func canInit(with request: URLRequest) -> Bool {
    seen.withLock { $0.questions += 1 }
    return request.url?.host == "probe.example"
  }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let mode = RunLoop.current.currentMode?.rawValue ?? "none"
    let body = request.httpBodyStream != nil ? "a stream" : request.httpBody != nil ? "data" : "none"
    Self.note("starts: main thread \(Thread.isMainThread), run loop mode \(mode), body \(body)")
    Self.seen.withLock { $0.task = task.map(ObjectIdentifier.init) }
    guard let url = request.url, url.path != "/silent" else { return }
    let fields = url.path == "/old" ? ["Location": "/new"] : [:]
    let response = HTTPURLResponse(
      url: url, statusCode: fields.isEmpty ? 200 : 302, httpVersion: "HTTP/1.1", headerFields: fields)
    guard let response, let next = URL(string: "http://probe.example/new") else { return }
    if !fields.isEmpty {
      client?.urlProtocol(self, wasRedirectedTo: URLRequest(url: next), redirectResponse: response)
    }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocolDidFinishLoading(self)
  }
  override func stopLoading() { Self.note("stops") }
}

/// Notes what the client of a task is told, and follows no redirect to `/new` unless it is asked to.
final class ProbeDelegate: NSObject, URLSessionDataDelegate {
  let follows: Bool
  init(follows: Bool) { self.follows = follows }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(follows ? request : nil) }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completion: @escaping @Sendable (InputStream?) -> Void
  ) { completion(InputStream(data: Data(count: 10))) }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
    ProbeProtocol.note("client ends: status \(status), error \((error as? URLError)?.code.rawValue ?? 0)")
  }
}

@main enum Probe {
  static func show(
    _ name: String, follows: Bool = true, cancels: Bool = false, _ make: (URLSession, URLRequest) -> URLSessionTask
  ) {
    ProbeProtocol.seen.withLock { $0 = ProbeProtocol.Seen() }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [ProbeProtocol.self]
    let session = URLSession(
      configuration: configuration, delegate: ProbeDelegate(follows: follows), delegateQueue: nil)
    guard let url = URL(string: "http://probe.example/\(name)") else { return }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    let task = make(session, request)
    task.resume()
    if cancels {
      Thread.sleep(forTimeInterval: 1)
      task.cancel()
    }
    Thread.sleep(forTimeInterval: 2)
    let seen = ProbeProtocol.seen.withLock { $0 }
    let facts = [
      "canInit asked \(seen.questions) times",
      "the protocol's task is the client's object: \(seen.task == ObjectIdentifier(task))",
    ]
    for line in facts + seen.lines { print("\(name)\(follows ? "" : ", refused"): \(line)") }
    session.invalidateAndCancel()
  }

  static func main() throws {
    show("data") { session, request in
      var request = request
      request.httpBody = Data(count: 10)
      return session.dataTask(with: request)
    }
    show("upload") { $0.uploadTask(with: $1, from: Data(count: 10)) }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("netcond-probe")
    try Data(count: 10).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    show("file") { $0.uploadTask(with: $1, fromFile: file) }
    show("stream") { $0.uploadTask(withStreamedRequest: $1) }
    show("download") { $0.downloadTask(with: $1) }
    show("old") { session, request in session.dataTask(with: request.url ?? file) }
    show("old", follows: false) { session, request in session.dataTask(with: request.url ?? file) }
    show("silent", cancels: true) { session, request in session.dataTask(with: request.url ?? file) }
    try showCounts()
  }

  /// The bytes that a task counts of a body that the system decodes: those of the wire, or more.
  private static func showCounts() throws {
    // "hello " 4,000 times, by gzip.
    let text =
      "H4sIAAAAAAAC/+3EMQ0AAAgDMCuYI+FYgv8PIbRHp5OtsW3btm3btm3btm3btm3btm3btm3btm3btm3btm3btm3btu33H5awQDvAXQAA"
    let packed = Data(base64Encoded: text) ?? Data()
    let server = try LoopbackServer { _ in .answer(headers: [("Content-Encoding", "gzip")], packed) }
    defer { server.stop() }
    let session = URLSession(configuration: .ephemeral)
    let task = session.dataTask(with: server.url("/")) { data, _, _ in
      ProbeProtocol.note("gzip: \(data?.count ?? -1) bytes of body")
    }
    task.resume()
    Thread.sleep(forTimeInterval: 2)
    print("gzip: \(packed.count) bytes sent, \(task.countOfBytesReceived) counted")
  }
}
