import LinkSimulator
import NetworkConditions

extension ScheduledFault {
  /// Returns this fault at another place: a byte, a packet, a time or a file change; some faults have no place.
  func placed(at place: Int64) -> ScheduledFault {
    let placed: Kind =
      switch kind {
      case .request(let match, .reset(_, let direction)):
        .request(match, .reset(after: .bytes(place), direction: direction))
      case .request(let match, .truncate): .request(match, .truncate(after: .bytes(place)))
      case .request(let match, .stall(_, let duration)):
        .request(match, .stall(after: .bytes(place), duration: duration))
      case .request(let match, .corrupt): .request(match, .corrupt(at: .bytes(place)))
      case .packet(let packet, let effect):
        .packet(
          PacketName(
            origin: packet.origin, connection: packet.connection, direction: packet.direction, number: Int(place)),
          effect)
      case .outage(let outage, _, let length): .outage(outage, from: .nanoseconds(place), for: length)
      case .cancellation: .cancellation(at: .nanoseconds(place))
      case .brownOut(_, let length): .brownOut(from: .nanoseconds(place), for: length)
      case .suspension(_, let length): .suspension(from: .nanoseconds(place), for: length)
      case .clockJump(let jump, _): .clockJump(by: jump, at: .nanoseconds(place))
      case .kill(let moment): .kill(moment.placed(at: place))
      case .powerLoss(let moment): .powerLoss(moment.placed(at: place))
      case .request, .phase: kind
      }
    return ScheduledFault(placed, via: via)
  }

  /// The length that an exploration chose for a fault of this kind.
  func length(of kind: FaultKinds.Kind) -> ExplorationReport.Length? {
    switch self.kind {
    case .request(_, .delay(let length)), .request(_, .idleClose(let length)), .brownOut(_, let length),
      .suspension(_, let length):
      ExplorationReport.Length(kind, length)
    case .request(_, .slowClose(let length)):
      // A swap of two answers also delays an end, but that delay is not a chosen length.
      kind == .slowClose ? ExplorationReport.Length(kind, length) : nil
    case .request(_, .stall(_, let length)), .outage(_, _, let length): ExplorationReport.Length(kind, length)
    default: nil
    }
  }
}

extension KillMoment {
  fileprivate func placed(at place: Int64) -> KillMoment {
    switch self {
    case .at: .at(.nanoseconds(place))
    case .afterFileChange: .afterFileChange(Int(clamping: place))
    }
  }
}

/// Points that a client probably cannot distinguish, grouped before any of them is run.
struct PointClass: Sendable {
  struct Key: Hashable, Sendable {
    /// The request as its index among all transfers of the run; -1 for the run as a whole.
    var transfer: Int
    var effect: Effect
    /// The kind of place in a text; ``TextPlace/any`` if the client cannot see the place.
    var place = TextPlace.any
    /// The half second of the transfer in which the effect becomes visible, and the number of earlier events of other
    /// transfers.
    var slot: Int64 = 0
    var others: Int = 0

    /// The key of a reset at the same place, if this is a close or a silence; all three leave the client with the same
    /// data.
    var loss: Key? {
      switch effect {
      case .timedOutWithinBody, .lostWithinBody(.closed): break
      default: return nil
      }
      var key = self
      key.effect = .lostWithinBody(.reset)
      return key
    }
  }

  enum Effect: Hashable, Sendable {
    case fault(RequestFault)
    case lostOnTheWayThere(bodyBegun: Bool)
    /// `isRepeated`: on a reused connection, a session repeats a request that got no byte of an answer.
    case lostBeforeAnswer(Loss, isRepeated: Bool)
    case lostWithinBody(Loss)
    case cutShort
    case timedOutBeforeAnswer(Duration?)
    case timedOutWithinBody(Duration?)
    case pause(withinBody: Bool)
    /// A pause whose length is chosen around one of the client's waits.
    case pauseOf(Duration, withinBody: Bool)
    /// A late start with which the answer arrives near the end of one of the client's waits.
    case arrival(after: Duration)
    /// A fault that is made to learn how the client waits.
    case scouted(ScheduledFault)
    case corrupted
    case packet(Direction, PacketRole)
    /// An outage or a suspension, with the phase of each transfer that is under way.
    case span(FaultKinds.Kind, Duration, [PhaseOfTransfer])
    case cancel([PhaseOfTransfer])
    case brownOut(Duration)
    case clockJump(Duration, isUnderWay: Bool)
    /// A kill, with the phase of each transfer that is under way and the number of file changes before it.
    case kill([PhaseOfTransfer], changes: Int, losingPower: Bool)
    case killAfterFileChange(Int, losingPower: Bool)
  }

