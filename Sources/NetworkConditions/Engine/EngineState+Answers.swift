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
}

/// What servers give, put on the path.
extension EngineState {
  /// Takes in what a server gives; what comes in one go shares its packets.
  mutating func give(_ part: AnswerPart, of id: Int) {
    guard let exchange = exchanges[id], !exchange.serverHasEnded, !exchange.hasEnded else { return }
    var count: Int64 = 0
    if let head = part.head, exchange.head == nil {
      keep(head, of: exchange)
      count += exchange.headBytes
    }
    for piece in part.body where exchange.head != nil {
      let given = exchange.given
      guard keep(piece, of: exchange) else { return }
      count += exchange.given - given
    }
    if let end = part.end {
      exchange.serverHasEnded = true
      switch end {
      case .failure(let error): exchange.serverError = error
      case .success where exchange.given < exchange.bodyLength ?? 0:
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
    // RFC 9112, 6.3.
    let hasBody = exchange.line.method != "HEAD" && head.status >= 200 && head.status != 204 && head.status != 304
    exchange.expectedBody = hasBody ? head["Content-Length"].flatMap { UInt64($0) }.map { Int64(clamping: $0) } : 0
    // The length of a body that is encoded is that of other bytes.
    let isEncoded = head["Content-Encoding"].map { $0.lowercased() != "identity" } ?? false
    exchange.bodyLength = isEncoded ? nil : exchange.expectedBody
  }

  /// Keeps a piece of body until it arrives; says no when it cannot, which ends the exchange.
  ///
  /// As a client does, it takes no more than was announced.
  private mutating func keep(_ data: Data, of exchange: Exchange) -> Bool {
    var data = exchange.bodyLength.map { data.prefix(Int(clamping: $0 - exchange.given)) } ?? data
    if let corrupted = exchange.plan.corruptedByte, corrupted >= exchange.given,
      corrupted < exchange.given + Int64(data.count)
    {
      data[data.startIndex + Int(corrupted - exchange.given)] ^= 0xFF
    }
    do {
      try exchange.spool.append(data)
      exchange.given += Int64(data.count)
      return true
    } catch {
      end(
        exchange.id,
        with: .failed(
          .simulated(.cannotWriteToFile, url: exchange.request.url, because: "The body cannot be spooled: \(error)")))
      return false
    }
  }
}
