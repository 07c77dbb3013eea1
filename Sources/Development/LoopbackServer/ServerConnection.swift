import Foundation

/// Reads one connection's requests and responds to them, on a dedicated thread.
struct ServerConnection: ~Copyable {
  /// The largest body, in bytes, that is sent in one write with the head.
  private static let oneWrite = Behaviour.patternPeriod

  private let socket: Socket
  private let number: Int
  private let server: LoopbackServer.Shared
  private var buffer = [UInt8](repeating: 0, count: 256 << 10)
  private var start = 0
  private var end = 0

  init(socket: Socket, number: Int, server: LoopbackServer.Shared) {
    self.socket = socket
    self.number = number
    self.server = server
  }

  mutating func run() {
    while var request = readHead() {
      if let early = server.early(request) {
        let isOpen = answer(&request, early)
        server.record(request)
        guard isOpen else { break }
      } else {
        guard readBody(of: &request) else { break }
        server.record(request)
        guard perform(server.behaviour(request), request) else { break }
      }
    }
    socket.close()
  }

  // MARK: Reading

  private mutating func fill() -> Bool {
    if start == end { (start, end) = (0, 0) }
    if end == buffer.count, start > 0 {
      buffer.removeSubrange(0..<start)
      buffer += [UInt8](repeating: 0, count: start)
      (start, end) = (0, end - start)
    }
    guard end < buffer.count else { return false }
    let offset = end
    let count = buffer.withUnsafeMutableBytes { bytes in
      socket.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]))
    }
    end += count
    return count > 0
  }

  private mutating func line() -> String? {
    var scanned = start
    while true {
      if let newline = buffer[scanned..<end].firstIndex(of: UInt8(ascii: "\n")) {
        let text = String(decoding: buffer[start..<newline], as: UTF8.self)
        start = newline + 1
        return text.hasSuffix("\r") ? String(text.unicodeScalars.dropLast()) : text
      }
      let behind = end - start
      guard fill() else { return nil }
      scanned = start + behind
    }
  }

  private mutating func readHead() -> ServerRequest? {
    guard let first = line() else { return nil }
    let parts = first.split(separator: " ")
    guard parts.count == 3 else { return nil }
    var request = ServerRequest(
      method: String(parts[0]), target: String(parts[1]), headers: [], connection: number)
    while let text = line(), !text.isEmpty {
      guard let colon = text.firstIndex(of: ":") else { return nil }
      let value = text[text.index(after: colon)...].drop { $0 == " " }
      request.headers.append((String(text[..<colon]), String(value)))
    }
    if request["Expect"]?.lowercased() == "100-continue", !socket.write("HTTP/1.1 100 Continue\r\n\r\n") { return nil }
    return request
  }

  private mutating func readBody(of request: inout ServerRequest) -> Bool {
    if request["Transfer-Encoding"]?.lowercased() == "chunked" {
      while let size = line().flatMap({ Int64($0, radix: 16) }) {
        guard readBody(size, into: &request), line() != nil else { return false }
        if size == 0 { return true }
      }
      return false
    }
    let length = request["Content-Length"].flatMap { Int64($0) } ?? 0
    return readBody(length - request.bodyHash.count, into: &request)
  }

  /// Responds before the whole request has arrived; `false` if the connection cannot be used again.
  private mutating func answer(_ request: inout ServerRequest, _ early: LoopbackServer.EarlyAnswer) -> Bool {
    guard readBody(early.afterBytes, into: &request), write(early.data), early.then != .closes else { return false }
    if early.then == .ends { socket.end() }
    return readBody(of: &request) && early.then == .reads
  }

  private mutating func readBody(_ length: Int64, into request: inout ServerRequest) -> Bool {
    var left = length
    while left > 0 {
      if start == end, !fill() { return false }
      let count = Int(min(left, Int64(end - start)))
      buffer[start..<start + count].withUnsafeBytes { bytes in
        request.bodyHash.add(bytes)
        if request.body.count + count <= ServerRequest.keptBody { request.body.append(contentsOf: bytes) }
      }
      start += count
      left -= Int64(count)
    }
    return true
  }

  // MARK: Answering

  /// Performs a behaviour; `false` if the connection cannot be used again.
  private func perform(_ behaviour: Behaviour, _ request: ServerRequest) -> Bool {
    switch behaviour {
    case .answer(let status, let headers, let body):
      return write(status, headers, length: Int64(body.count), isHead(request) ? Data() : body)
    case .bytes(let count, let headers):
      if isHead(request) { return write(200, headers, length: count) }
      // As with most servers, the head shares a segment with the first bytes.
      let first = min(count, Int64(Behaviour.patternPeriod))
      return write(200, headers, length: count, Behaviour.pattern.prefix(Int(first))) && writePattern(count - first)
    case .chunked(let pieces):
      return write(200, [("Transfer-Encoding", "chunked")], length: nil)
        && pieces.allSatisfy { socket.write("\(String($0.count, radix: 16))\r\n") && write($0) && socket.write("\r\n") }
        && socket.write("0\r\n\r\n")
    case .drip(let pieces, let milliseconds):
      let length = pieces.reduce(0) { $0 + Int64($1.count) }
      return write(200, [], length: length)
        && pieces.allSatisfy { !(milliseconds > 0 && socket.waitForReading(milliseconds: milliseconds)) && write($0) }
    case .echo:
      return perform(.answer(headers: [("Content-Type", "application/json")], echo(request)), request)
    case .held(let next):
      server.waitForRelease()
      return perform(next, request)
    case .stalled(let sent, let total):
      guard write(200, [], length: total), writePattern(sent) else { return false }
      server.waitForRelease()
      return false
    case .resetAfter(let sent, let total):
      if write(200, [], length: total), writePattern(sent) { waitUntilTaken() }
      socket.reset()
      return false
    case .truncated(let sent, let total):
      _ = write(200, [], length: total) && writePattern(sent)
      return false
    case .reset:
      socket.reset()
      return false
    case .close: return false
    case .raw(let data, let resets):
      guard write(data), resets else { return false }
      waitUntilTaken()
      socket.reset()
      return false
    }
  }

  private func isHead(_ request: ServerRequest) -> Bool { request.method == "HEAD" }

  /// Waits until the peer has acknowledged all bytes: a reset discards the rest.
  private func waitUntilTaken() {
    while socket.unsentBytes > 0, !socket.waitForReading(milliseconds: 1) {}
  }

  /// Writes a head, together with a small body.
  private func write(_ status: Int, _ headers: [(String, String)], length: Int64?, _ body: Data = Data()) -> Bool {
    var text = "HTTP/1.1 \(status) Status\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    let isWithoutBody = status == 204 || status == 304
    if let length, !isWithoutBody { text += "Content-Length: \(length)\r\n" }
    text += "\r\n"
    if isWithoutBody { return socket.write(text) }
    if body.count <= Self.oneWrite { return write(Data(text.utf8) + body) }
    return socket.write(text) && write(body)
  }

  private func write(_ data: Data) -> Bool {
    data.withUnsafeBytes { socket.write($0) }
  }

  private func writePattern(_ count: Int64) -> Bool {
    var left = count
    while left > 0 {
      // Each write is a whole number of periods, so the next one continues the pattern.
      let size = Int(min(left, Int64(Behaviour.pattern.count)))
      let isWritten = Behaviour.pattern.withUnsafeBytes {
        socket.write(UnsafeRawBufferPointer(rebasing: $0.prefix(size)))
      }
      guard isWritten else { return false }
      left -= Int64(size)
    }
    return true
  }

  private func echo(_ request: ServerRequest) -> Data {
    struct Echo: Encodable {
      var method: String
      var target: String
      var headers: [String: String]
      var length: Int64
      var hash: String
    }
    let headers = Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
    let echo = Echo(
      method: request.method, target: request.target, headers: headers, length: request.bodyHash.count,
      hash: request.bodyHash.description)
    return (try? JSONEncoder().encode(echo)) ?? Data()
  }
}
