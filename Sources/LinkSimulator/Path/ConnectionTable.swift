/// The connections of a path, and the pools in which requests find connections.
///
/// Work for every packet is done in methods of this type. Through this type's subscripts the array access is not
/// inlined, which costs up to a tenth of a packet's time. `_read` instead of `get` would copy less, but without
/// optimization Swift 6.3 then releases an end's memory twice.
struct ConnectionTable: Sendable {
  private var records: [Connection] = []
  /// Two ends for each connection: the client's, then the server's.
  private var ends: [Connection.End] = []
  private var free: [Int32] = []
  /// The connections that have become idle, oldest first, and how many of the newest keep their memory.
  private var idle = Queue<Int32>()
  private static let warm = 64
  private var pools: [ConnectionPool] = []
  private var poolNumbers: [PoolKey: Int32] = [:]
  private var latestPool: Int32 = -1
  /// For each host and port: the number of connections so far, and their random source.
  private var counters: [(count: Int, random: KeyedRandom)] = []
  private var counterNumbers: [ServerKey: Int32] = [:]

  /// The indices of all connections, closed ones included.
  var indices: Range<Int32> { 0..<Int32(records.count) }

  @inline(__always)
  subscript(index: Int32) -> Connection {
    get { records[Int(index)] }
    _modify { yield &records[Int(index)] }
  }

  @inline(__always)
  func frameSize(_ index: Int32) -> Int64 { records[Int(index)].frameSize }

  /// The bytes that framing adds to a payload; a method of the record would copy it (``Connection/framing(of:_:)``).
  @inline(__always)
  func framing(of count: Int64, _ index: Int32, _ direction: Direction) -> Int32 {
    records[Int(index)].framing(of: count, direction)
  }

  /// The end that sends in a direction: the client for `up`, the server for `down`.
  @inline(__always)
  subscript(index: Int32, direction: Direction) -> Connection.End {
    get { ends[Int(index) << 1 | direction.index] }
    _modify { yield &ends[Int(index) << 1 | direction.index] }
  }

  /// Passes a packet to the end that sends in `direction`; see ``Connection/End/receive(_:at:_:)``.
  @inline(__always)
  mutating func receive(
    _ packet: borrowing Packet, _ direction: Direction, at now: Int64, _ wire: inout Wire
  ) -> Bool {
    ends[Int(packet.owner) << 1 | direction.index].receive(packet, at: now, &wire)
  }

  /// The bytes received in order by the receiver of `direction`; `nil` when unchanged since the last call.
  @inline(__always)
  mutating func takeArrived(_ index: Int32, _ direction: Direction) -> Int64? {
    let place = Int(index) << 1 | direction.opposite.index
    guard ends[place].tcp.receiver.bytes > ends[place].tcp.read else { return nil }
    return ends[place].tcp.takeArrived()
  }

  @inline(__always)
  mutating func takeAnnouncement(_ index: Int32) -> StreamHandle? {
    let place = Int(index) << 1
    guard ends[place].framingQueue.hasAnnouncements else { return nil }
    let sent = ends[place].quic.isEmpty ? ends[place].tcp.sender.sent : ends[place].quic[0].sender.sent
    return ends[place].framingQueue.takeAnnouncement(sent: sent)
  }

  /// Reads the next received bytes of a TCP direction, at most to the end of one chunk.
  @inline(__always)
  mutating func read(_ index: Int32, _ direction: Direction, to limit: Int64) -> FramingQueue.Portion? {
    ends[Int(index) << 1 | direction.index].framingQueue.read(to: limit)
  }

  /// Passes a QUIC datagram to the end that sends in `direction`; returns `false` if that end is closed.
  @inline(__always)
  mutating func receiveDatagram(_ packet: borrowing Packet, _ direction: Direction, at now: Int64) -> Bool {
    let place = Int(packet.owner) << 1 | direction.index
    if ends[place].quic[0].phase == .closed { return false }
    ends[place].quic[0].arrives(packet, at: now)
    return true
  }

