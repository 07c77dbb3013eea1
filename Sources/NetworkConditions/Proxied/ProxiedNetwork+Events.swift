import LinkSimulator
import URLLoading

extension ProxiedNetwork {
  mutating func drain(_ path: Int) {
    var events = paths.takeEvents(of: path)
    for event in events { handle(event, on: path) }
    paths.giveBack(&events)
  }

  mutating func handle(_ event: PathEvent, on path: Int) {
    guard let stream = event.stream else {
      if case .phaseEntered(let index) = event.kind {
        while isUnlimited.count <= path { isUnlimited.append(false) }
        isUnlimited[path] = paths.entries[path].change { $0.isUnlimited }
        record(.phaseEntered(paths.phaseName(index, of: path)), of: nil)
      }
      return
    }
    let connection = stream.owner
    guard let carrier = self[connection], carrier.stream == stream, carrier.path == path else { return }
    switch event.kind {
    case .resolved(let cached):
      if let exchange = carrier.exchange { exchanges[exchange]?.transfer.resolved = event.time }
      record(.resolved(cached: cached), of: carrier.exchange)
    case .connected:
      self[connection]?.isConnected = true
      if let exchange = carrier.exchange { exchanges[exchange]?.transfer.connected = event.time }
      record(.connected(reused: false), of: carrier.exchange)
      news.append(.connected(connection))
    case .uploaded(let total):
      let count = total - carrier.up.carriedArrived
      self[connection]?.up.carriedArrived = total
      news.append(.arrived(connection, .up, count))
      arrived(count, .up, on: connection)
    case .received(let count):
      self[connection]?.down.carriedArrived += count
      news.append(.arrived(connection, .down, count))
      arrived(count, .down, on: connection)
    case .wanting(let direction):
      isWanting = true
      news.append(.wanting(connection, direction))
    case .requestReceived:
      news.append(.ended(connection, .up))
      ended(.up, connection)
    case .responseReceived:
      news.append(.ended(connection, .down))
      ended(.down, connection)
    case .packetLost(let direction, let reason): record(.packetLost(direction, reason), of: carrier.exchange)
    case .retransmitted(let direction, let cause): record(.retransmitted(direction, cause), of: carrier.exchange)
    case .stalled:
      if let exchange = carrier.exchange { exchanges[exchange]?.transfer.stalls += 1 }
      record(.stalled, of: carrier.exchange)
    case .failed(let failure): fail(connection, failure)
    case .fellBack, .secured, .requestSent, .phaseEntered: break
    }
    noteRequestSent(connection)
  }

  mutating func fail(_ connection: Int, _ failure: StreamFailure) {
    news.append(.failed(connection, failure))
    if let exchange = self[connection]?.exchange {
      // If the connection's end ends the answer, the client cannot know that more was to come.
      let isWhole = failure == .truncated && exchanges[exchange]?.endsWithConnection == true
      end(exchange, as: isWhole ? .finished : .failed(URLError.failure(failure, url: nil).code))
    }
    remove(connection, isOver: true)
  }

  mutating func arrived(_ count: Int64, _ direction: Direction, on connection: Int) {
    self[connection]?[direction].arrived += count
    guard let carrier = self[connection], let number = carrier.exchange, var exchange = exchanges[number] else {
      return
    }
    let isQuiet = passes(carrier, direction)
    let wasAsked = exchange.transfer.requestReceived != nil
    let kinds = exchange.take(count, direction, total: carrier[direction].arrived, at: time)
    if !wasAsked, exchange.transfer.requestReceived != nil { news.append(.asked(exchange: number)) }
    let isOver = exchange.isAnswered
    exchange.isQuiet = exchange.isQuiet || isQuiet
    exchanges[number] = exchange
    for kind in kinds where !isQuiet || !kind.isProgress { record(kind, of: number) }
    if isOver { end(number, as: .finished) }
  }

  mutating func ended(_ direction: Direction, _ connection: Int) {
    self[connection]?[direction].hasEnded = true
    guard let carrier = self[connection] else { return }
    if direction == .down, let number = carrier.exchange, exchanges[number]?.endsWithConnection == true {
      end(number, as: .finished)
    }
    guard carrier.up.hasEnded, carrier.down.hasEnded else { return }
    if let number = carrier.exchange {
      // Both ends may close a tunnel at any time, but a request without its whole answer has failed.
      end(number, as: exchanges[number]?.line.method == "CONNECT" ? .finished : .failed(.networkConnectionLost))
    }
    remove(connection, isOver: false)
  }

  mutating func noteRequestSent(_ connection: Int) {
    guard let carrier = self[connection], let number = carrier.exchange, let exchange = exchanges[number],
      exchange.transfer.requestSent == nil, exchange.isRequestWritten, carrier.isConnected,
      paths.entries[carrier.path].change({ $0.unsent(.up, on: carrier.stream) }) == 0
    else { return }
    exchanges[number]?.transfer.requestSent = time
    record(.requestSent, of: number)
  }
}
