extension PathSimulator {
  /// Begins to write down what happens to every TCP packet, which otherwise nobody does.
  ///
  /// It costs time and memory for each packet, and changes nothing of what happens.
  ///
  /// - Parameter limit: the most records that are kept for each direction; beyond it the oldest are dropped.
  public mutating func recordPackets(limit: Int = 100_000) {
    guard up.tape == nil else { return }
    up.tape = PacketTape(limit: limit)
    down.tape = PacketTape(limit: limit)
    loggedConnections = []
    for index in connections.indices where connections[index].isInUse {
      let connection = connections[index]
      logConnection(Int32(index), pools[Int(connection.pool)].key, connection.number)
    }
  }

  /// Ends the recording and forgets what was recorded.
  public mutating func stopRecordingPackets() {
    up.tape = nil
    down.tape = nil
    loggedConnections = []
  }

  /// What happened to the packets since ``recordPackets(limit:)``; `nil` when they are not recorded.
  public var packetLog: PacketLog? {
    guard let up = up.tape, let down = down.tape else { return nil }
    var records: [PacketRecord] = []
    records.reserveCapacity(up.records.count + down.records.count)
    var rest = down.records[...]
    for record in up.records {
      while let other = rest.first, other.time < record.time { records.append(rest.removeFirst()) }
      records.append(record)
    }
    records += rest
    return PacketLog(connections: loggedConnections, records: records, dropped: up.dropped + down.dropped)
  }

  /// A connection is opened.
  @inline(never)
  mutating func logConnection(_ index: Int32, _ key: PoolKey, _ number: Int) {
    let place = Int32(loggedConnections.count)
    loggedConnections.append(PacketLog.Connection(host: key.host, port: key.port, number: number))
    up.tape?.name(index, number: place)
    down.tape?.name(index, number: place)
  }

  /// A packet has arrived, and its receiver has taken it in.
  @inline(never)
  mutating func logArrival(_ packet: borrowing Packet, _ direction: Direction) {
    let (owner, length, end) = (packet.owner, packet.length, packet.end)
    // What an arrival acknowledges went the other way.
    let connection = connections[Int(owner)]
    let sender = direction == .up ? connection.server.sender : connection.client.sender
    let now = now
    log(direction, owner) { number, queue in
      PacketRecord(
        time: now, connection: number, direction: direction, kind: .arrived,
        firstByte: length > 0 ? end - Int64(length) : 0, length: length, acknowledged: sender.acknowledgedBytes,
        congestionWindow: Int32(clamping: sender.window.size), inFlight: Int32(clamping: sender.board.inFlight),
        queue: queue)
    }
  }

  /// Writes down the loss that a link is about to tell of, if that is what it is about to do.
  @inline(never)
  mutating func logLoss(_ direction: Direction) {
    let link = direction == .up ? up.link : down.link
    guard let packet = link.nextLostPacket, packet.kind != .query, packet.kind != .answer else { return }
    let connection = connections[Int(packet.owner)]
    let sender = direction == .up ? connection.client.sender : connection.server.sender
    let (time, reason) = (SimulatedInstant(nanoseconds: link.nextTime), link.nextLossReason)
    log(direction, packet.owner) { number, queue in
      PacketRecord(
        time: time, connection: number, direction: direction, kind: .lost(reason),
        firstByte: packet.length > 0 ? packet.end - Int64(packet.length) : 0, length: packet.length,
        acknowledged: sender.acknowledgedBytes, congestionWindow: Int32(clamping: sender.window.size),
        inFlight: Int32(clamping: sender.board.inFlight), queue: queue)
    }
  }

  private mutating func log(_ direction: Direction, _ owner: Int32, _ record: (Int32, Int32) -> PacketRecord) {
    if direction == .up {
      guard let number = up.tape?.number(of: owner) else { return }
      up.tape?.append(record(number, Int32(clamping: up.link.waitingPackets(at: time))))
    } else {
      guard let number = down.tape?.number(of: owner) else { return }
      down.tape?.append(record(number, Int32(clamping: down.link.waitingPackets(at: time))))
    }
  }
}
