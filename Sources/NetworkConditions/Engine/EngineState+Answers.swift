import Foundation
import LinkSimulator

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a server gives in one go.
struct AnswerPart: Sendable {
  var head: ResponseHead?
  var body: [Data] = []
  var end: Result<Void, URLError>?

  /// Adds what was given next; after the end nothing is.
  mutating func add(_ next: AnswerPart) {
    guard end == nil else { return }
    head = head ?? next.head
    body += next.body
    end = next.end
  }

  /// Leaves out what is beyond so many bytes of body.
  mutating func cut(to room: Int64) {
    var left = max(0, room)
    body = body.compactMap { piece in
      let piece = piece.prefix(Int(clamping: left))
      left -= Int64(piece.count)
      return piece.isEmpty ? nil : piece
    }
  }
}

/// What servers give, put on the path.
extension EngineState {
  /// Where the bytes of a part go before it is given, how many of them, and which is flipped; `nil` when nobody wants them.
  ///
  /// As a client does, it takes no more than was announced.
  func place(of part: AnswerPart, for id: Int) -> (body: GivenBody, room: Int64?, corrupted: Int64?)? {
    guard let exchange = exchanges[id], !exchange.serverHasEnded, !exchange.hasEnded,
      let head = exchange.head ?? part.head
    else { return nil }
    let length = exchange.head == nil ? Self.lengths(of: head, for: exchange).body : exchange.bodyLength
    return (
      exchange.given, length.map { $0 - exchange.givenCount },
      exchange.plan.corruptedByte.map { $0 - exchange.givenCount }
    )
  }

  /// Takes in what a server gives; what comes in one go shares its packets.
  mutating func give(_ part: AnswerPart, of id: Int) {
    guard let exchange = exchanges[id], !exchange.serverHasEnded, !exchange.hasEnded else { return }
    var count: Int64 = 0
    if let head = part.head, exchange.head == nil {
      keep(head, of: exchange)
      count += exchange.headBytes
    }
    for piece in part.body where exchange.head != nil {
      exchange.givenCount += Int64(piece.count)
      count += Int64(piece.count)
    }
    if let end = part.end {
      exchange.serverHasEnded = true
      switch end {
      case .failure(let error): exchange.serverError = error
      case .success where exchange.givenCount < exchange.bodyLength ?? 0:
        exchange.serverError = .failure(.truncated, url: exchange.request.url)
      case .success: break
      }
      setServerWork(.done, of: exchange)
      if exchange.head == nil, exchange.serverError != nil {
        return paths.abort(exchange.stream, on: exchange.path, at: time)
      }
    }
    paths.write(
      count, .down, on: exchange.path, stream: exchange.stream, finishing: exchange.serverHasEnded, at: time)
  }

  private func keep(_ head: ResponseHead, of exchange: Exchange) {
    exchange.head = head
    exchange.headBytes = WireFormat.responseHeadBytes(head, version: exchange.line.version)
    (exchange.expectedBody, exchange.bodyLength) = Self.lengths(of: head, for: exchange)
  }

  /// How many bytes of body a head announces, and how many belong to the answer.
  private static func lengths(of head: ResponseHead, for exchange: Exchange) -> (expected: Int64?, body: Int64?) {
    // RFC 9112, 6.3.
    let hasBody = exchange.line.method != "HEAD" && head.status >= 200 && head.status != 204 && head.status != 304
    let expected = hasBody ? head["Content-Length"].flatMap { UInt64($0) }.map { Int64(clamping: $0) } : 0
    // The length of a body that is encoded is that of other bytes.
    let isEncoded = head["Content-Encoding"].map { $0.lowercased() != "identity" } ?? false
    return (expected, isEncoded ? nil : expected)
  }
}
