/// The connections of a path, and the pools in which requests find them.
///
/// The accessors of every packet's way are transparent: inside another accessor, that of an array is not inlined otherwise,
/// which costs as much as a tenth of a packet's time.
struct ConnectionTable: Sendable {
  private var records: [Connection] = []
  /// The ends of each: the client's, then the server's.
  private var ends: [Connection.End] = []
  private var free: [Int32] = []
  private var pools: [ConnectionPool] = []
  private var poolNumbers: [PoolKey: Int32] = [:]
  private var latestPool: Int32 = -1
  private var counters: [ConnectionCounter] = []
  private var counterNumbers: [String: Int32] = [:]

  /// The numbers of all connections, those that are gone among them.
  var indices: Range<Int32> { 0..<Int32(records.count) }

  subscript(index: Int32) -> Connection {
    @_transparent _read { yield records[Int(index)] }
    @_transparent _modify { yield &records[Int(index)] }
  }

  /// The end of a connection that sends in this direction: the client up, the server down.
  subscript(index: Int32, direction: Direction) -> Connection.End {
    @_transparent _read { yield ends[Int(index) << 1 | direction.index] }
    @_transparent _modify { yield &ends[Int(index) << 1 | direction.index] }
  }

  /// When a timer of one of the ends runs out.
  @inline(__always)
  func deadline(of index: Int32) -> Int64 {
    min(self[index, .up].tcp.deadline, self[index, .down].tcp.deadline)
  }

  /// Gives a connection a number, that of one that is gone if there is any.
  ///
  /// - Parameter flow: the stream of chance of a number that was never given before.
  mutating func add(
    _ connection: Connection, flow: Int32, control: PathConfiguration.CongestionControl, clock: TickClock
  ) -> Int32 {
    let index = free.popLast() ?? Int32(records.count)
    let isNew = Int(index) == records.count
    let flow = isNew ? flow : self[index, .up].tcp.flow
    if isNew { records.append(connection) } else { self[index] = connection }
    for direction in Direction.allCases {
      let end = Connection.End(
        tcp: Endpoint(owner: index, flow: flow, control: control, clock: clock),
        conveyor: Conveyor(announcesEnds: direction == .up))
      if isNew { ends.append(end) } else { self[index, direction] = end }
    }
    self[index, .down].tcp.listen()
    return index
  }

  /// Gives the number of a closed connection back.
  mutating func remove(_ index: Int32) {
    self[index].isInUse = false
    self[index, .down].tcp.close()
    for direction in Direction.allCases { self[index, direction].conveyor = Conveyor(announcesEnds: direction == .up) }
    free.append(index)
  }

  // MARK: Pools

  var poolIndices: Range<Int32> { 0..<Int32(pools.count) }

  subscript(pool index: Int32) -> ConnectionPool {
    _read { yield pools[Int(index)] }
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
      counters.append(ConnectionCounter(random: seed.keyed(by: address)))
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
