extension PathSimulator {
  /// Accepts bytes that a client or server has ready; an HTTP/2 server's first write is the response's head.
  mutating func write(_ count: Int64, _ direction: Direction, isLast: Bool, _ slot: Int32) {
    guard streams[slot].take(count, direction, isLast: isLast) else { return }
    let isHead = direction == .down && !isLast && streams[slot].down.written == count
    if isHead { streams[slot, .down].head = count }
    if phase.conditions.model == .devTools || streams[slot, direction].isHeld { hold(slot, direction) }
    let index = streams[slot].connection
    guard streams[slot].state == .active, !connections[index].isClosed else { return }
    // A client of HTTP/3 sends the head of a request as soon as it has it (curl, `h3_stream_open`).
    let isAlone = direction == .up && connections[index].isQuic && streams[slot].up.written == count
    handOver(slot, direction, isHead: isHead || isAlone)
  }

  /// Moves a request's ready bytes to its connection, and sends them now or at the end of this step.
  mutating func handOver(_ slot: Int32, _ direction: Direction, isHead: Bool) {
    let index = streams[slot].connection
    load(slot, direction)
    if connections[index].isFramed, !isHead || !connections[index].isMultiplexed || connections[index].buffersOutput {
      unsent.append(index)
    } else {
      transmit(index, direction)
      rearm(index)
    }
  }

  /// Moves a request's ready bytes to its connection, without sending them.
  mutating func load(_ slot: Int32, _ direction: Direction) {
    if streams[slot, direction].isHeld { throttle(slot, direction) }
    let index = streams[slot].connection
    let half = streams[slot, direction]
    let isCut = direction == .down && streams[slot].isCut
    guard half.ready > 0 || ((half.isFinished || isCut) && !half.isEnded) else { return }
    if connections[index].isFramed {
      if !half.isQueued {
        streams[slot, direction].isQueued = true
        connections[index, direction].framingQueue.ready.append(streams.handle(slot))
      }
      return
    }
    serve(slot, on: index)
    streams[slot, direction].ready = 0
    streams[slot, direction].isEnded = half.isFinished || isCut
    if half.ready > 0 || half.isFinished {
      // A late end costs bytes: the last chunk of chunked coding has 5, a FIN has 1.
      let isClosing = direction == .down ? streams[slot].persistence == .endOfResponse : streams[slot].use != .pooled
      let ending: Int32 = isClosing ? 1 : 5
      connections[index, direction].put(
        .payload, half.ready, framing: half.ready > 0 ? 0 : ending, stream: streams.handle(slot),
        isLast: half.isFinished)
    }
    if isCut { cut(slot, as: streams.faults(slot)?.cut?.kind) }
  }

  /// Builds frames that TCP can send now, one of each request in turn; a client builds some more.
  mutating func fill(_ index: Int32, _ direction: Direction) {
    guard connections[index].isReady else { return }
    if direction == .down, connections[index].buffersOutput { return writeOutput(index) }
    var wanted = connections[index, direction].unmetQuota
    // A client writes more than TCP may send now: its kernel buffers the rest.
    if direction == .up, !connections[index].isQuic {
      wanted = max(wanted, Connection.recordSize - connections.unsent(index, .up))
    }
    while wanted > 0, direction == .up || !connections[index].isCut,
      let next = takeReady(index, direction)
    {
      if let slot = streams.slot(of: next, in: .active) {
        wanted -= addFrame(slot, index, direction, wanted: wanted)
      }
    }
  }

  /// Takes the next request to send: the first of the most urgent ones (RFC 9218, section 10).
  private mutating func takeReady(_ index: Int32, _ direction: Direction) -> StreamHandle? {
    guard hasPriorities, direction == .down else { return connections[index, direction].framingQueue.ready.popFirst() }
    let ready = connections[index, direction].framingQueue.ready
    func urgency(_ place: Int) -> Int {
      streams.slot(of: ready[place], in: .active).map { streams[$0].priority?.urgency ?? 3 } ?? 0
    }
    let first = (0..<ready.count).min { urgency($0) < urgency($1) }
    return first.map { connections[index, direction].framingQueue.ready.remove(at: $0) }
  }

