/// The requests of a path: their records, and where that of each stands.
struct StreamTable: Sendable {
  private var records: [Stream] = []
  private var free: [Int32] = []
  /// The slot of each record by the request's number, from `first` on; -1 for a record that was given back.
  private var slots = Queue<Int32>()
  private var first = 0

  /// The record in this slot.
  @inline(__always)
  subscript(slot: Int32) -> Stream {
    get { records[Int(slot)] }
    _modify { yield &records[Int(slot)] }
  }

  /// One direction of the request in this slot.
  @inline(__always)
  subscript(slot: Int32, direction: Direction) -> Stream.Half {
    get { direction == .up ? records[Int(slot)].up : records[Int(slot)].down }
    set { if direction == .up { records[Int(slot)].up = newValue } else { records[Int(slot)].down = newValue } }
  }

  /// The faults of the request in this slot: to read them through its record copies all of that.
  @inline(__always)
  func faults(_ slot: Int32) -> StreamFaults? { records[Int(slot)].plan }

  /// Whether the request in this slot shares its connection with no other.
  @inline(__always)
  func forcesConnection(_ slot: Int32) -> Bool { records[Int(slot)].forcesConnection }

  /// Makes the record of a request, and says where it stands.
  mutating func add(_ request: StreamRequest, pool: Int32) -> Int32 {
    let stream = Stream(number: first + slots.count, request, pool: pool)
    let slot = free.popLast() ?? Int32(records.count)
    if Int(slot) == records.count {
      records.append(stream)
    } else {
      records[Int(slot)] = stream
    }
    slots.append(slot)
    return slot
  }

  /// Gives the record of a request back.
  mutating func remove(_ slot: Int32) {
    slots[records[Int(slot)].number - first] = -1
    records[Int(slot)].release()
    free.append(slot)
    while slots.first == -1 {
      slots.removeFirst()
      first += 1
    }
  }

  /// The slot of a request, unless its record was given back.
  func slot(of id: StreamID) -> Int32? {
    let place = id.number - first
    guard place >= 0, place < slots.count, slots[place] >= 0 else { return nil }
    return slots[place]
  }

  /// A reference to the request in this slot.
  @inline(__always)
  func handle(_ slot: Int32) -> StreamHandle {
    StreamHandle(slot: slot, tag: Int32(truncatingIfNeeded: records[Int(slot)].number))
  }

  /// The slot of the request if it is still in this state; otherwise it is over, or another one stands there.
  @inline(__always)
  func slot(of handle: StreamHandle, in state: Stream.State) -> Int32? {
    let place = Int(handle.slot)
    guard place >= 0, records[place].state == state else { return nil }
    return self.handle(handle.slot) == handle ? handle.slot : nil
  }

  /// The slots of the requests that are wanted, in the order of their numbers.
  func slots(where isWanted: (Stream) -> Bool) -> [Int32] {
    let wanted = records.indices.filter { isWanted(records[$0]) }
    return wanted.sorted { records[$0].number < records[$1].number }.map { Int32($0) }
  }
}
