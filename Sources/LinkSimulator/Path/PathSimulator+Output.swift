/// An HTTP/2 server's output of responses, as ``PathConfiguration/Scheduling/buffered`` describes it.
extension PathSimulator {
  /// Builds frames from ready responses, and writes as much as the kernel's send buffer takes.
  ///
  /// A response builds frames while it has a free buffer; a buffer becomes free once it is written. So later responses
  /// wait for the earlier ones' buffers and for the kernel's send buffer.
  mutating func writeOutput(_ index: Int32) {
    guard connections[index].isReady, !connections[index].isCut else { return }
    writeRecords(index)
    while let next = connections[index, .down].framingQueue.ready.popFirst() {
      guard let slot = streams.slot(of: next, in: .active) else { continue }
      streams[slot, .down].isQueued = false
      while makeFrames(slot, index) { writeRecords(index) }
    }
    writeRecords(index, flushing: true)
    connections[index].hasOutput = !connections[index].output.isEmpty
  }

  /// Fills a response's free buffers and cuts frames (`ngx_output_chain`, `ngx_http_v2_send_chain`); `false` for none.
  private mutating func makeFrames(_ slot: Int32, _ index: Int32) -> Bool {
    let stream = streams.handle(slot)
    let isCut = streams[slot].isCut
    guard !streams[slot].isResetSent else { return false }
    var made = false
    if let head = streams[slot, .down].takeHead() {
      connections[index].output.append(
        head: OutputQueue.Frame(stream: stream, left: head + OutputQueue.frameHead))
      made = true
    }
    var isFirst = true
    while let (count, isLast) = streams[slot, .down].takeBuffer(isFirst: isFirst, isCut: isCut) {
      isFirst = false
      made = true
      var left = count
      repeat {
        let size = min(left, OutputQueue.frameSize)
        left -= size
        var frame = OutputQueue.Frame(stream: stream, left: size + OutputQueue.frameHead)
        frame.endsBuffer = left == 0 && count > 0
        frame.isLast = isLast && left == 0 && !isCut
        frame.isCut = isLast && left == 0 && isCut
        // A response that is cut off after its last frame has an end without a frame.
        if frame.isCut, count == 0 { (frame.left, frame.head) = (0, 0) }
        connections[index].output.append(frame)
      } while left > 0
    }
    return made
  }

  /// Writes frames in TLS records until the kernel takes no more, full records while there are enough frames.
  ///
  /// See `ngx_http_v2_send_output_queue` and `ngx_ssl_send_chain`.
  ///
  /// - Parameter flushing: whether to write a last, partial record.
  private mutating func writeRecords(_ index: Int32, flushing: Bool = false) {
    let greatest = connections[index].isSecure ? Connection.recordSize : .max
    while !connections[index].isCut {
      if connections[index, .down].tcp.sender.isBlocked { return connections[index].output.block() }
      let limit = connections[index].output.room(upTo: greatest)
      fillRecord(index, upTo: limit)
      let isDue = flushing || connections[index].output.flushes
      let size = connections[index].output.recordSize
      guard size >= limit || isDue, !connections[index].output.record.isEmpty else { return }
      writeRecord(index)
    }
  }

  private mutating func fillRecord(_ index: Int32, upTo limit: Int64) {
    while connections[index].output.recordSize < limit, let next = connections[index].output.next {
      guard let slot = streams.slot(of: next, in: .active), !streams[slot].isResetSent else {
        connections[index].output.dropNext()
        continue
      }
      guard let piece = connections[index].output.fill(upTo: limit) else { return }
      streams[slot, .down].written(piece)
      if piece.isEnd, !streams[slot, .down].isQueued {
        streams[slot, .down].isQueued = true
        connections[index, .down].framingQueue.ready.append(next)
      }
      if piece.isEnd, piece.frame.isCut { return }
    }
  }

  private mutating func writeRecord(_ index: Int32) {
    let pieces = connections[index].output.record
    let size = connections[index].output.recordSize
    var overhead = connections[index].recordFraming
    // A receiver can decrypt a record only when all of it has arrived.
    if overhead > 0 { connections[index, .down].framingQueue.beginRecord(of: size + Int64(overhead)) }
    var cutSlot: Int32?
    for piece in pieces {
      guard let slot = streams.slot(of: piece.frame.stream, in: .active) else {
        connections[index, .down].put(.filler, piece.payload, framing: Int32(piece.framing) + overhead)
        overhead = 0
        continue
      }
      serve(slot, on: index)
      let isLast = piece.isEnd && piece.frame.isLast
      if piece.payload > 0 || piece.framing > 0 {
        connections[index, .down].put(
          .payload, piece.payload, framing: Int32(piece.framing) + overhead, stream: piece.frame.stream,
          isLast: isLast)
        overhead = 0
      }
      if piece.isEnd, piece.frame.isCut { cutSlot = slot }
    }
    connections[index, .down].framingQueue.endRecord()
    connections[index, .down].tcp.transmit(at: time, &wires[.down])
    connections[index].output.recordWritten(isTaken: !connections[index, .down].tcp.sender.isBlocked)
    if let slot = cutSlot { cut(slot, as: streams.faults(slot)?.cut?.kind) }
  }
}
