import NetworkConditions

/// One event of Chromium's Trace Event Format, which Perfetto reads; the file has microseconds with decimals.
struct TraceEvent {
  enum Kind: String {
    case complete = "X"
    case instant = "i"
    case counter = "C"
    case metadata = "M"
  }

  var kind: Kind
  var name: String
  var category = ""
  /// The time of the event, in nanoseconds of virtual time.
  var time: Int64 = 0
  /// The length of a slice, in nanoseconds; other kinds of events have none.
  var length: Int64 = 0
  var process: Int
  var thread: Int
  var arguments: [(String, JSONValue)] = []

  /// The event as JSON on one line, with its members always in the same order.
  var json: String {
    let value: JSONValue = [
      "name": .string(name), "ph": .string(kind.rawValue), "cat": category.isEmpty ? nil : .string(category),
      "ts": kind == .metadata ? nil : .number(DecimalText.of(time, places: 3)),
      "dur": kind == .complete ? .number(DecimalText.of(length, places: 3)) : nil,
      "pid": .integer(process), "tid": .integer(thread),
      // An instant event belongs to its thread; one of the whole network belongs to all.
      "s": kind == .instant ? .string(process == Self.networkProcess ? "g" : "t") : nil,
      "args": arguments.isEmpty ? nil : .members(arguments),
    ]
    return value.compactText
  }

  static let networkProcess = 1
}

/// Assigns transfers to tracks: each goes to the first free track of its client, since slices must not overlap.
struct Lanes {
  /// The client's group and the track of a transfer, both from 0.
  struct Place: Hashable {
    let group: Int
    let lane: Int
  }

  /// The clients in the order of their numbers; `nil` stands for transfers without a client's number.
  private(set) var groups: [Int?]
  private(set) var counts: [Int]
  private(set) var places: [Int: Place] = [:]

  init(_ transfers: [Transfer], until now: SimulatedInstant) {
    groups = Set(transfers.map(\.client)).sorted { ($0 ?? -1) < ($1 ?? -1) }
    let indices = Dictionary(uniqueKeysWithValues: groups.enumerated().map { ($1, $0) })
    var ends: [[Int64]] = groups.map { _ in [] }
    let order = transfers.sorted { ($0.started, $0.number) < ($1.started, $1.number) }
    for transfer in order {
      let group = indices[transfer.client] ?? 0
      let lane = ends[group].firstIndex { $0 <= transfer.started.nanoseconds } ?? ends[group].count
      if lane == ends[group].count { ends[group].append(0) }
      ends[group][lane] = transfer.end(at: now)
      places[transfer.number] = Place(group: group, lane: lane)
    }
    counts = ends.map(\.count)
  }
}
