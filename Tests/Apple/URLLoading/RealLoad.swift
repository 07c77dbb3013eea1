// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

import Internals

/// Sends a request that no protocol class takes: real HTTP/1.1 to servers on this machine, on a separate thread.
///
/// The client's calls follow Apple's documentation. A suspended task receives nothing
/// (<https://developer.apple.com/documentation/foundation/urlsessiontask/suspend()>). The client is asked about a
/// redirect, and if it refuses, it receives the redirect's own body
/// (<https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:task:willperformhttpredirection:newrequest:completionhandler:)>).
/// Errors have the codes of <https://developer.apple.com/documentation/foundation/urlerror/code>. Nothing is decoded,
/// and the fields that a session adds to requests are left out.
final class RealLoad: Sendable {
  private struct State {
    var socket: Int32?
    var isCancelled = false
  }
  private let task: URLSessionTask
  private let request: URLRequest
  private let state = Mutex(State())

  /// On Darwin the option SO_NOSIGPIPE prevents the signal; Linux lacks that option.
  private static let ignoresPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

  init(_ task: URLSessionTask, _ request: URLRequest) {
    _ = Self.ignoresPipes
    self.task = task
    self.request = request
  }

  func start() {
    Thread.detachNewThread { [self] in
      do throws(URLError) {
        try run()
      } catch {
        drop()
        task.loadDidEnd(error.naming(request.url))
      }
    }
  }

  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      if let socket = state.socket { _ = shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }

  /// Closes the connection.
  private func drop() {
    state.withLock { state in
      if let socket = state.socket { close(socket) }
      state.socket = nil
    }
  }

  // MARK: An exchange

  private func run() throws(URLError) {
    let body = task.bodyStream().map(Self.contents) ?? Data()
    var stream: ByteStream
    var head: ResponseLines
    let idle = task.session.idleSocket(origin)
    do throws(URLError) {
      let socket = if let idle { idle } else { try connect() }
      stream = try ByteStream(socket, self)
      try stream.send(message(body))
      head = try stream.head()
    } catch  where idle != nil && error.code == .networkConnectionLost && !state.withLock({ $0.isCancelled }) {
      // The server may have closed the kept connection meanwhile.
      drop()
      stream = try ByteStream(connect(), self)
      try stream.send(message(body))
      head = try stream.head()
    }
    guard let url = request.url,
      let response = HTTPURLResponse(
        url: url, statusCode: head.status, httpVersion: "HTTP/1.1", headerFields: head.fields)
    else { throw URLError(.badServerResponse) }
    if let next = redirect(head), let chosen = task.asksForRedirect(to: next, because: response) {
      drop()
      return task.goOn(with: chosen)
    }
    task.didReceive(response)
    try receive(&stream, head)
    if head["connection"]?.lowercased() == "close" || head.length == .untilClose {
      drop()
    } else {
      state.withLock { $0.socket = nil }
      task.session.keep(stream.socket, origin)
    }
    task.loadDidEnd(nil)
  }

  private func redirect(_ head: ResponseLines) -> URLRequest? {
    guard [301, 302, 303, 307, 308].contains(head.status), let location = head["location"],
      let target = URL(string: location, relativeTo: request.url)
    else { return nil }
    var next = request
    next.url = target.absoluteURL
    if head.status < 304, request.httpMethod == "POST" { next.httpMethod = "GET" }
    return next
  }

  private func receive(_ stream: inout ByteStream, _ head: ResponseLines) throws(URLError) {
    if request.httpMethod == "HEAD" || [204, 304].contains(head.status) { return }
    switch head.length {
    case .bytes(let count): try pieces(&stream, count)
    case .untilClose:
      while let piece = try stream.piece(1 << 16) { try give(piece) }
    case .chunked:
      while true {
        let line = try stream.line()
        guard let count = Int(line, radix: 16) else { throw URLError(.cannotParseResponse) }
        try pieces(&stream, count)
        _ = try stream.line()
        if count == 0 { return }
      }
    }
  }

  private func pieces(_ stream: inout ByteStream, _ count: Int) throws(URLError) {
    var left = count
    while left > 0 {
      guard let piece = try stream.piece(min(left, 1 << 16)) else { throw URLError(.networkConnectionLost) }
      left -= piece.count
      try give(piece)
    }
  }

