import URLLoading

/// What a server gives in one go.
struct AnswerPart: Sendable {
  /// A piece of body, decoded, and how many bytes it is on the wire, where that was said.
  struct Piece: Sendable {
    var data: Data
    var encodedCount: Int64?
  }

  var head: ResponseHead?
  var body: [Piece] = []
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
      let data = piece.data.prefix(Int(clamping: left))
      left -= Int64(data.count)
      return data.isEmpty ? nil : Piece(data: data, encodedCount: piece.encodedCount)
    }
  }

  /// Has the pieces share so many bytes on the wire, if nothing else was said of them and nothing follows.
  mutating func share(_ count: Int64) {
    guard case .success? = end, body.allSatisfy({ $0.encodedCount == nil }) else { return }
    for (index, share) in CarriedBody.shares(of: count, among: body.map(\.data)).enumerated() {
      body[index].encodedCount = share
    }
  }

  /// Ends an encoded body before the byte on the wire that is corrupted, if it is in this part: nothing behind it can be
  /// decoded.
  mutating func breakOff(at corrupted: Int64, _ carried: CarriedBody, _ error: URLError) {
    var carried = carried
    for (index, piece) in body.enumerated() {
      let size = Int64(piece.data.count)
      let intact = corrupted - carried.count
      let count = carried.add(size, encodedCount: piece.encodedCount)
      guard (0..<count).contains(intact) else { continue }
      let data = piece.data.prefix(Int(CarriedBody.share(intact, of: count, in: size)))
      body[index...] = [Piece(data: data, encodedCount: intact)]
      end = .failure(error)
      return
    }
  }
}

/// What servers give, put on the path.
extension EngineState {
  /// A part as the client takes it, where its bytes go before it is given, and which is flipped; `nil` when nobody wants it.
  ///
  /// A client takes no more than was announced.
  func fitted(
    _ part: AnswerPart, for id: Int
  ) -> (part: AnswerPart, body: GivenBody, corrupted: Int64?)? {
    guard let exchange = exchanges[id], !exchange.serverHasEnded, !exchange.hasEnded,
      let head = exchange.head ?? part.head
    else { return nil }
    place(part, of: exchange)
    let carried = exchange.head == nil ? Self.carried(under: head, for: exchange).body : exchange.carried
    var part = part
    if let rest = carried.rest { part.share(rest) }
    if let room = carried.room { part.cut(to: room) }
    guard carried.isEncoded, let corrupted = exchange.plan.corruptedByte else {
      return (part, exchange.given, exchange.plan.corruptedByte.map { $0 - carried.count })
    }
    let what = "The body was corrupted on its way, and cannot be decoded."
    part.breakOff(
      at: corrupted, carried, .simulated(.cannotDecodeRawData, url: exchange.request.url, because: what))
    return (part, exchange.given, nil)
  }

  /// Takes in what a server gives; what comes in one go shares its packets.
  mutating func give(_ part: AnswerPart, of id: Int) {
    guard let exchange = exchanges[id], !exchange.serverHasEnded, !exchange.hasEnded else { return }
    var count: Int64 = 0
    if let head = part.head, exchange.head == nil {
      place(part, of: exchange)
      keep(head, of: exchange)
      count += exchange.headBytes
      strike(exchange)
    }
    for piece in part.body where exchange.head != nil {
      count += exchange.carried.add(Int64(piece.data.count), encodedCount: piece.encodedCount)
    }
    if let end = part.end {
      exchange.serverHasEnded = true
      switch end {
      case .failure(let error): exchange.serverError = error
      case .success:
        count += exchange.carried.addRest()
        if exchange.carried.room ?? 0 > 0 { exchange.serverError = .failure(.truncated, url: exchange.request.url) }
      }
      setServerWork(.done, of: exchange)
      if exchange.head == nil, exchange.serverError != nil {
        return paths.abort(exchange.stream, on: exchange.path, at: time)
      }
    } else if count == 0 {
      // What nothing on the wire stands for comes with what has arrived.
      return tell(id)
    }
    paths.write(
      count, .down, on: exchange.path, stream: exchange.stream, finishing: exchange.serverHasEnded,
      closing: exchange.endsWithConnection, at: time)
  }

  /// Works out where faults strike a response that begins with this part.
  private func place(_ part: AnswerPart, of exchange: Exchange) {
    guard let head = part.head, exchange.head == nil, !exchange.plan.ofResponse.isEmpty else { return }
    let given = part.end == nil ? nil : part.body.reduce(0) { $0 + ($1.encodedCount ?? Int64($1.data.count)) }
    let announced = Self.carried(under: head, for: exchange).expected
    exchange.plan.place(
      in: (
        WireFormat.responseHeadBytes(head, version: exchange.line.version),
        announced ?? given ?? BytePosition.usualLength
      ))
  }

  /// Lets happen to a response that begins what is planned for it.
  private mutating func strike(_ exchange: Exchange) {
    let faults = exchange.plan.ofResponse
    guard !faults.isEmpty else { return }
    exchange.plan.ofResponse = []
    paths.strike(faults, to: exchange.line, on: exchange.path, stream: exchange.stream)
    for planned in faults { record(.fault(planned.fault.description), of: exchange) }
  }

  private func keep(_ head: ResponseHead, of exchange: Exchange) {
    exchange.head = head
    exchange.headBytes = WireFormat.responseHeadBytes(head, version: exchange.line.version)
    (exchange.expectedBody, exchange.carried) = Self.carried(under: head, for: exchange)
  }

  /// How many bytes of body a head announces, and how it is carried.
  private static func carried(
    under head: ResponseHead, for exchange: Exchange
  ) -> (expected: Int64?, body: CarriedBody) {
    // RFC 9112, 6.3.
    let hasBody = exchange.line.method != "HEAD" && head.status >= 200 && head.status != 204 && head.status != 304
    let expected = hasBody ? head["Content-Length"].flatMap { UInt64($0) }.map { Int64(clamping: $0) } : 0
    return (expected, CarriedBody(isEncoded: head.isEncoded, length: expected))
  }

  // MARK: Servers that are ahead

  /// How far a server may be ahead of its client; it goes on once half of that is left.
  ///
  /// Half of it is more than a send buffer can hold, so that no link is ever slower for it.
  private static let mostAhead: Int64 = 16 << 20

  /// Has `work` run once the client has taken enough of the body; says no when there is room now.
  mutating func waitForRoom(_ work: @escaping @Sendable () -> Void, of id: Int) -> Bool {
    guard let exchange = exchanges[id], !exchange.serverHasEnded, exchange.untaken > Self.mostAhead else {
      return false
    }
    if exchange.heldBack == nil {
      exchange.heldBack = (exchange.serverWork, [])
      setServerWork(.waiting, of: exchange)
    }
    exchange.heldBack?.works.append(work)
    return true
  }

  /// Lets a server that was ahead go on, when the client has taken enough.
  mutating func makeRoom(for exchange: Exchange) {
    guard let (before, works) = exchange.heldBack, exchange.untaken <= Self.mostAhead / 2 else { return }
    exchange.heldBack = nil
    if !exchange.serverHasEnded { setServerWork(before, of: exchange) }
    run(works)
  }
}
