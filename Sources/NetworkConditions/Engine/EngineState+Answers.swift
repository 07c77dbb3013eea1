import URLLoading

/// A part of a server's answer, passed to the engine in one call.
struct AnswerPart: Sendable {
  /// A piece of the decoded body, with its size on the wire if the transport gave one.
  struct Piece: Sendable {
    var data: Data
    var encodedCount: Int64?

    /// Creates a piece, and limits the transport's size to 0...2^50.
    init(_ data: Data, _ encodedCount: Int64?) {
      self.data = data
      self.encodedCount = encodedCount.map { min(max(0, $0), 1 << 50) }
    }
  }

  enum End: Sendable {
    case whole
    indirect case failed(URLError)
  }

  var head: ResponseHead?
  var body: [Piece] = []
  var end: End?
  /// The whole answer's state, if this part has the head and ``EngineState`` has prepared it.
  fileprivate(set) var answer: Exchange.Answer?

  mutating func add(_ next: AnswerPart) {
    guard end == nil else { return }
    head = head ?? next.head
    body += next.body
    end = next.end
  }

  mutating func cut(to room: Int64) {
    if body.reduce(Int64(0), { $0 + Int64($1.data.count) }) <= room { return }
    var left = max(0, room)
    body = body.compactMap { piece in
      let data = piece.data.prefix(Int(clamping: left))
      left -= Int64(data.count)
      return data.isEmpty ? nil : Piece(data, piece.encodedCount)
    }
  }

  /// Divides `count` bytes on the wire among the pieces, if the part ends the answer and no piece has a size.
  mutating func share(_ count: Int64) {
    guard case .whole? = end, body.allSatisfy({ $0.encodedCount == nil }) else { return }
    for (index, share) in CarriedBody.shares(of: count, among: body.map(\.data)).enumerated() {
      body[index].encodedCount = share
    }
  }

  /// Ends an encoded body before its corrupted byte, if this part contains it: later bytes cannot be decoded.
  mutating func breakOff(at corrupted: Int64, _ carried: CarriedBody, _ error: URLError) {
    var carried = carried
    for (index, piece) in body.enumerated() {
      let size = Int64(piece.data.count)
      let intact = corrupted - carried.count
      let count = carried.add(size, encodedCount: piece.encodedCount)
      guard (0..<count).contains(intact) else { continue }
      let data = piece.data.prefix(Int(CarriedBody.share(intact, of: count, in: size)))
      body[index...] = [Piece(data, intact)]
      end = .failed(error)
      return
    }
  }
}

extension EngineState {
  /// Returns the part as the client takes it, the body's destination, and the flipped byte; `nil` after the end.
  func fitted(
    _ part: AnswerPart, for id: Int
  ) -> (part: AnswerPart, body: GivenBody, corrupted: Int64?)? {
    guard let exchange = exchanges[id], exchange.server.end == nil, !exchange.hasEnded else { return nil }
    var part = prepared(part, of: exchange)
    guard let carried = exchange.answer?.carried ?? part.answer?.carried else { return nil }
    let given = exchange.server.given
    let corrupted = exchange.line.server.isSecure ? nil : exchange.plan.corruptedByte
    if let rest = carried.rest { part.share(rest) }
    if let room = carried.room { part.cut(to: room) }
    guard carried.isEncoded, let corrupted else { return (part, given, corrupted.map { $0 - carried.count }) }
    let what = "The body was corrupted in transit and cannot be decoded."
    part.breakOff(
      at: corrupted, carried, .simulated(.cannotDecodeRawData, url: exchange.request.url, because: what))
    return (part, given, nil)
  }

  /// Adds a part of a server's answer; the bytes of one part share packets.
  mutating func give(_ part: AnswerPart, of id: Int) {
    guard let exchange = exchanges[id], exchange.server.end == nil, let stream = exchange.stream else { return }
    var count: Int64 = 0
    if exchange.answer == nil, let answer = prepared(part, of: exchange).answer {
      exchange.answer = answer
      count += answer.headBytes
      strike(exchange, on: stream)
    }
    for piece in part.body {
      count += exchange.answer?.carried.add(Int64(piece.data.count), encodedCount: piece.encodedCount) ?? 0
    }
    cache.add(part, of: exchange, at: time)
    if let answer = exchange.answer {
      details?.contents[exchange.transfer.number]?.add(part, answer, endsWithConnection: exchange.endsWithConnection)
    }
    if let end = part.end {
      exchange.server.end = end
      if case .whole = end {
        count += exchange.answer?.carried.addRest() ?? 0
        if exchange.answer?.carried.room ?? 0 > 0 {
          exchange.server.end = .failed(.failure(.truncated, url: exchange.request.url))
        }
      }
      setServerWork(.done, of: exchange)
      if exchange.answer == nil, exchange.server.error != nil {
        return paths.entries[exchange.path].change(at: time) { $0.abort(stream) }
      }
    } else if count == 0 {
      // A part without bytes on the wire is delivered at once, together with the bytes that have arrived before.
      return tell(id)
    }
    paths.write(
      count, .down, on: exchange.path, stream: stream, finishing: exchange.server.end != nil,
      connection: exchange.answer?.persistence ?? .kept, at: time)
  }

