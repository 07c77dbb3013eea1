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
      guard keep(piece, of: exchange) else { return }
      count += Int64(piece.count)
    }
    if let end = part.end {
      exchange.serverHasEnded = true
      if case .failure(let error) = end { exchange.serverError = error }
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
    exchange.expectedBody = exchange.line.method == "HEAD" ? 0 : head["Content-Length"].flatMap { Int64($0) }
  }

  /// Keeps a piece of body until it arrives; says no when it cannot, which ends the exchange.
  private mutating func keep(_ data: Data, of exchange: Exchange) -> Bool {
    var data = data
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
