package import Foundation

/// How the server handles a request.
package enum Behaviour: Sendable {
  /// A well-formed response.
  case answer(status: Int = 200, headers: [(String, String)] = [], Data = Data())
  /// This many bytes of ``pattern``.
  case bytes(Int64, headers: [(String, String)] = [])
  /// A body in chunked encoding, one chunk per piece.
  case chunked([Data])
  /// The pieces one by one, each after this many milliseconds.
  case drip([Data], milliseconds: Int32)
  /// A response with the request's method, target, headers, length and hash as JSON.
  case echo
  /// Waits for ``LoopbackServer/release()``, then performs this behaviour.
  indirect case held(Behaviour)
  /// A head that promises `total` bytes, then `sent` of them, then nothing until ``LoopbackServer/release()``.
  case stalled(sent: Int64, of: Int64)
  /// A reset before any response.
  case reset
  /// A head that promises `total` bytes, then `sent` of them, then a reset.
  case resetAfter(sent: Int64, of: Int64)
  /// A head that promises `total` bytes, then `sent` of them, then an ordinary close.
  case truncated(sent: Int64, of: Int64)
  /// An ordinary close before any response.
  case close
  /// These bytes unchanged, then a close or a reset.
  case raw(Data, resets: Bool = false)

  /// A block of the repeating byte pattern of large bodies: byte `n` depends on `n % 65521`.
  package static let pattern: Data = {
    var state: UInt32 = 1
    var block = Data(capacity: patternPeriod)
    for _ in 0..<patternPeriod {
      state = state &* 1_664_525 &+ 1_013_904_223
      block.append(UInt8(state >> 24))
    }
    var result = Data(capacity: patternPeriod * 64)
    for _ in 0..<64 { result.append(block) }
    return result
  }()

  /// The pattern's period in bytes: a prime, so that lost or repeated blocks are detected.
  package static let patternPeriod = 65_521

  /// The first `count` bytes of the pattern.
  package static func bytes(first count: Int) -> Data {
    var result = Data(capacity: count)
    while result.count < count { result.append(pattern.prefix(count - result.count)) }
    return result
  }
}

extension LoopbackServer {
  /// A response sent after the head and this many bytes of the request's body.
  package struct EarlyAnswer: Sendable {
    package var afterBytes: Int64
    /// The bytes to send, unchanged.
    package var data: Data
    package var then: Then

    /// The step after an early response.
    package enum Then: Sendable {
      /// Reads the rest of the request.
      case reads
      /// Closes the sending side, then reads the rest.
      case ends
      /// Closes with unread bytes, which resets the connection: the client may lose the response.
      case closes
    }

    package init(afterBytes: Int64, _ data: Data, then: Then = .reads) {
      self.afterBytes = afterBytes
      self.data = data
      self.then = then
    }
  }
}

extension Behaviour {
  /// The behaviour that a path names, for servers that need no closure:
  /// `/bytes/N`, `/chunked/N`, `/drip/PIECES/BYTES?ms=N`, `/echo`, `/status/N`, `/redirect/STATUS?to=URL`,
  /// `/cookie?name=value`, `/held/N`, `/stalled/SENT/TOTAL`, `/reset`, `/reset/SENT/TOTAL`, `/truncated/SENT/TOTAL`,
  /// `/close`.
  @Sendable package static func named(by request: ServerRequest) -> Behaviour {
    let parts = request.path.split(separator: "/")
    func number(_ index: Int) -> Int64 { parts.count > index ? max(0, Int64(parts[index]) ?? 0) : 0 }
    switch (parts.first, parts.count) {
    case ("bytes", 2): return .bytes(number(1))
    case ("chunked", 2):
      let body = bytes(first: Int(number(1)))
      return .chunked(stride(from: 0, to: body.count, by: 10_000).map { body.dropFirst($0).prefix(10_000) })
    case ("drip", 3):
      let piece = Data(repeating: UInt8(ascii: "d"), count: Int(number(2)))
      let pieces = Array(repeating: piece, count: Int(number(1)))
      return .drip(pieces, milliseconds: Int32(request.query["ms"] ?? "0") ?? 0)
    case ("echo", _): return .echo
    case ("status", 2): return .answer(status: Int(number(1)), Data("status".utf8))
    case ("redirect", 2):
      return .answer(
        status: Int(number(1)), headers: [("Location", request.query["to"] ?? "/")], Data("moved".utf8))
    case ("cookie", _):
      return .answer(headers: request.query.sorted { $0.key < $1.key }.map { ("Set-Cookie", "\($0.key)=\($0.value)") })
    case ("held", 2): return .held(.bytes(number(1)))
    case ("stalled", 3): return .stalled(sent: number(1), of: number(2))
    case ("reset", 1): return .reset
    case ("reset", 3): return .resetAfter(sent: number(1), of: number(2))
    case ("truncated", 3): return .truncated(sent: number(1), of: number(2))
    case ("close", _): return .close
    default: return .answer(status: 404, Data("nothing here".utf8))
    }
  }
}