  /// Builds one frame of a request and returns its size in bytes.
  private mutating func addFrame(_ slot: Int32, _ index: Int32, _ direction: Direction, wanted: Int64) -> Int64 {
    serve(slot, on: index)
    if direction == .up, streams[slot].isStopped { return 0 }
    var size = connections.frameSize(index)
    var piece = Int64.max
    // A stream without competitors need not be cut into turns.
    if connections[index].isQuic, connections[index, direction].framingQueue.ready.isEmpty {
      if direction == .down { piece = streams[slot].down.pieceLeft }
      size = min(max(size, wanted), piece)
    }
    if connections[index].isQuic { size = min(size, streams[slot, direction].allowed) }
    let (count, isLast) = streams.change(slot, direction) { $0.takeFrame(of: size) }
    let isCut =
      direction == .down && streams[slot].isCut && !streams[slot].isResetSent && streams[slot].down.ready == 0
    if isCut { streams[slot, direction].isEnded = true }
    var total: Int64 = 0
    if count > 0 || isLast {
      total = connections[index, direction].put(
        .payload, count, framing: connections.framing(of: count, index, direction), stream: streams.handle(slot),
        isLast: isLast)
    }
    if connections[index].isQuic {
      streams.change(slot, direction) { $0.carry(total) }
      if isLast, direction == .down, streams[slot].up.isComplete { endStream(slot) }
    }
    if count == piece {
      let end = connections[index, direction].tcp.sender.written
      connections[index, direction].quic[0].sender.application.cuts.append(end)
    }
    if streams[slot, direction].isQueued {
      let stream = streams.handle(slot)
      // A response that is not incremental keeps its turn. Without a `Priority` field responses share, unlike RFC
      // 9218's default.
      if direction == .down, hasPriorities, streams[slot].priority?.isIncremental == false {
        connections[index, direction].framingQueue.ready.prepend(stream)
      } else {
        connections[index, direction].framingQueue.ready.append(stream)
      }
    }
    if isCut { cut(slot, as: streams.faults(slot)?.cut?.kind) }
    return total
  }

  /// The server ends a connection early (with `.cancellation` only a stream) and drops the bytes not yet given to TCP.
  mutating func cut(_ slot: Int32, as kind: FramingQueue.Chunk.Kind? = nil) {
    let index = streams[slot].connection
    let isOfStream = kind == .cancellation
    if isOfStream, connections[index].isMultiplexed {
      streams[slot].isResetSent = true
      return sendCancellation(slot, .down)
    }
    connections[index].isCut = connections[index].isMultiplexed
    connections[index, .down].put(isOfStream ? .reset : kind ?? .reset, 1, framing: connections[index].recordFraming)
  }

  /// Sends the frame by which one end cancels a request (RST_STREAM).
  mutating func sendCancellation(_ slot: Int32, _ direction: Direction) {
    let index = streams[slot].connection
    connections[index, direction].put(
      .cancellation, Connection.streamReset, framing: connections[index].recordFraming, stream: streams.handle(slot))
    if direction == .down, connections[index].isQuic { endStream(slot) }
  }

  /// The server aborts a request, as its application asked.
  mutating func aborted(_ slot: Int32) {
    let state = streams[slot].state
    if state == .ended || streams[slot].isAborted { return }
    streams[slot].isAborted = true
    let index = streams[slot].connection
    // A server that has not received the request yet aborts it on arrival.
    guard state == .active, connections[index, .down].tcp.phase == .established else { return }
    abortNow(slot)
  }

  /// Sends the server's abort now: a stream reset for an application's abort, a connection reset for a fault.
  mutating func abortNow(_ slot: Int32, isFault: Bool = false) {
    streams[slot].isResetSent = true
    discardUnsent(slot, .down)
    if connections[streams[slot].connection].isMultiplexed, !isFault {
      sendCancellation(slot, .down)
    } else {
      cut(slot)
    }
    transmit(streams[slot].connection, .down)
    rearm(streams[slot].connection)
  }

  /// The client stops sending a request.
  mutating func stopped(_ slot: Int32) {
    guard streams[slot].state == .active, !streams[slot].up.isComplete, !streams[slot].isStopped
    else { return }
    streams[slot].isStopped = true
    discardUnsent(slot, .up)
    settle(slot)
  }

  private mutating func discardUnsent(_ slot: Int32, _ direction: Direction) {
    streams[slot, direction].discard()
    let index = streams[slot].connection
    if !connections[index].isMultiplexed { connections[index, direction].discardUnsent() }
  }