  @inline(__always)
  func mustAcknowledge(_ index: Int32, _ direction: Direction) -> Bool {
    ends[Int(index) << 1 | direction.index].quic[0].receiver.mustAcknowledge
  }

  /// Whether QUIC data has arrived for the receiver of `direction` since the last call.
  @inline(__always)
  mutating func takeDatagrams(_ index: Int32, _ direction: Direction) -> Bool {
    let place = Int(index) << 1 | direction.opposite.index
    return ends[place].quic[0].receiver.hasNews && ends[place].quic[0].takeNews()
  }

  /// Reads the next stretch of received QUIC data in `direction`.
  @inline(__always)
  mutating func readDatagrams(_ index: Int32, _ direction: Direction) -> FramingQueue.Portion? {
    let place = Int(index) << 1 | direction.index
    guard let start = ends[place].framingQueue.oldestUnread else { return nil }
    let end = ends[place ^ 1].quic[0].receiver.bytes.end(from: start)
    // Fast paths: the oldest unread bytes have arrived, or no later bytes have.
    if end > start { return ends[place].framingQueue.read(0, to: end) }
    if start >= ends[place ^ 1].quic[0].receiver.bytes.last { return nil }
    let bytes = ends[place ^ 1].quic[0].receiver.bytes
    return ends[place].framingQueue.read(arrived: bytes)
  }

  /// Whether the end that sends in `direction` has made flow-control offers that its peer has just received.
  @inline(__always)
  func hasOffers(_ index: Int32, _ direction: Direction) -> Bool {
    let place = Int(index) << 1 | direction.index
    return ends[place].quic[0].receiver.allowance.taken < ends[place ^ 1].quic[0].sender.offersReceived
  }

  /// Whether a QUIC stream's end in `direction` awaits its acknowledgement.
  @inline(__always)
  func hasEndings(_ index: Int32, _ direction: Direction) -> Bool {
    ends[Int(index) << 1 | direction.index].quic[0].sender.hasEndings
  }

  /// The next flow-control offer of the end that sends in `direction`, once the peer has received it.
  mutating func takeOffer(_ index: Int32, _ direction: Direction) -> QuicOffer? {
    let place = Int(index) << 1 | direction.index
    let heard = ends[place ^ 1].quic[0].sender.offersReceived
    return ends[place].quic[0].receiver.allowance.take(upTo: heard)
  }

  /// Takes a QUIC stream that has ended in `direction` and whose last byte is acknowledged.
  mutating func takeEnding(_ index: Int32, _ direction: Direction) -> StreamHandle? {
    ends[Int(index) << 1 | direction.index].quic[0].sender.takeEnding()
  }

  /// Records that the receiver of `direction` has read bytes of a QUIC stream.
  mutating func noteRead(_ portion: FramingQueue.Portion, _ index: Int32, _ direction: Direction, at now: Int64) {
    let place = Int(index) << 1 | direction.opposite.index
    let roundTrip = ends[place].quic[0].sender.roundTrip.measured
    ends[place].quic[0].receiver.read(
      portion.count, of: portion.chunk.stream, isLast: portion.isLast, at: now, roundTrip: roundTrip)
  }

  /// How many bytes of `direction` have not been sent for the first time.
  func unsent(_ index: Int32, _ direction: Direction) -> Int64 {
    let place = Int(index) << 1 | direction.index
    return ends[place].tcp.sender.written - ends[place].sent
  }

  /// The earlier of the timer deadlines of the connection's two ends.
  @inline(__always)
  mutating func deadline(of index: Int32) -> Int64 {
    let place = Int(index) << 1
    if !ends[place].quic.isEmpty {
      return min(ends[place].quic[0].nextDeadline(), ends[place | 1].quic[0].nextDeadline())
    }
    // Not a property of `End`: that would copy the whole end.
    return min(ends[place].tcp.deadline, ends[place | 1].tcp.deadline)
  }

