import LinkSimulator
import URLLoading

package struct ProxiedExchange {
  package struct Start: Sendable {
    package let number: Int
    package let path: Int
    package let delay: Duration
    package let answer: OwnAnswer?
    /// Whether the exchange needs a new connection, because a fault makes the attempt to connect fail.
    package let forcesConnection: Bool
    package let failsHandshake: Bool

    init(number: Int, path: Int, _ plan: FaultPlan) {
      self.number = number
      self.path = path
      delay = plan.extraDelay
      answer = plan.answer
      forcesConnection = plan.streamFaults.contains { [.resolutionFailure, .refused, .unreachable].contains($0) }
      failsHandshake = plan.streamFaults.contains(.handshakeFailure)
    }
  }

  var transfer: Transfer
  let line: RequestLine
  let path: Int
  var plan: FaultPlan
  let head: Int64
  var connection: Int?
  /// The connection's statistics at the exchange's start, to subtract from those at its end.
  var statistics = StreamStatistics()
  private var upStart: Int64 = 0
  private var downStart: Int64 = 0
  /// The positions on the connection at which the request and the answer end, once known.
  var requestEnd: Int64?
  var answerEnd: Int64?
  private var answerHead: Int64?
  private(set) var endsWithConnection = false
  private var isHeadTold = false
  private var status: Int?
  private(set) var isAnswered = false
  var isQuiet = false

  init(transfer: Transfer, line: RequestLine, path: Int, plan: FaultPlan, head: Int64) {
    self.transfer = transfer
    self.line = line
    self.path = path
    self.plan = plan
    self.head = head
  }

  /// Whether the whole request has been written; in a tunnel, its first bytes.
  var isRequestWritten: Bool { requestEnd != nil }

  mutating func begin(on connection: Int, _ carrier: ProxiedNetwork.Carrier, _ statistics: StreamStatistics) {
    self.connection = connection
    self.statistics = statistics
    upStart = carrier.up.written
    downStart = carrier.down.written
  }

  mutating func answerBegins(status: Int?, head: Int64, body: Int64?, endsWithConnection: Bool, at place: Int64) {
    self.status = status
    self.endsWithConnection = endsWithConnection
    answerHead = place + head
    transfer.bytesExpected = body
  }

  /// Counts bytes that have arrived, and returns the timeline events to record.
  mutating func take(_ count: Int64, _ direction: Direction, total: Int64, at time: SimulatedInstant)
    -> [NetworkEvent.Kind]
  {
    if direction == .up {
      let sent = max(0, total - upStart - head)
      noteRequestReceived(total, at: time)
      guard sent > transfer.bytesSent else { return [] }
      transfer.bytesSent = sent
      return [.uploaded(bytes: sent, of: nil)]
    }
    guard total > downStart else { return [] }
    if transfer.firstByte == nil { transfer.firstByte = time }
    var kinds: [NetworkEvent.Kind] = []
    guard let answerHead, total >= answerHead else { return [] }
    if !isHeadTold {
      isHeadTold = true
      transfer.status = status
      if let status { kinds.append(.response(status: status)) }
    }
    let body = total - answerHead
    if body > transfer.bytesReceived {
      transfer.rate.add(body - transfer.bytesReceived, at: time)
      transfer.bytesReceived = body
      kinds.append(.received(bytes: body, of: transfer.bytesExpected))
    }
    noteAnswered(total)
    return kinds
  }

  @discardableResult
  mutating func noteRequestReceived(_ arrived: Int64, at time: SimulatedInstant) -> Bool {
    guard transfer.requestReceived == nil, let requestEnd, arrived >= requestEnd else { return false }
    transfer.requestReceived = time
    if transfer.requestSent == nil { transfer.requestSent = time }
    return true
  }

  @discardableResult
  mutating func noteAnswered(_ arrived: Int64) -> Bool {
    if let answerEnd, arrived >= answerEnd { isAnswered = true }
    return isAnswered
  }
}

extension NetworkEvent.Kind {
  package var isProgress: Bool {
    switch self {
    case .received, .uploaded: true
    default: false
    }
  }
}

extension StreamFault {
  /// The idle time after which the proxy must close the connection; `nil` unless the fault is an idle close.
  var idleLimit: Duration? {
    if case .idleClose(let limit) = self { return limit }
    return nil
  }
}

extension StreamStatistics {
  func since(_ before: StreamStatistics) -> StreamStatistics {
    var statistics = self
    for counters in [\StreamStatistics.up, \.down] {
      statistics[keyPath: counters].packets -= before[keyPath: counters].packets
      statistics[keyPath: counters].bytes -= before[keyPath: counters].bytes
      statistics[keyPath: counters].lost -= before[keyPath: counters].lost
      statistics[keyPath: counters].retransmissions -= before[keyPath: counters].retransmissions
    }
    return statistics
  }
}