  /// The receiver of `direction` reads the TCP bytes that have arrived in order.
  mutating func read(_ index: Int32, _ direction: Direction) {
    // A server that is computing its part of the handshake reads later.
    if direction == .up, connections[index].securedAt < .max { return }
    guard let limit = connections.takeArrived(index, direction) else { return }
    if direction == .up {
      connections[index, .down].tcp.sender.poll()
      if connections[index].isCut { return }
    }
    if direction == .up, connections[index].serverHasClosed { return refuseData(index) }
    while direction == .up || !connections[index].isClosed,
      let portion = connections.read(index, direction, to: limit)
    {
      take(portion, index, direction)
      if !portion.isWhole { break }
      if direction == .up, connections[index].securedAt < .max { return connections[index, .down].tcp.putOffReading() }
    }
  }

  /// The receiver of `direction` reads the QUIC data that has arrived, each stream in order.
  mutating func readDatagrams(_ index: Int32, _ direction: Direction) {
    guard connections.takeDatagrams(index, direction) else { return }
    if direction == .up, connections[index].isCut { return }
    if direction == .up, connections[index].serverHasClosed { return refuseData(index) }
    while direction == .up || !connections[index].isClosed,
      let portion = connections.readDatagrams(index, direction)
    {
      take(portion, index, direction)
    }
  }

  @inline(__always)
  private mutating func take(_ portion: FramingQueue.Portion, _ index: Int32, _ direction: Direction) {
    switch portion.chunk.kind {
    case .payload: read(portion, index, direction)
    case .clientHello where portion.isWhole, .serverFlight where portion.isWhole, .finished where portion.isWhole:
      compute(index, for: computing(index))
    case .settings where portion.isWhole: acknowledgeSettings(index, direction.opposite)
    case .alert where portion.isWhole: connectionFailed(index, .handshakeFailed)
    case .handshakeDone where portion.isWhole:
      connections[index, .up].quic[0].sender.discard(.handshake, at: time)
      connections[pool: connections[index].pool].isKnown = true
    case .cancellation where portion.isWhole && direction == .down: endByServer(portion.chunk.stream)
    case .cancellation where portion.isWhole && connections[index].isQuic: closeStream(portion.chunk.stream, on: index)
    case .reset where portion.isWhole: connectionFailed(index, .reset)
    case .fin where portion.isWhole: connectionFailed(index, .truncated)
    case .goAway where portion.isWhole: leave(index)
    default: break
    }
  }

  /// Sends HTTP/2's connection preface or SETTINGS, in a TLS record of their own.
  mutating func sendSettings(
    _ index: Int32, _ direction: Direction, _ count: Int64, isLast: Bool = true
  ) {
    connections[index, direction].put(
      isLast ? .settings : .filler, count, framing: connections[index].recordFraming)
    transmit(index, direction)
  }

  private mutating func acknowledgeSettings(_ index: Int32, _ direction: Direction) {
    // Without TLS the server sends its SETTINGS after it has received the client's (RFC 9113, section 3.4).
    if direction == .down, !connections[index].isSecure {
      sendSettings(index, .down, Connection.serverSettings)
    }
    if direction == .down, connections[index].settings > 0 {
      connections[index].settings += Connection.settingsAcknowledgement
      return
    }
    sendSettings(index, direction, Connection.settingsAcknowledgement, isLast: false)
    rearm(index)
  }

  private mutating func endByServer(_ stream: StreamHandle) {
    guard let slot = streams.slot(of: stream, in: .active) else { return }
    fail(slot, streams.faults(slot)?.cut?.kind == .cancellation ? .streamReset : .reset)
  }

  @inline(__always)
  private mutating func read(_ portion: FramingQueue.Portion, _ index: Int32, _ direction: Direction) {
    guard let slot = streams.slot(of: portion.chunk.stream, in: .active) else { return }
    // A server that has reset the request reads no more of it.
    if direction == .up, streams[slot].isResetSent { return }
    streams.change(slot, direction) { $0.noteRead(portion) }
    if connections[index].isQuic {
      connections.noteRead(portion, index, direction, at: time)
      if direction == .up, portion.isLast, streams[slot].down.isEnded { endStream(slot) }
    }
    if direction == .up {
      if phase.conditions.model == .devTools { streams[slot].wasRead(isWhole: portion.isLast, at: time) }
      reportRequest(portion, slot)
    } else {
      settle(slot)
    }
  }
}
