/// The connections of a path, and the pools in which requests find them.
///
/// The work for every packet is done by methods here: inside the accessor of a subscript, that of an array is not inlined,
/// which costs as much as a tenth of a packet's time. A `_read` in the place of a `get` would copy less, but what Swift 6.3
/// makes of it without optimization releases an end's memory twice.
struct ConnectionTable: Sendable {
  private var records: [Connection] = []
  /// The ends of each: the client's, then the server's.
  private var ends: [Connection.End] = []
  private var free: [Int32] = []
  private var pools: [ConnectionPool] = []
  private var poolNumbers: [PoolKey: Int32] = [:]
  private var latestPool: Int32 = -1
  /// How many connections to each host and port there were, and the key of their chance.
  private var counters: [(count: Int, random: KeyedRandom)] = []
  private var counterNumbers: [String: Int32] = [:]

  /// The numbers of all connections, those that are gone among them.
  var indices: Range<Int32> { 0..<Int32(records.count) }

  @inline(__always)
  subscript(index: Int32) -> Connection {
    get { records[Int(index)] }
    _modify { yield &records[Int(index)] }
  }

  /// The end of a connection that sends in this direction: the client up, the server down.
  @inline(__always)
  subscript(index: Int32, direction: Direction) -> Connection.End {
    get { ends[Int(index) << 1 | direction.index] }
    _modify { yield &ends[Int(index) << 1 | direction.index] }
  }

  /// Lets the end that sends in this direction take a segment (``Connection/End/receive(_:at:_:)``).
  @inline(__always)
  mutating func receive(
    _ packet: borrowing Packet, _ direction: Direction, at now: Int64, _ wire: inout Wire
  ) -> Bool {
    ends[Int(packet.owner) << 1 | direction.index].receive(packet, at: now, &wire)
  }

  /// How many bytes have arrived at the other end of this direction, if they are more than when this was last asked.
  @inline(__always)
  mutating func takeArrived(_ index: Int32, _ direction: Direction) -> Int64? {
    ends[Int(index) << 1 | direction.opposite.index].tcp.takeArrived()
  }

  /// Reads on in this direction, at most to the end of a chunk.
  @inline(__always)
  mutating func read(_ index: Int32, _ direction: Direction, to limit: Int64) -> Conveyor.Portion? {
    ends[Int(index) << 1 | direction.index].conveyor.read(to: limit)
  }

  /// Whether bytes have come of this direction of QUIC since this was last asked.
  mutating func takeDatagrams(_ index: Int32, _ direction: Direction) -> Bool {
    ends[Int(index) << 1 | direction.opposite.index].quic[0].takeNews()
  }

  /// Reads a stretch of this direction of QUIC that has arrived.
  mutating func readDatagrams(_ index: Int32, _ direction: Direction) -> Conveyor.Portion? {
    let place = Int(index) << 1 | direction.index
    let bytes = ends[place ^ 1].quic[0].receiver.bytes
    return ends[place].conveyor.read(arrived: bytes)
  }

  /// The next offer of the end that sends in this direction, of those that the other end has heard of.
  mutating func takeOffer(_ index: Int32, _ direction: Direction) -> QuicOffer? {
    let place = Int(index) << 1 | direction.index
    let heard = ends[place ^ 1].quic[0].sender.offersHeard
    return ends[place].quic[0].receiver.allowance.take(upTo: heard)
  }

  /// A stream that has ended in this direction, and whose last byte is acknowledged.
  mutating func takeEnding(_ index: Int32, _ direction: Direction) -> StreamHandle? {
    ends[Int(index) << 1 | direction.index].quic[0].sender.takeEnding()
  }

  /// The other end of this direction has read bytes of a stream.
  mutating func noteRead(_ portion: Conveyor.Portion, _ index: Int32, _ direction: Direction, at now: Int64) {
    let place = Int(index) << 1 | direction.opposite.index
    let roundTrip = ends[place].quic[0].sender.roundTrip.measured
    ends[place].quic[0].receiver.read(
      portion.count, of: portion.chunk.stream, isLast: portion.isLast, at: now, roundTrip: roundTrip)
  }

