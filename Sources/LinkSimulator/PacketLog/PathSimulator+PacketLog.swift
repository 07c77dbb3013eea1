extension PathSimulator {
  /// Starts to record every TCP packet's events.
  ///
  /// Recording costs time and memory per packet, but does not change the simulation.
  ///
  /// - Parameter limit: the largest number of records in each direction; above it the oldest are dropped.
  public mutating func recordPackets(limit: Int = 100_000) {
    guard loggedConnections == nil else { return }
    for direction in Direction.allCases { wires[direction].tape = PacketTape(limit: limit) }
    loggedConnections = []
    for index in connections.indices where connections[index].isInUse { logConnection(index) }
  }

  /// Stops recording and discards the records.
  public mutating func stopRecordingPackets() {
    loggedConnections = nil
    for direction in Direction.allCases { wires[direction].tape = nil }
  }

  /// The packets recorded since ``recordPackets(limit:)``; `nil` when recording is off.
  public var packetLog: PacketLog? {
    guard let connections = loggedConnections, let up = wires[.up].tape, let down = wires[.down].tape else {
      return nil
    }
    var records: [PacketRecord] = []
    records.reserveCapacity(up.records.count + down.records.count)
    var rest = down.records[...]
    for record in up.records {
      while let other = rest.first, other.time < record.time { records.append(rest.removeFirst()) }
      records.append(record)
    }
    records += rest
    return PacketLog(connections: connections, records: records, dropped: up.dropped + down.dropped)
  }

  @inline(never)
  mutating func logConnection(_ index: Int32) {
    let connection = connections[index]
    let key = connections[pool: connection.pool].key
    let place = Int32(loggedConnections?.count ?? 0)
    loggedConnections?.append(PacketLog.Connection(host: key.host, port: key.port, number: connection.number))
    for direction in Direction.allCases { wires[direction].tape?.name(index, number: place) }
  }

  /// Records a packet's arrival, after its receiver has processed it.
  @inline(never)
  mutating func logArrival(_ packet: borrowing Packet, _ direction: Direction) {
    // An arrival acknowledges packets that went the other way.
    log(.arrived, packet, direction, by: direction.opposite, at: time)
  }

  /// Records a loss if it is the link's next event.
  @inline(never)
  mutating func logLoss(_ direction: Direction) {
    guard let (packet, reason) = wires[direction].link.nextLostPacket, packet.kind != .query, packet.kind != .answer
    else { return }
    log(.lost(reason), packet, direction, by: direction, at: wires[direction].link.nextTime)
  }

  mutating func logDrop(_ packet: borrowing Packet, _ direction: Direction, _ reason: PacketLoss) {
    log(.lost(reason), packet, direction, by: direction, at: time)
  }

  private mutating func log(
    _ kind: PacketRecord.Kind, _ packet: borrowing Packet, _ direction: Direction, by sender: Direction, at when: Int64
  ) {
    let queue = wires[direction].link.waitingPackets(at: time)
    wires[direction].tape?.append(
      kind, packet, by: connections[packet.owner, sender].recorded, direction, at: when, queue: queue)
  }
}
