import Foundation
import Internals
import LoopbackServer
import URLLoading

// Prints how this machine's URL loading system behaves, one line per assumption of the page "On Apple platforms". The
// doubles print the same lines; a difference is news.

/// The client's task, the notes about it, and how often `canInit` was called.
let seen = Mutex<(task: URLSessionTask?, lines: [String], questions: Int)>((nil, [], 0))
func note(_ line: String) { seen.withLock { $0.lines.append(line) } }

/// Responds to each path differently.
final class ProbeProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool {
    seen.withLock { $0.questions += 1 }
    return request.url?.host == "probe.example"
  }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    note("the protocol's task is the client's object: \(seen.withLock { $0.task === task })")
    note("starts: main thread \(Thread.isMainThread), run loop mode \(RunLoop.current.currentMode?.rawValue ?? "none")")
    var bytes = [UInt8](repeating: 0, count: 10)
    request.httpBodyStream?.open()
    let streamed = request.httpBodyStream.map { "a stream of \($0.read(&bytes, maxLength: 10)) bytes" }
    note("body: \(streamed ?? request.httpBody.map { "data of \($0.count) bytes" } ?? "none")")
    guard let url = request.url, url.path != "/silent" else { return }
    let status = ["/old": 302, "/refused": 302, "/moved": 307][url.path] ?? 200
    let made = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
    guard let response = made else { return }
    if status != 200 {
      var next = request
      next.url = URL(string: "https://probe.example/new")
      next.httpBody = status == 307 ? Data(bytes) : nil
      client?.urlProtocol(self, wasRedirectedTo: next, redirectResponse: response)
    }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocolDidFinishLoading(self)
  }
  override func stopLoading() { note("stops") }
}

/// Notes the end of a task and follows every redirect except `/refused`.
final class ProbeDelegate: NSObject, URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(response.url?.path == "/refused" ? nil : request) }
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completion: @escaping @Sendable (InputStream?) -> Void
  ) { completion(InputStream(data: Data(count: 10))) }
  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
    note("client ends: status \(status), error \((error as? URLError)?.code.rawValue ?? 0)")
  }
}

@main enum Probe {
  static func show(_ name: String, _ make: (URLSession, URLRequest) -> URLSessionTask) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [ProbeProtocol.self]
    let session = URLSession(configuration: configuration, delegate: ProbeDelegate(), delegateQueue: nil)
    guard let url = URL(string: "https://probe.example/\(name)") else { return }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    if name == "data" { request.httpBody = Data(count: 10) }
    let task = make(session, request)
    seen.withLock { $0 = (task, [], 0) }
    task.resume()
    Thread.sleep(forTimeInterval: 1)
    var cancelled = Int.max
    if name == "silent" {
      cancelled = seen.withLock { $0.lines.count }
      task.cancel()
    }
    Thread.sleep(forTimeInterval: 1)
    var (_, lines, questions) = seen.withLock { $0 }
    // Two threads report the end of a cancelled task, in either order.
    lines = lines.prefix(cancelled) + lines.dropFirst(cancelled).sorted()
    for line in ["canInit asked \(questions) times"] + lines { print("\(name): \(line)") }
    session.invalidateAndCancel()
  }

  static func main() throws {
    for name in ["data", "old", "refused", "silent"] { show(name) { $0.dataTask(with: $1) } }
    for name in ["upload", "moved"] { show(name) { $0.uploadTask(with: $1, from: Data(count: 10)) } }
    show("file") { $0.uploadTask(with: $1, fromFile: URL(fileURLWithPath: #filePath)) }
    show("stream") { $0.uploadTask(withStreamedRequest: $1) }
    show("download") { $0.downloadTask(with: $1) }
    // Which bytes a task counts for 24,000 zeros that the system decompresses: those on the wire, or more.
    let packed = "H4sIAAAAAAACA+3BAQ0AAADCoPdP7ewBFAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAN7SqhPfAXQAA"
    let body = Data(base64Encoded: packed) ?? Data()
    let server = try LoopbackServer { _ in .answer(headers: [("Content-Encoding", "gzip")], body) }
    let task = URLSession(configuration: .ephemeral).dataTask(with: server.url("/"))
    task.resume()
    Thread.sleep(forTimeInterval: 2)
    print("gzip: \(body.count) bytes sent, \(task.countOfBytesReceived) counted")
    server.stop()
    // Last, since a system may end a process that uploads such files.
    for (name, path) in [("missing", "/nonexistent/file"), ("folder", "/")] {
      show(name) { $0.uploadTask(with: $1, fromFile: URL(fileURLWithPath: path)) }
    }
  }
}