  /// Prepares the answer that begins with this part: places its faults, and adjusts the head of a shortened body.
  private func prepared(_ part: AnswerPart, of exchange: Exchange) -> AnswerPart {
    guard let head = part.head, part.answer == nil, exchange.answer == nil else { return part }
    let answer = Self.answer(under: head, for: exchange)
    var part = part
    part.answer = answer
    if exchange.plan.ofResponse.isEmpty { return part }
    let given = part.end == nil ? nil : part.body.reduce(0) { $0 + ($1.encodedCount ?? Int64($1.data.count)) }
    let length = answer.expected ?? given
    exchange.plan.mayShorten = !head.isEncoded
    exchange.plan.place(in: (answer.headBytes, length))
    guard let shorter = exchange.plan.bodyLength, let length, shorter < length else { return part }
    var shortened = head
    shortened.remove("Content-Length")
    shortened.headers.append(HeaderField("Content-Length", "\(shorter)"))
    part.head = shortened
    part.answer = Self.answer(under: shortened, for: exchange)
    return part
  }

  /// Applies a response's planned faults when the response begins.
  private mutating func strike(_ exchange: Exchange, on stream: StreamID) {
    let faults = exchange.plan.ofResponse
    guard !faults.isEmpty else { return }
    exchange.plan.ofResponse = []
    paths.noteStrike(faults, to: exchange.line, on: exchange.path)
    var streamFaults = faults.flatMap(\.fault.value.streamFaults)
    for planned in faults { record(.fault(planned.fault.description), of: exchange) }
    if exchange.line.server.isSecure, let byte = exchange.plan.corruptedByte {
      let intact = ((exchange.answer?.headBytes ?? 0) + byte) / Self.recordSize * Self.recordSize
      streamFaults.append(.reset(direction: .down, afterBytes: intact))
    }
    paths.entries[exchange.path].change { $0.add(streamFaults, to: stream) }
  }

  /// The most bytes of a TLS record; a server with much data fills each record (RFC 8446, 5.1).
  private static let recordSize: Int64 = 16_384

  private static func answer(under head: ResponseHead, for exchange: Exchange) -> Exchange.Answer {
    let carried = carried(under: head, for: exchange)
    return Exchange.Answer(
      head: head, headBytes: WireFormat.responseHeadBytes(head, version: exchange.line.version),
      persistence: persistence(under: head, carried, for: exchange), expected: carried.length, carried: carried)
  }

  /// Whether an HTTP/1.1 connection is kept after an answer with this head.
  private static func persistence(
    under head: ResponseHead, _ body: CarriedBody, for exchange: Exchange
  ) -> StreamRequest.Persistence {
    guard exchange.line.version == .http1 else { return .kept }
    if head.endsWithConnection, body.length == nil { return .endOfResponse }
    // RFC 9112, 9.6: either side may say that this is the last response on the connection.
    let closes = head.closesConnection || WireFormat.closes(exchange.request.value(forHTTPHeaderField: "Connection"))
    return closes ? .closed : .kept
  }

  /// The count of a body at its start, as the head announces it.
  private static func carried(under head: ResponseHead, for exchange: Exchange) -> CarriedBody {
    // RFC 9112, 6.3.
    let hasBody = exchange.line.method != "HEAD" && head.status >= 200 && head.status != 204 && head.status != 304
    let expected = hasBody ? head["Content-Length"].flatMap { UInt64($0) }.map { Int64(clamping: $0) } : 0
    return CarriedBody(isEncoded: head.isEncoded, length: expected)
  }

  /// How many bytes a server may be ahead of its client: more than any send buffer holds.
  ///
  /// It continues at half of that.
  private static let mostAhead: Int64 = 16 << 20

  /// Delays the server's `work` until the client has taken enough of the body; returns `false` if there is room now.
  mutating func waitForRoom(_ work: @escaping @Sendable () -> Void, of id: Int) -> Bool {
    guard let exchange = exchanges[id], exchange.server.end == nil,
      let answer = exchange.answer, answer.untaken > Self.mostAhead
    else { return false }
    if exchange.server.heldBack == nil {
      exchange.server.heldBack = (exchange.server.work, [])
      setServerWork(.waiting, of: exchange)
    }
    exchange.server.heldBack?.works.append(work)
    return true
  }

  /// Lets a server that was stopped for being too far ahead continue, once the client has taken enough of the body.
  mutating func makeRoom(for exchange: Exchange) {
    guard let (before, works) = exchange.server.heldBack, exchange.answer?.untaken ?? 0 <= Self.mostAhead / 2 else {
      return
    }
    exchange.server.heldBack = nil
    if exchange.server.end == nil { setServerWork(before, of: exchange) }
    for work in works { effects.append(.run(work)) }
  }
}