  /// Stores a connection and returns its index; a new index gets `flow` as its random stream.
  mutating func add(
    _ connection: Connection, flow: Int32, control: PathConfiguration.CongestionControl,
    clock: TickClock
  ) -> Int32 {
    releaseIdle()
    let index = free.popLast() ?? Int32(records.count)
    let isNew = Int(index) == records.count
    let flow = isNew ? flow : self[index, .up].tcp.flow
    // Growing by copying doubles the memory for a moment, and leaves gaps. Reserved pages of a large array cost nothing
    // until they are used.
    if isNew, ends.count + 2 > ends.capacity, ends.count >= 4_096 {
      ends.reserveCapacity(8 * ends.count)
      records.reserveCapacity(4 * ends.count)
    }
    if isNew { records.append(connection) } else { self[index] = connection }
    for direction in Direction.allCases {
      var end = Connection.End(
        tcp: Endpoint(owner: index, flow: flow, control: control, clock: clock),
        framingQueue: FramingQueue(announcesEnds: direction == .up, isOrdered: !connection.isQuic))
      if connection.isQuic { end.quic = [QuicEnd(isClient: direction == .up, control: control, clock: clock)] }
      if isNew { ends.append(end) } else { self[index, direction] = end }
    }
    self[index, .down].tcp.listen()
    return index
  }

  /// Records that no request uses a connection; its memory is freed when many others have become idle after it.
  mutating func noteIdle(_ index: Int32) {
    guard !records[Int(index)].isListedIdle else { return }
    records[Int(index)].isListedIdle = true
    idle.append(index)
  }

  /// Frees the memory of connections that have long been idle: a path may have tens of thousands of them.
  ///
  /// Called when a connection is added, so that connections that requests use again and again keep their memory.
  private mutating func releaseIdle() {
    for _ in 0..<2 where idle.count > Self.warm {
      guard let index = idle.popFirst() else { return }
      records[Int(index)].isListedIdle = false
      if records[Int(index)].load == 0 { releaseAll(index) }
    }
  }

  private mutating func releaseAll(_ index: Int32) {
    self[index].output.releaseAll()
    for direction in Direction.allCases {
      self[index, direction].tcp.sender.releaseAll()
      self[index, direction].tcp.receiver.releaseAll()
      self[index, direction].framingQueue.releaseAll()
    }
  }

  /// Frees the index of a closed connection.
  mutating func remove(_ index: Int32) {
    self[index].isInUse = false
    self[index, .down].close()
    for direction in Direction.allCases {
      self[index, direction].framingQueue = FramingQueue(
        announcesEnds: direction == .up, isOrdered: !self[index].isQuic)
    }
    free.append(index)
  }

  // MARK: Pools

  var poolIndices: Range<Int32> { 0..<Int32(pools.count) }

  subscript(pool index: Int32) -> ConnectionPool {
    get { pools[Int(index)] }
    _modify { yield &pools[Int(index)] }
  }

  mutating func pool(_ key: PoolKey) -> Int32? {
    if latestPool >= 0, pools[Int(latestPool)].key == key { return latestPool }
    guard let known = poolNumbers[key] else { return nil }
    latestPool = known
    return known
  }

  /// Creates a pool, with the index of its host's look-up, and returns its index.
  mutating func addPool(_ key: PoolKey, lookup: Int32, seed: KeyedRandom) -> Int32 {
    let counter = counterNumbers[key.server] ?? Int32(counters.count)
    if Int(counter) == counters.count {
      counters.append((0, seed.keyed(by: key.address)))
      counterNumbers[key.server] = counter
    }
    latestPool = Int32(pools.count)
    if pools.count == pools.capacity, pools.count >= 4_096 { pools.reserveCapacity(8 * pools.count) }
    pools.append(ConnectionPool(key: key, counter: counter, lookup: lookup))
    poolNumbers[key] = latestPool
    return latestPool
  }

  /// Counts a new connection to the pool's host and port, and returns its number and its random source.
  mutating func count(in pool: Int32) -> (number: Int, random: KeyedRandom) {
    let counter = Int(pools[Int(pool)].counter)
    let number = counters[counter].count
    counters[counter].count += 1
    return (number, counters[counter].random.keyed(by: UInt64(number)))
  }
}
