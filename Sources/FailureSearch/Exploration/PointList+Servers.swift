import Internals
import LinkSimulator
import NetworkConditions

extension PointList {
  /// Lists resets of a request's HTTP/2 stream, and answers that arrive in small pieces with pauses.
  mutating func listServers(_ subject: ListedTransfer, at received: SimulatedInstant) {
    guard let head = subject.contents.headBytes else { return }
    let whole = head + subject.contents.bodyBytes
    if subject.isSecure {
      for place in Set([0, head + subject.contents.bodyBytes / 2]).sorted() {
        add(
          .resetStream(after: .bytes(place)), .resetStream, to: subject, at: max(received, subject.arrival(of: place)))
      }
    }
    // Seven such pauses last longer than a user would wait.
    guard subject.longestPause > .zero else { return }
    add(.drip(bytes: Int(clamping: max(1, whole / 8)), pause: subject.longestPause), .drip, to: subject, at: received)
  }

  /// Lists the response of a cache, if the server once answered the same URL with another body.
  mutating func listStale(_ subject: ListedTransfer, at received: SimulatedInstant) {
    let (transfer, now) = (subject.transfer, subject.contents)
    guard has(.stale), now.mayBeCached else { return }
    let earlier = timeline.transfers.prefix(subject.turn).last { other in
      other.url == transfer.url && other.method == "GET" && other.ended.map { $0 <= transfer.started } ?? false
    }
    guard let then = earlier.flatMap({ timeline.details.contents[$0.number] }), then.isKept,
      (then.body, then.bodyBytes) != (now.body, now.bodyBytes)
    else { return }
    add(.stale, .stale, to: subject, at: received)
  }

  mutating func listBrownOuts() {
    guard has(.brownOut) else { return }
    for (turn, transfer) in timeline.transfers.enumerated() {
      let start = SimulatedInstant.zero.duration(to: transfer.started).wholeNanoseconds
      for length in [faultKinds.moment, faultKinds.age] {
        add(
          ScheduledFault(.brownOut(from: .zero, for: length)), .brownOut, at: start, transfer.started,
          as: PointClass.Key(transfer: turn, effect: .brownOut(length)))
      }
    }
  }

  /// Lists jumps of the device's clock: one during each transfer, and one between it and the next.
  mutating func listClockJumps() {
    guard has(.clock) else { return }
    var isListed: Set<PointClass.Key> = []
    for (middle, moment) in gaps {
      let (turn, phases) = position(at: moment)
      for jump in faultKinds.clockJumps {
        let key = PointClass.Key(transfer: turn, effect: .clockJump(jump, isUnderWay: phases != [.after]))
        if isListed.insert(key).inserted {
          add(ScheduledFault(.clockJump(by: jump, at: .zero)), .clock, at: middle, moment, as: key)
        }
      }
    }
  }

  /// The middle of each gap in which the client sees no event, in nanoseconds and as an instant.
  var gaps: [(middle: Int64, moment: SimulatedInstant)] {
    let received = timeline.transfers.compactMap(\.requestReceived)
    let times = Set(timeline.events.map(\.time) + received + timeline.details.wakes + [timeline.time]).sorted()
    return zip(times, times.dropFirst()).compactMap { time, next in
      let start = SimulatedInstant.zero.duration(to: time).wholeNanoseconds
      let length = time.duration(to: next).wholeNanoseconds
      guard length > 1 else { return nil }
      return (start + length / 2, SimulatedInstant.zero.advanced(by: .nanoseconds(start + length / 2)))
    }
  }

  /// The class of an effect at a time during or after the transfer with index `turn`.
  func key(_ effect: PointClass.Effect, _ turn: Int, at moment: SimulatedInstant) -> PointClass.Key {
    guard turn >= 0 else { return PointClass.Key(transfer: turn, effect: effect) }
    let transfer = timeline.transfers[turn]
    return PointClass.Key(
      transfer: turn, effect: effect,
      slot: transfer.started.duration(to: moment).wholeNanoseconds / ListedTransfer.slotLength,
      others: ListedTransfer.others(of: transfer, in: timeline).partitioningIndex { $0 > moment })
  }
}
