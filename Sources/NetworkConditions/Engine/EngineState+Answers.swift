import Foundation
import LinkSimulator

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What servers give, put on the path.
extension EngineState {
  mutating func giveHead(_ head: ResponseHead, of id: Int) {
    guard let exchange = answering(id), exchange.head == nil else { return }
    keep(head, of: exchange)
    send(exchange.headBytes, of: exchange, finishing: false)
  }

  mutating func giveBody(_ data: Data, of id: Int) {
    guard let exchange = answering(id), exchange.head != nil, keep(data, of: exchange) else { return }
    send(Int64(data.count), of: exchange, finishing: false)
  }

  mutating func giveEnd(_ error: URLError?, of id: Int) {
    guard let exchange = answering(id) else { return }
    exchange.serverHasEnded = true
    exchange.serverError = error
    setServerWork(.done, of: exchange)
    if error != nil, exchange.head == nil {
      paths.abort(exchange.stream, on: exchange.path, at: time)
    } else {
      send(0, of: exchange, finishing: true)
    }
  }

  /// Head, body and end at once: they share their packets.
  mutating func giveAnswer(_ head: ResponseHead, _ body: Data, of id: Int) {
    guard let exchange = answering(id), exchange.head == nil else { return }
    keep(head, of: exchange)
    guard keep(body, of: exchange) else { return }
    exchange.serverHasEnded = true
    setServerWork(.done, of: exchange)
    send(exchange.headBytes + Int64(body.count), of: exchange, finishing: true)
  }

  /// The exchange of a number, while its server may still give something.
  private func answering(_ id: Int) -> Exchange? {
    guard let exchange = exchanges[id], !exchange.serverHasEnded, !exchange.hasEnded else { return nil }
    return exchange
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

  private mutating func send(_ count: Int64, of exchange: Exchange, finishing: Bool) {
    paths.write(count, .down, on: exchange.path, stream: exchange.stream, finishing: finishing, at: time)
  }
}
