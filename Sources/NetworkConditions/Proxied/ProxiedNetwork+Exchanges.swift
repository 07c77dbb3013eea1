import LinkSimulator
import URLLoading

/// Requests and answers; the network's owner says where they begin and end, because the network sees no bytes.
extension ProxiedNetwork {
  /// Begins an exchange: records it, finds its path, and draws its faults.
  ///
  /// Rules match the request, or `CONNECT` with a server's URL. `head` and `body` are sizes on the connection.
  ///
  /// - Parameter isOpaque: whether the client understands no answer but its server's.
  package mutating func begin(
    _ request: URLRequest, as name: String? = nil, path: Int? = nil, head: Int64 = 0, body: Int64? = nil,
    isOpaque: Bool = false
  )
    -> ProxiedExchange.Start
  {
    var line = RequestLine(request, identities: &identities)
    // No connection here has the streams of HTTP/2.
    (line.isOpaque, line.version) = (isOpaque, .http1)
    let path = path ?? (try? paths.path(for: request, at: time)) ?? 0
    for index in paths.indices where index >= isUnlimited.count { drain(index) }
    let plan = paths.faultPlan(for: request, line, length: (head, body), path: path, at: time)
    let number = timeline.nextTransfer()
    let transfer = Transfer(
      number: number, method: name ?? line.method, url: line.url, shownURL: line.shownURL, occurrence: line.occurrence,
      profile: paths.name(of: path), started: time)
    exchanges[number] = ProxiedExchange(transfer: transfer, line: line, path: path, plan: plan, head: head)
    record(.started(method: name ?? line.method, url: line.shownURL), of: number)
    for fault in plan.descriptions { record(.fault(fault), of: number) }
    return ProxiedExchange.Start(number: number, path: path, plan)
  }

  package func isUnderWay(_ exchange: Int) -> Bool { exchanges[exchange] != nil }

  package mutating func requestEnds(_ exchange: Int) {
    guard let open = exchanges[exchange], open.requestEnd == nil, let connection = open.connection,
      let carrier = self[connection]
    else { return }
    exchanges[exchange]?.requestEnd = carrier.up.written
    if exchanges[exchange]?.noteRequestReceived(carrier.up.arrived, at: time) ?? false {
      news.append(.asked(exchange: exchange))
    }
    noteRequestSent(connection)
  }

  /// Begins an answer: decides its faults' places, and returns a flipped byte's position and an idle limit, if any.
  @discardableResult
  package mutating func answerBegins(
    _ number: Int, status: Int?, head: Int64, body: Int64?, endsWithConnection: Bool
  ) -> (flipped: Int64?, idleLimit: Duration?) {
    guard var exchange = exchanges[number], let connection = exchange.connection, let carrier = self[connection] else {
      return (nil, nil)
    }
    exchange.answerBegins(
      status: status, head: head, body: body, endsWithConnection: endsWithConnection, at: carrier.down.written)
    exchange.plan.place(in: (head, body))
    exchanges[number] = exchange
    let faults = exchange.plan.ofResponse
    for planned in faults { record(.fault(planned.fault.description), of: number) }
    paths.noteStrike(faults, to: exchange.line, on: carrier.path)
    let strikes = faults.flatMap(\.fault.value.streamFaults)
    add(strikes.filter { $0.idleLimit == nil }.map { $0.shifted(by: carrier.down.carried) }, to: connection)
    return (exchange.plan.corruptedByte, strikes.compactMap(\.idleLimit).min())
  }

  package mutating func answerEnds(_ number: Int) {
    guard let connection = exchanges[number]?.connection, let carrier = self[connection] else { return }
    exchanges[number]?.answerEnd = carrier.down.written
    if exchanges[number]?.noteAnswered(carrier.down.arrived) ?? false { end(number, as: .finished) }
  }

  package mutating func end(_ number: Int, as outcome: Transfer.Outcome) {
    guard var exchange = exchanges.removeValue(forKey: number) else { return }
    if let connection = exchange.connection, let carrier = self[connection] {
      let total = paths.statistics(of: carrier.stream, on: carrier.path)
      exchange.transfer.wire = total.since(exchange.statistics)
      if carrier.exchange == number { self[connection]?.exchange = nil }
    }
    // Progress of bytes that bypassed the link was not recorded; record their sums now.
    if exchange.isQuiet {
      let kinds: [NetworkEvent.Kind?] = [
        exchange.transfer.bytesSent > 0 ? .uploaded(bytes: exchange.transfer.bytesSent, of: nil) : nil,
        exchange.transfer.bytesReceived > 0
          ? .received(bytes: exchange.transfer.bytesReceived, of: exchange.transfer.bytesExpected) : nil,
      ]
      for kind in kinds.compactMap({ $0 }) { record(kind, of: number) }
    }
    exchange.transfer.ended = time
    exchange.transfer.outcome = outcome
    timeline.transfers.append(exchange.transfer)
    if let event = outcome.event { record(event, of: number) }
    if outcome == .finished { news.append(.answered(exchange: number)) }
  }
}
