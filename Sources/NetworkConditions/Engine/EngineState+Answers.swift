import Foundation
import LinkSimulator

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What servers give, put on the path.
extension EngineState {
  mutating func giveHead(_ head: ResponseHead, of id: Int) {
    guard let exchange = exchanges[id], exchange.head == nil, !exchange.serverHasEnded, !exchange.hasEnded else {
      return
    }
    exchange.head = head
    exchange.headBytes = WireFormat.responseHeadBytes(head, version: exchange.line.version)
    exchange.expectedBody = exchange.line.method == "HEAD" ? 0 : head["Content-Length"].flatMap { Int64($0) }
    paths.write(exchange.headBytes, .down, on: exchange.path, stream: exchange.stream, finishing: false, at: time)
  }

  mutating func giveBody(_ data: Data, of id: Int) {
    guard let exchange = exchanges[id], exchange.head != nil, !exchange.serverHasEnded, !exchange.hasEnded else {
      return
    }
    var data = data
    if let corrupted = exchange.plan.corruptedByte, corrupted >= exchange.given,
      corrupted < exchange.given + Int64(data.count)
    {
      data[data.startIndex + Int(corrupted - exchange.given)] ^= 0xFF
    }
    do {
      try exchange.spool.append(data)
      exchange.given += Int64(data.count)
    } catch {
      return end(
        id,
        with: .failed(
          .simulated(.cannotWriteToFile, url: exchange.request.url, because: "The body cannot be spooled: \(error)")))
    }
    paths.write(Int64(data.count), .down, on: exchange.path, stream: exchange.stream, finishing: false, at: time)
  }

  mutating func giveEnd(_ error: URLError?, of id: Int) {
    guard let exchange = exchanges[id], !exchange.serverHasEnded, !exchange.hasEnded else { return }
    exchange.serverHasEnded = true
    exchange.serverError = error
    setServerWork(.done, of: id)
    if error != nil, exchange.head == nil {
      paths.abort(exchange.stream, on: exchange.path, at: time)
    } else {
      paths.write(0, .down, on: exchange.path, stream: exchange.stream, finishing: true, at: time)
    }
  }
}