  /// Delivers a piece, and returns when the client has taken it.
  private func give(_ piece: Data) throws(URLError) {
    let isTaken = DispatchSemaphore(value: 0)
    task.didReceive(piece) { isTaken.signal() }
    // A cancelled task no longer calls its client.
    while isTaken.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
      if state.withLock({ $0.isCancelled }) { throw URLError(.cancelled) }
    }
  }

  // MARK: The connection

  private var origin: String { "\(request.url?.host ?? ""):\(request.url?.port ?? 80)" }

  private func connect() throws(URLError) -> Int32 {
    guard let url = request.url, let scheme = url.scheme, ["http", "https"].contains(scheme.lowercased()) else {
      throw URLError(.unsupportedURL)
    }
    guard scheme.lowercased() == "http" else { throw URLError(.secureConnectionFailed) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(url.port ?? 80).bigEndian
    guard inet_pton(AF_INET, url.host ?? "", &address.sin_addr) == 1 else { throw URLError(.cannotFindHost) }
    let socket = socket(AF_INET, SOCK_STREAM, 0)
    let isConnected = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard isConnected == 0 else {
      close(socket)
      throw URLError(.cannotConnectToHost)
    }
    return socket
  }

  /// Records the connection that a cancellation must shut down.
  fileprivate func hold(_ socket: Int32) throws(URLError) {
    let isCancelled = state.withLock { state in
      state.socket = socket
      return state.isCancelled
    }
    if isCancelled { throw URLError(.cancelled) }
  }

  private func message(_ body: Data) -> Data {
    let url = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
    let path = (url?.percentEncodedPath ?? "") + (url?.percentEncodedQuery.map { "?\($0)" } ?? "")
    var text = "\(request.httpMethod ?? "GET") \(path.isEmpty ? "/" : path) HTTP/1.1\r\nHost: \(origin)\r\n"
    for (name, value) in request.allHTTPHeaderFields ?? [:]
    where name.lowercased() != "content-length" && !name.hasPrefix(URLProtocol.propertyPrefix) {
      text += "\(name): \(value)\r\n"
    }
    if !body.isEmpty || ["POST", "PUT"].contains(request.httpMethod) { text += "Content-Length: \(body.count)\r\n" }
    return Data("\(text)\r\n".utf8) + body
  }

  private static func contents(_ stream: InputStream) -> Data {
    stream.open()
    defer { stream.close() }
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = stream.read(&buffer, maxLength: buffer.count)
      if count <= 0 { return data }
      data.append(contentsOf: buffer[..<count])
    }
  }
}

/// The head of an answer.
struct ResponseLines {
  enum Length: Equatable { case bytes(Int), chunked, untilClose }

  var status: Int
  var fields: [String: String] = [:]

  subscript(name: String) -> String? { fields.first { $0.key.lowercased() == name }?.value }

  var length: Length {
    if self["transfer-encoding"]?.lowercased() == "chunked" { return .chunked }
    return self["content-length"].flatMap { Int($0) }.map { .bytes($0) } ?? .untilClose
  }
}

/// Reads and writes a connection; its errors have the codes of Apple's systems.
private struct ByteStream {
  let socket: Int32
  private var buffer = Data()

  init(_ socket: Int32, _ load: RealLoad) throws(URLError) {
    self.socket = socket
    try load.hold(socket)
  }

  func send(_ data: Data) throws(URLError) {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(Glibc.MSG_NOSIGNAL)) }
      guard count > 0 else { throw URLError(.networkConnectionLost) }
      rest = rest.dropFirst(count)
    }
  }

  /// Up to `limit` received bytes; `nil` when the server has closed the connection.
  mutating func piece(_ limit: Int) throws(URLError) -> Data? {
    if buffer.isEmpty {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = recv(socket, &bytes, bytes.count, 0)
      guard count >= 0 else { throw URLError(.networkConnectionLost) }
      if count == 0 { return nil }
      buffer = Data(bytes[..<count])
    }
    let piece = buffer.prefix(limit)
    buffer = Data(buffer.dropFirst(piece.count))
    return Data(piece)
  }

  mutating func line() throws(URLError) -> String {
    var line = Data()
    while true {
      guard let byte = try piece(1) else { throw URLError(.networkConnectionLost) }
      if byte.first == 10 { return String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self) }
      line.append(byte)
    }
  }

  /// Reads the head of the final answer, and skips interim answers.
  mutating func head() throws(URLError) -> ResponseLines {
    while true {
      let words = try line().split(separator: " ", maxSplits: 2)
      guard words.count >= 2, words[0].hasPrefix("HTTP/"), let status = Int(words[1]) else {
        throw URLError(.cannotParseResponse)
      }
      var head = ResponseLines(status: status)
      while true {
        let line = try line()
        if line.isEmpty { break }
        let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        if parts.count == 2 { head.fields[parts[0]] = head.fields[parts[0]].map { "\($0), \(parts[1])" } ?? parts[1] }
      }
      if !(100..<200).contains(status) || status == 101 { return head }
    }
  }
}

extension URLError {
  fileprivate func naming(_ url: URL?) -> URLError {
    URLError(code, userInfo: url.map { [NSURLErrorFailingURLErrorKey: $0] } ?? [:])
  }
}