  /// How a connection ends early; a client's error carries a different system error for each.
  enum Loss: Hashable, Sendable {
    case reset, closed
  }

  enum PacketRole: Hashable, Sendable {
    case lookup(Int), opening(Int), acknowledgement, data, lastData
  }

  enum PhaseOfTransfer: Hashable, Sendable {
    case before, resolving, connecting, securing, sending, waiting, receiving, after
  }

  struct Group: Sendable {
    let template: ScheduledFault
    let kind: FaultKinds.Kind
    /// The places in ascending order, and the time at which the client sees each fault.
    var places: [Int64]
    var times: [SimulatedInstant]
  }

  struct Member: Sendable {
    let fault: ScheduledFault
    let kind: FaultKinds.Kind
    let time: SimulatedInstant
  }

  let key: Key
  private(set) var groups: [Group]
  /// The points in the order of their numbers; empty when ``groups`` already has that order.
  private var order: [Int32] = []

  init(_ key: Key) {
    (self.key, groups) = (key, [])
  }

  var count: Int { groups.reduce(0) { $0 + $1.places.count } }

  subscript(number: Int) -> Member {
    let (number, index) = find(number)
    let group = groups[number]
    return Member(fault: group.template.placed(at: group.places[index]), kind: group.kind, time: group.times[index])
  }

  func place(of number: Int) -> Int64 {
    let (group, index) = find(number)
    return groups[group].places[index]
  }

  /// The byte positions from one point up to a later one; `nil` if their faults differ and have no common order.
  func places(from one: Int, to other: Int) -> Range<Int64>? {
    let ((group, index), (otherGroup, otherIndex)) = (find(one), find(other))
    guard group == otherGroup || !order.isEmpty else { return nil }
    return groups[group].places[index]..<groups[otherGroup].places[otherIndex]
  }

  private func find(_ number: Int) -> (Int, Int) {
    var left = order.isEmpty ? number : Int(order[number])
    for (group, points) in groups.enumerated() {
      if left < points.places.count { return (group, left) }
      left -= points.places.count
    }
    preconditionFailure("a class has \(count) points, and no \(number)")
  }

  subscript(range: Range<Int>) -> PointClass {
    if range == 0..<count { return self }
    let wanted = order.isEmpty ? Array(range) : order[range].map { Int($0) }.sorted()
    var part = PointClass(key)
    var (start, next) = (0, 0)
    for group in groups {
      while next < wanted.count, wanted[next] < start + group.places.count {
        let place = wanted[next] - start
        part.add(group.template, group.kind, at: group.places[place], group.times[place])
        next += 1
      }
      start += group.places.count
    }
    return part
  }

  /// Numbers the points by place, because a boundary between behaviours has the same place for all faults.
  mutating func sortByPlace() {
    guard groups.count > 1 else { return }
    let places = groups.flatMap(\.places)
    order = places.indices.sorted { (places[$0], $0) < (places[$1], $1) }.map { Int32($0) }
  }

  mutating func add(_ template: ScheduledFault, _ kind: FaultKinds.Kind, at place: Int64, _ time: SimulatedInstant) {
    // All points of a template are added one after another.
    if let last = groups.indices.last, groups[last].kind == kind, groups[last].template == template {
      groups[last].places.append(place)
      groups[last].times.append(time)
    } else {
      groups.append(Group(template: template, kind: kind, places: [place], times: [time]))
    }
  }
}
