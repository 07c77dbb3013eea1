/// Sends equal packets over one link and reports the fate of each, to check a link against its conditions.
package struct LinkProbe: Sendable {
  package struct Outcome: Hashable, Sendable {
    /// The packet's number, counted from 0.
    package var number: Int
    /// The time of arrival or loss in nanoseconds.
    package var time: Int64
    package var isLost: Bool
  }

  private var link: Link
  private var count = 0
  /// How many packets a full queue has dropped.
  package private(set) var refused = 0

  package init(_ conditions: LinkConditions, seed: UInt64) {
    link = Link(LinkParameters(conditions, isOut: false))
    link.flows.append(Flow(random: KeyedRandom(seed: seed)))
  }

  /// Sends a packet at `time`, which must not precede the last one; returns `false` when the queue is full.
  @discardableResult
  package mutating func send(bytes: Int32, at time: Int64) -> Bool {
    let packet = Packet(kind: .segment, owner: Int32(truncatingIfNeeded: count), flow: 0, size: bytes)
    count += 1
    let isTaken = link.send(packet, at: time)
    if !isTaken { refused += 1 }
    return isTaken
  }

  /// Reports all arrivals and losses up to `time`, in order.
  package mutating func drain(until time: Int64, _ body: (Outcome) -> Void) {
    while link.nextTime <= time, link.nextTime < .max {
      let due = link.nextTime
      switch link.next() {
      case .arrival(let position):
        body(Outcome(number: Int(link.packet(at: position).owner), time: due, isLost: false))
      case .loss(let owner, _, _): body(Outcome(number: Int(owner), time: due, isLost: true))
      }
    }
  }
}