  /// How many bytes of this direction TCP has yet to send for the first time.
  func unsent(_ index: Int32, _ direction: Direction) -> Int64 {
    let place = Int(index) << 1 | direction.index
    return ends[place].tcp.sender.written - ends[place].sent
  }

  /// When a timer of one of the ends runs out.
  @inline(__always)
  mutating func deadline(of index: Int32) -> Int64 {
    let place = Int(index) << 1
    if !ends[place].quic.isEmpty {
      return min(ends[place].quic[0].nextDeadline(), ends[place | 1].quic[0].nextDeadline())
    }
    // The whole end would be copied by a property of its own.
    return min(ends[place].tcp.deadline, ends[place | 1].tcp.deadline)
  }

  /// Gives a connection a number, that of one that is gone if there is any.
  ///
  /// - Parameter flow: the stream of chance of a number that was never given before.
  mutating func add(
    _ connection: Connection, flow: Int32, control: PathConfiguration.CongestionControl,
    clock: TickClock
  ) -> Int32 {
    let index = free.popLast() ?? Int32(records.count)
    let isNew = Int(index) == records.count
    let flow = isNew ? flow : self[index, .up].tcp.flow
    // A copy of many ends would double the memory for a moment; what is not used yet of a large array takes none.
    if isNew, ends.count == ends.capacity, ends.count >= 4_096 { ends.reserveCapacity(8 * ends.count) }
    if isNew { records.append(connection) } else { self[index] = connection }
    for direction in Direction.allCases {
      var end = Connection.End(
        tcp: Endpoint(owner: index, flow: flow, control: control, clock: clock),
        conveyor: Conveyor(announcesEnds: direction == .up, isOrdered: !connection.isQuic))
      if connection.isQuic { end.quic = [QuicEnd(isClient: direction == .up, control: control, clock: clock)] }
      if isNew { ends.append(end) } else { self[index, direction] = end }
    }
    self[index, .down].tcp.listen()
    return index
  }

  /// Gives the number of a closed connection back.
  mutating func remove(_ index: Int32) {
    self[index].isInUse = false
    self[index, .down].close()
    for direction in Direction.allCases {
      self[index, direction].conveyor = Conveyor(announcesEnds: direction == .up, isOrdered: !self[index].isQuic)
    }
    free.append(index)
  }

  // MARK: Pools

  var poolIndices: Range<Int32> { 0..<Int32(pools.count) }

  subscript(pool index: Int32) -> ConnectionPool {
    get { pools[Int(index)] }
    _modify { yield &pools[Int(index)] }
  }

  /// The pool of the requests that may share their connections with each other; `nil` while there is none.
  mutating func pool(_ key: PoolKey) -> Int32? {
    if latestPool >= 0, pools[Int(latestPool)].key == key { return latestPool }
    guard let known = poolNumbers[key] else { return nil }
    latestPool = known
    return known
  }

  /// Makes a pool.
  ///
  /// - Parameter lookup: the look-up of the host's name.
  mutating func addPool(_ key: PoolKey, lookup: Int32, seed: KeyedRandom) -> Int32 {
    let address = key.address
    let counter = counterNumbers[address] ?? Int32(counters.count)
    if Int(counter) == counters.count {
      counters.append((0, seed.keyed(by: address)))
      counterNumbers[address] = counter
    }
    latestPool = Int32(pools.count)
    pools.append(ConnectionPool(key: key, counter: counter, lookup: lookup))
    poolNumbers[key] = latestPool
    return latestPool
  }

  /// Counts one more connection to the host and port of a pool: how many there were before, and its chance.
  mutating func count(in pool: Int32) -> (number: Int, random: KeyedRandom) {
    let counter = Int(pools[Int(pool)].counter)
    let number = counters[counter].count
    counters[counter].count += 1
    return (number, counters[counter].random.keyed(by: UInt64(number)))
  }
}
