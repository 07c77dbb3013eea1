/// The records of a path's requests, in reusable slots.
struct StreamTable: Sendable {
  private var records: [Stream] = []
  private var free: [Int32] = []
  /// The slot of each request by its number, starting at number `first`; -1 for a removed record.
  private var slots = Queue<Int32>()
  private var first = 0

  @inline(__always)
  subscript(slot: Int32) -> Stream {
    get { records[Int(slot)] }
    _modify { yield &records[Int(slot)] }
  }

  @inline(__always)
  subscript(slot: Int32, direction: Direction) -> Stream.Half {
    get { direction == .up ? records[Int(slot)].up : records[Int(slot)].down }
    set { if direction == .up { records[Int(slot)].up = newValue } else { records[Int(slot)].down = newValue } }
  }

  /// Changes one direction of a request in place; the subscript copies it out and back.
  @inline(__always)
  mutating func change<Result>(_ slot: Int32, _ direction: Direction, _ body: (inout Stream.Half) -> Result) -> Result {
    direction == .up ? body(&records[Int(slot)].up) : body(&records[Int(slot)].down)
  }

  /// The faults of the request in this slot; reading them through the whole record would copy it.
  @inline(__always)
  func faults(_ slot: Int32) -> FaultStages? { records[Int(slot)].plan }

  @inline(__always)
  func forcesConnection(_ slot: Int32) -> Bool { records[Int(slot)].forcesConnection }

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

  mutating func remove(_ slot: Int32) {
    slots[records[Int(slot)].number - first] = -1
    free.append(slot)
    while slots.first == -1 {
      slots.removeFirst()
      first += 1
    }
  }

  /// The slot of a request; `nil` when its record was removed.
  func slot(of id: StreamID) -> Int32? {
    let place = id.number - first
    guard place >= 0, place < slots.count, slots[place] >= 0 else { return nil }
    return slots[place]
  }

  /// A reference to the request in this slot, which detects that the slot was reused.
  @inline(__always)
  func handle(_ slot: Int32) -> StreamHandle {
    StreamHandle(slot: slot, tag: Int32(truncatingIfNeeded: records[Int(slot)].number))
  }

  /// The slot of a referenced request; `nil` when it is in another state, or its slot was reused.
  @inline(__always)
  func slot(of handle: StreamHandle, in state: Stream.State) -> Int32? {
    let place = Int(handle.slot)
    guard place >= 0, records[place].state == state else { return nil }
    return self.handle(handle.slot) == handle ? handle.slot : nil
  }

  /// The slots of the requests that match, in the order of their numbers.
  func slots(where isWanted: (Stream) -> Bool) -> [Int32] {
    let wanted = records.indices.filter { isWanted(records[$0]) }
    return wanted.sorted { records[$0].number < records[$1].number }.map { Int32($0) }
  }
}
