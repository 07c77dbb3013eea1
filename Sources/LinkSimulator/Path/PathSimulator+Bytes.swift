extension PathSimulator {
  /// Takes bytes that a client or a server has ready.
  @inline(__always)
  mutating func write(_ count: Int64, _ direction: Direction, isLast: Bool, _ slot: Int32) {
    let place = Int(slot)
    if streams[place].state == .ended { return }
    var count = count
    var isLast = isLast
    if direction == .up {
      if streams[place].up.isFinished || streams[place].isStopped { return }
      streams[place].up.take(count, isLast: isLast)
    } else {
      if streams[place].down.isFinished || streams[place].isAborted || streams[place].isCut { return }
      // Where the connection's end is that of the response, a response that is whole can still lose its end.
      let end: Int64 = isLast && streams[place].closes ? 1 : 0
      if let cut = streams[place].plan?.cut,
        streams[place].down.written.saturatingAdd(count).saturatingAdd(end) > cut.after
      {
        count = max(0, cut.after - streams[place].down.written)
        isLast = false
        streams[place].isCut = true
      }
      streams[place].down.take(count, isLast: isLast)
    }
    let index = streams[place].connection
    guard streams[place].state == .active, !connections[Int(index)].isClosed else { return }
    load(slot, direction)
    if connections[Int(index)].isFramed {
      unsent.append(index)
      return
    }
    if direction == .up {
      transmitUp(index)
    } else {
      transmitDown(index)
    }
    rearm(index)
  }

  /// Puts what a request has ready on its connection.
  @inline(__always)
  mutating func load(_ slot: Int32, _ direction: Direction) {
    let index = streams[Int(slot)].connection
    let place = Int(index)
    let half = direction == .up ? streams[Int(slot)].up : streams[Int(slot)].down
    let isCut = direction == .down && streams[Int(slot)].isCut
    guard half.ready > 0 || (half.isFinished && !half.isEnded) || (isCut && !half.isEnded) else { return }
    if connections[place].isFramed {
      enqueue(slot, direction)
      return
    }
    serve(slot, on: index)
    // A message that ends after its last byte was sent ends with the last chunk of chunked coding, 5 bytes, or a FIN.
    let isEmptyEnd = half.isFinished && half.ready == 0 && half.written > 0
    let count = half.ready
    let kind: Conveyor.Chunk.Kind = isEmptyEnd || (half.isFinished && count == 0) ? .filler : .payload
    if direction == .up {
      streams[Int(slot)].up.ready = 0
      streams[Int(slot)].up.isEnded = half.isFinished
      let total =
        kind == .filler
        ? connections[place].up.append(.payload, 0, framing: 5, stream: handle(slot), isLast: true, marks: true)
        : connections[place].up.append(.payload, count, stream: handle(slot), isLast: half.isFinished, marks: true)
      connections[place].client.sender.written += total
    } else {
      streams[Int(slot)].down.ready = 0
      streams[Int(slot)].down.isEnded = half.isFinished || isCut
      if kind == .filler {
        connections[place].server.sender.written += connections[place].down.append(
          .payload, 0, framing: streams[Int(slot)].closes ? 1 : 5, stream: handle(slot), isLast: true, marks: false)
      } else if count > 0 {
        connections[place].server.sender.written += connections[place].down.append(
          .payload, count, stream: handle(slot), isLast: half.isFinished, marks: false)
      }
      if isCut { sendEnd(slot, streams[Int(slot)].plan?.cut?.kind ?? .reset) }
    }
  }

  /// Puts a request into the line of those with something to send.
  private mutating func enqueue(_ slot: Int32, _ direction: Direction) {
    let place = Int(streams[Int(slot)].connection)
    if direction == .up {
      guard !streams[Int(slot)].up.isQueued else { return }
      streams[Int(slot)].up.isQueued = true
      connections[place].up.ready.append(handle(slot))
    } else {
      guard !streams[Int(slot)].down.isQueued else { return }
      streams[Int(slot)].down.isQueued = true
      connections[place].down.ready.append(handle(slot))
    }
  }

  /// Makes frames, a frame of each request in turn, as far as TCP can send them now.
  mutating func fill(_ index: Int32, _ direction: Direction) {
    let place = Int(index)
    guard connections[place].isReady else { return }
    var wanted =
      direction == .up
      ? connections[place].client.sender.unmetQuota : connections[place].server.sender.unmetQuota
    while wanted > 0 {
      guard
        let next = direction == .up ? connections[place].up.takeReady() : connections[place].down.takeReady()
      else { return }
      if let slot = slot(of: next, in: .active) { wanted -= addFrame(slot, index, direction) }
    }
  }

  /// Makes one frame of a request and says how many bytes it has.
  private mutating func addFrame(_ slot: Int32, _ index: Int32, _ direction: Direction) -> Int64 {
    serve(slot, on: index)
    let place = Int(index)
    let framing = connections[place].framing
    if direction == .up {
      if streams[Int(slot)].isStopped { return 0 }
      let (count, isLast) = streams[Int(slot)].up.takeFrame()
      let total = connections[place].up.append(
        .payload, count, framing: framing, stream: handle(slot), isLast: isLast, marks: true)
      connections[place].client.sender.written += total
      if streams[Int(slot)].up.isQueued { connections[place].up.ready.append(handle(slot)) }
      return total
    }
    let (count, isLast) = streams[Int(slot)].down.takeFrame()
    let isCut = streams[Int(slot)].isCut && !streams[Int(slot)].isResetSent && streams[Int(slot)].down.ready == 0
    if isCut { streams[Int(slot)].down.isEnded = true }
    var total: Int64 = 0
    if count > 0 || isLast {
      total = connections[place].down.append(
        .payload, count, framing: framing, stream: handle(slot), isLast: isLast, marks: false)
      connections[place].server.sender.written += total
    }
    if streams[Int(slot)].down.isQueued { connections[place].down.ready.append(handle(slot)) }
    if isCut { sendEnd(slot, streams[Int(slot)].plan?.cut?.kind ?? .reset) }
    return total
  }

  /// The server ends a response before its time.
  private mutating func sendEnd(_ slot: Int32, _ kind: Conveyor.Chunk.Kind) {
    let place = Int(streams[Int(slot)].connection)
    let count = connections[place].isMultiplexed ? Connection.streamReset : 1
    connections[place].server.sender.written += connections[place].down.append(
      kind, count, framing: connections[place].isSecure ? Connection.recordOverhead : 0, stream: handle(slot),
      marks: false)
  }

  /// The server gives a request up.
  mutating func aborted(_ slot: Int32) {
    let state = streams[Int(slot)].state
    if state == .ended || streams[Int(slot)].isAborted { return }
    streams[Int(slot)].isAborted = true
    let index = streams[Int(slot)].connection
    // A server that has not heard of the request yet gives it up when it does.
    guard state == .active, connections[Int(index)].server.phase == .established else { return }
    abortNow(slot, index)
  }

  private mutating func abortNow(_ slot: Int32, _ index: Int32) {
    let place = Int(index)
    streams[Int(slot)].isResetSent = true
    streams[Int(slot)].down.ready = 0
    streams[Int(slot)].down.isFinished = true
    streams[Int(slot)].down.isEnded = true
    if !connections[place].isMultiplexed {
      _ = connections[place].server.sender.discardUnsent()
      connections[place].down.discard(beyond: connections[place].server.sender.sent)
    }
    sendEnd(slot, .reset)
    transmitDown(index)
    rearm(index)
  }

  /// The client sends no more of a request.
  mutating func stopped(_ slot: Int32) {
    let stream = streams[Int(slot)]
    guard stream.state == .active, !stream.up.isComplete, !stream.isStopped else { return }
    streams[Int(slot)].isStopped = true
    streams[Int(slot)].up.ready = 0
    streams[Int(slot)].up.isEnded = true
    let place = Int(stream.connection)
    if !connections[place].isMultiplexed {
      _ = connections[place].client.sender.discardUnsent()
      connections[place].up.discard(beyond: connections[place].client.sender.sent)
    }
    settle(slot)
  }

  /// The server reads what has arrived in order.
  @inline(__always)
  mutating func readUp(_ index: Int32) {
    let place = Int(index)
    let limit = connections[place].server.receiver.bytes
    guard limit > connections[place].server.read else { return }
    connections[place].server.read = limit
    if connections[place].serverHasClosed { return refuseData(index) }
    while let portion = connections[place].up.read(to: limit) {
      switch portion.kind {
      case .payload: readRequest(portion, index)
      case .clientHello where portion.isWhole: answerHello(index)
      default: break
      }
    }
  }

  private mutating func answerHello(_ index: Int32) {
    let place = Int(index)
    let fails = connections[place].failsHandshake
    let count = connections[place].down.append(
      fails ? .alert : .serverFlight, fails ? Connection.alert : Connection.serverFlight, marks: false)
    connections[place].server.sender.written += count
    transmitDown(index)
  }

  @inline(__always)
  private mutating func readRequest(_ portion: Conveyor.Portion, _ index: Int32) {
    guard let slot = slot(of: portion.stream, in: .active) else { return }
    let place = Int(slot)
    // A server that has reset the connection reads no more.
    if streams[place].isResetSent { return }
    let total = streams[place].up.read + portion.payload
    streams[place].up.read = total
    if portion.payload > 0 { reportUploaded(total, slot) }
    if portion.isLast {
      streams[place].up.isComplete = true
      report(.requestReceived, stream: slot)
    }
    let resets = streams[place].plan?.resetUp.map { total >= $0 } ?? false
    if resets || streams[place].isAborted {
      streams[place].isAborted = true
      abortNow(slot, index)
    } else if portion.isLast, streams[place].down.isComplete {
      settle(slot)
    }
  }

  /// Reports the progress of an upload; what happens at one instant is reported once.
  private mutating func reportUploaded(_ total: Int64, _ slot: Int32) {
    if let last = events.last, case .uploaded = last.kind, last.time.nanoseconds == time,
      last.stream?.number == streams[Int(slot)].number
    {
      events[events.count - 1].kind = .uploaded(total: total)
    } else {
      report(.uploaded(total: total), stream: slot)
    }
  }

  /// The client reads what has arrived in order.
  @inline(__always)
  mutating func readDown(_ index: Int32) {
    let place = Int(index)
    let limit = connections[place].client.receiver.bytes
    guard limit > connections[place].client.read else { return }
    connections[place].client.read = limit
    while !connections[place].isClosed, let portion = connections[place].down.read(to: limit) {
      switch portion.kind {
      case .payload: readResponse(portion)
      case .serverFlight where portion.isWhole: becomeReady(index)
      case .alert where portion.isWhole: connectionFailed(index, .handshakeFailed)
      case .reset where portion.isWhole: endByServer(portion.stream, .reset)
      case .truncation where portion.isWhole: endByServer(portion.stream, .truncated)
      case .farewell where portion.isWhole: connectionFailed(index, .truncated)
      default: break
      }
    }
  }

  private mutating func endByServer(_ stream: StreamHandle, _ failure: StreamFailure) {
    if let slot = slot(of: stream, in: .active) { fail(slot, failure) }
  }

  @inline(__always)
  private mutating func readResponse(_ portion: Conveyor.Portion) {
    guard let slot = slot(of: portion.stream, in: .active) else { return }
    let place = Int(slot)
    streams[place].down.read += portion.payload
    if portion.isLast { streams[place].down.isComplete = true }
    settle(slot)
  }

  /// Hands the client what it may have, and ends the request when it has everything.
  @inline(__always)
  mutating func settle(_ slot: Int32) {
    let place = Int(slot)
    if streams[place].plan != nil {
      settleWithFaults(slot)
      return
    }
    let count = streams[place].down.read - streams[place].delivered
    if count > 0 {
      streams[place].delivered += count
      reportReceived(count, slot)
    }
    if streams[place].isAnswered { finish(slot) }
  }

  private mutating func settleWithFaults(_ slot: Int32) {
    let stream = streams[Int(slot)]
    let stall = stream.plan?.stalls.last
    let target = min(stream.down.read, stall?.after ?? .max)
    if target > stream.delivered {
      streams[Int(slot)].delivered = target
      reportReceived(target - stream.delivered, slot)
    }
    if stream.isAnswered, max(target, stream.delivered) == stream.down.read {
      guard let delay = stream.plan?.slowClose, delay > 0 else {
        finish(slot)
        return
      }
      wake(slot, at: time.saturatingAdd(delay))
    } else if let stall, stream.down.read >= stall.after, stream.plan?.isStalled == false {
      streams[Int(slot)].plan?.isStalled = true
      if stall.duration < .max { wake(slot, at: time.saturatingAdd(stall.duration)) }
    }
  }

  private mutating func wake(_ slot: Int32, at due: Int64) {
    streams[Int(slot)].wakeAt = due
    arm(.stream, Int(slot), at: due)
  }

  /// Reports bytes of a response; what happens at one instant is reported once.
  @inline(__always)
  private mutating func reportReceived(_ count: Int64, _ slot: Int32) {
    if let last = events.last, case .received(let before) = last.kind, last.time.nanoseconds == time,
      last.stream?.number == streams[Int(slot)].number
    {
      events[events.count - 1].kind = .received(count: before + count)
    } else {
      report(.received(count: count), stream: slot)
    }
  }

  /// The client has read the whole response.
  mutating func finish(_ slot: Int32) {
    report(.responseReceived, stream: slot)
    end(slot, closing: streams[Int(slot)].closes, resetting: !streams[Int(slot)].up.isComplete)
  }
}

extension Stream.Half {
  /// Takes the bytes of the next frame, and says whether it is the last.
  mutating func takeFrame() -> (count: Int64, isLast: Bool) {
    let count = min(ready, Connection.frameSize)
    ready -= count
    isEnded = isFinished && ready == 0
    isQueued = ready > 0
    return (count, isEnded)
  }

  /// Takes bytes that were handed in.
  mutating func take(_ count: Int64, isLast: Bool) {
    ready = ready.saturatingAdd(count)
    written = written.saturatingAdd(count)
    isFinished = isLast
  }
}
