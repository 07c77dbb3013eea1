import Foundation
import Internals
import LinkSimulator
import NetworkConditions

struct PointList: Sendable {
  private(set) var classes: [PointClass] = []
  var omissions: Set<String> = []
  private var numbers: [PointClass.Key: Int] = [:]
  let faultKinds: FaultKinds
  private let waits: WaitLengths
  let timeline: Timeline
  /// Points up to this time are not listed; `nil` lists all.
  private let past: SimulatedInstant?

  /// Lists the points of a run recorded with packets and contents; `waits` adds lengths to the faults' usual ones.
  init(
    of timeline: Timeline, faultKinds: FaultKinds, lengths waits: WaitLengths = WaitLengths(),
    after past: SimulatedInstant? = nil
  ) {
    (self.timeline, self.faultKinds, self.waits, self.past) = (timeline, faultKinds, waits, past)
    for (turn, transfer) in timeline.transfers.enumerated() {
      guard let contents = timeline.details.contents[transfer.number] else { continue }
      let subject = ListedTransfer(transfer, turn: turn, contents, in: timeline)
      listConnecting(subject)
      listRequest(subject)
      listAnswer(subject)
      listEnd(subject)
      listDelays(subject)
    }
    listPackets()
    listSpans()
    listBrownOuts()
    listClockJumps()
    listKills()
    listOrders()
    numbers = [:]
    for number in classes.indices where classes[number].key.place != .any { classes[number].sortByPlace() }
  }

  var count: Int { classes.reduce(0) { $0 + $1.count } }

  /// The lengths of all faults, without those that are fitted to one transfer (``listArrivals(_:besides:)``).
  var lengths: Set<ExplorationReport.Length> {
    let chosen = classes.filter { if case .arrival = $0.key.effect { false } else { true } }
    return Set(chosen.flatMap { $0.groups.compactMap { $0.template.length(of: $0.kind) } })
  }

  func has(_ kind: FaultKinds.Kind) -> Bool { faultKinds.kinds.contains(kind) }

  mutating func add(
    _ template: ScheduledFault, _ kind: FaultKinds.Kind, at place: Int64 = 0, _ time: SimulatedInstant,
    as key: PointClass.Key
  ) {
    if let past, time <= past { return }
    let number = numbers[key] ?? classes.count
    if number == classes.count {
      numbers[key] = number
      classes.append(PointClass(key))
    }
    classes[number].add(template, kind, at: place, time)
  }

  mutating func add(
    _ fault: RequestFault, _ kind: FaultKinds.Kind, to subject: ListedTransfer, at time: SimulatedInstant
  ) {
    guard has(kind) else { return }
    add(
      subject.fault(fault), kind, time,
      as: PointClass.Key(transfer: subject.turn, effect: .fault(fault)))
  }

  private mutating func listConnecting(_ subject: ListedTransfer) {
    let start = subject.transfer.started
    // A request on a kept connection neither resolves a name nor connects.
    guard !subject.transfer.reusedConnection else { return }
    if subject.transfer.resolved != nil { add(.dnsFailure, .dns, to: subject, at: start) }
    add(.refused, .refused, to: subject, at: start)
    add(.connectTimeout, .connectTimeout, to: subject, at: start)
    if subject.isSecure { add(.tlsFailure, .tls, to: subject, at: start) }
  }

  /// Lists late starts; they come last, because a failing request explains a failure more plainly.
  private mutating func listDelays(_ subject: ListedTransfer) {
    let lengths = [faultKinds.moment, subject.patience] + lengths(of: subject, besides: faultKinds.lifetimes)
    for length in lengths { add(.delay(length), .delay, to: subject, at: subject.transfer.started) }
    listArrivals(subject, besides: lengths)
  }

  /// Lists late starts with which the answer arrives just before or just after the end of a wait of the client.
  private mutating func listArrivals(_ subject: ListedTransfer, besides others: [Duration]) {
    guard has(.delay), subject.transfer.outcome == .finished, let end = subject.transfer.ended else { return }
    let taken = subject.transfer.started.duration(to: end)
    for length in lengths(of: subject, among: waits.edges.map { $0 - taken }) where !others.contains(length) {
      let key = PointClass.Key(transfer: subject.turn, effect: .arrival(after: length))
      add(subject.fault(.delay(length)), .delay, subject.transfer.started, as: key)
    }
  }

  private mutating func listRequest(_ subject: ListedTransfer) {
    guard let sent = subject.transfer.requestSent else { return }
    let received = subject.transfer.requestReceived ?? sent
    for status in faultKinds.statuses { add(status.fault, .status, to: subject, at: received) }
    add(.loginPage, .page, to: subject, at: received)
    add(.redirectToNowhere, .redirect, to: subject, at: received)
    listStale(subject, at: received)
    if subject.isSecure { add(.goAway, .goAway, to: subject, at: received) }
    listServers(subject, at: received)
    guard has(.reset) else { return }
    let template = subject.fault(.reset(after: .zero, direction: .up))
    let end = subject.contents.requestHeadBytes + subject.contents.requestBodyBytes
    let known = subject.contents.requestHeadBytes + Int64(TransferContents.most)
    if end > known + 1 {
      omissions.insert("of uploads beyond \(TransferContents.most) bytes, all but every \(ListedAnswer.stride)th byte")
    }
    for place in ListedAnswer.places(known: known, end: end) {
      let effect = PointClass.Effect.lostOnTheWayThere(bodyBegun: place > subject.contents.requestHeadBytes)
      add(template, .reset, at: place, sent, as: PointClass.Key(transfer: subject.turn, effect: effect))
    }
  }

  private mutating func listEnd(_ subject: ListedTransfer) {
    guard subject.transfer.outcome == .finished, let end = subject.transfer.ended else { return }
    let lengths = [faultKinds.moment, subject.patience] + lengths(of: subject)
    for length in lengths { add(.slowClose(delay: length), .slowClose, to: subject, at: end) }
    for time in faultKinds.idleTimes + waits.edges { add(.idleClose(after: time), .idleClose, to: subject, at: end) }
  }

  /// Lengths near the client's own waits, and the longest one below the transfer's idle timeout, if not already tried.
  func lengths(of subject: ListedTransfer, besides others: [Duration] = []) -> [Duration] {
    lengths(of: subject, among: waits.all + [subject.longestPause] + others)
  }

  private func lengths(of subject: ListedTransfer, among all: [Duration]) -> [Duration] {
    let usual = [faultKinds.moment, subject.patience]
    return Set(all).sorted().filter { length in
      length > .zero && !usual.contains(length) && (subject.contents.idleTimeout.map { length < $0 } ?? true)
    }
  }

  private mutating func listPackets() {
    guard has(.packet) else { return }
    var seenHosts: Set<String> = []
    for (turn, transfer) in timeline.transfers.enumerated() where transfer.resolved != nil {
      guard let host = URL(string: transfer.url)?.host, seenHosts.insert(host).inserted else { continue }
      for direction in Direction.allCases {
        let name = PacketName(origin: PacketName.lookupPrefix + host, direction: direction, number: 0)
        add(
          ScheduledFault(.packet(name, .lost), via: transfer.via(timeline)), .packet, transfer.started,
          as: PointClass.Key(transfer: turn, effect: .packet(direction, .lookup(0))))
      }
    }
    for (index, path) in timeline.packets.enumerated() {
      let via = index == 0 ? nil : path.profile
      if path.log.dropped > 0 { omissions.insert("the first \(path.log.dropped) packets, which were not kept") }
      listPackets(of: path.log, via: via)
    }
  }

  private mutating func listPackets(of log: PacketLog, via: String?) {
    for (place, connection) in log.connections.enumerated() {
      let origin = "\(connection.host):\(connection.port)"
      let users = timeline.transfers.enumerated().filter { _, transfer in
        transfer.wire.connection == connection.number && transfer.origin == origin && transfer.via(timeline) == via
      }
      for direction in Direction.allCases {
        let name = PacketName(origin: origin, connection: connection.number, direction: direction, number: 0)
        let records = log.records.filter { record in
          record.connection == Int32(place) && record.direction == direction
            && (record.kind == .sent || record.kind == .retransmitted)
        }
        for (number, record) in records.enumerated() {
          let user = users.last { $0.element.started <= record.time } ?? users.first
          let isLast = !records[(number + 1)...].contains { later in
            later.length > 0 && later.time <= (user?.element.ended ?? timeline.time)
          }
          let role: PointClass.PacketRole
          if record.time < (user?.element.secured ?? user?.element.connected ?? .zero) || number == 0 {
            role = .opening(number)
          } else {
            role = record.length == 0 ? .acknowledgement : isLast ? .lastData : .data
          }
          add(
            ScheduledFault(.packet(name, .lost), via: via), .packet, at: Int64(number), record.time,
            as: PointClass.Key(transfer: user?.offset ?? -1, effect: .packet(direction, role)))
        }
      }
    }
  }

  // MARK: Times

  private mutating func listSpans() {
    let patience =
      timeline.details.contents.values.compactMap(\.idleTimeout).filter { $0 < faultKinds.age }.max() ?? .zero
    let spans: [(FaultKinds.Kind, lengths: [Duration], fault: (Duration) -> ScheduledFault)] = [
      (.outage, [faultKinds.moment, patience + .seconds(5), faultKinds.age], { .outage(.drop, from: .zero, for: $0) }),
      (.offline, [faultKinds.moment], { .outage(.refuse, from: .zero, for: $0) }),
      (.suspend, [faultKinds.moment, faultKinds.age], { ScheduledFault(.suspension(from: .zero, for: $0)) }),
    ].filter { has($0.0) }
    let others = waits.all + faultKinds.lifetimes + [faultKinds.age]
    guard !spans.isEmpty || has(.cancel) else { return }
    var isListed: Set<PointClass.Key> = []
    for (middle, moment) in gaps {
      let (turn, phases) = position(at: moment)
      func key(_ effect: PointClass.Effect) -> PointClass.Key { self.key(effect, turn, at: moment) }
      for (kind, lengths, fault) in spans {
        for length in lengths { add(fault(length), kind, at: middle, moment, as: key(.span(kind, length, phases))) }
        // Of spans with another length, list one for each state of the transfers.
        for length in others where !lengths.contains(length) {
          let state = PointClass.Key(transfer: turn, effect: .span(kind, length, phases))
          if isListed.insert(state).inserted { add(fault(length), kind, at: middle, moment, as: state) }
        }
      }
      if has(.cancel) {
        add(ScheduledFault(.cancellation(at: .zero)), .cancel, at: middle, moment, as: key(.cancel(phases)))
      }
    }
  }

  /// The transfer in progress at a time, or the last one, and the phases of all transfers in progress.
  func position(at time: SimulatedInstant) -> (turn: Int, phases: [PointClass.PhaseOfTransfer]) {
    let begun = timeline.transfers.enumerated().filter { $0.element.started <= time }
    let running = begun.filter { $0.element.ended.map { $0 > time } ?? true }
    if let last = running.last { return (last.offset, running.map { phase(of: $0.element, at: time) }) }
    guard let last = begun.max(by: { ($0.element.ended ?? .zero) < ($1.element.ended ?? .zero) }) else {
      return (-1, [.before])
    }
    return (last.offset, [.after])
  }

  private func phase(of transfer: Transfer, at time: SimulatedInstant) -> PointClass.PhaseOfTransfer {
    if let first = transfer.firstByte, first <= time { return .receiving }
    if let sent = transfer.requestReceived ?? transfer.requestSent, sent <= time { return .waiting }
    func isBefore(_ end: SimulatedInstant?) -> Bool { end.map { time < $0 } ?? false }
    if isBefore(transfer.resolved) { return .resolving }
    if isBefore(transfer.connected) { return .connecting }
    return isBefore(transfer.secured) ? .securing : .sending
  }

  /// Lists swapped orders: if two answers end at nearly the same time, the first may be delayed after the second.
  private mutating func listOrders() {
    guard has(.order) else { return }
    let ends = timeline.transfers.enumerated().compactMap { turn, transfer in
      transfer.outcome == .finished ? transfer.ended.map { (turn: turn, transfer: transfer, end: $0) } : nil
    }
    for first in ends {
      for second in ends where second.turn != first.turn && (first.end, first.turn) < (second.end, second.turn) {
        let gap = first.end.duration(to: second.end)
        guard gap <= faultKinds.simultaneity, let contents = timeline.details.contents[first.transfer.number] else {
          continue
        }
        let subject = ListedTransfer(first.transfer, turn: first.turn, contents, in: timeline)
        let fault = RequestFault.slowClose(delay: gap + .microseconds(1))
        add(
          subject.fault(fault), .order, first.end,
          as: PointClass.Key(transfer: first.turn, effect: .fault(fault)))
      }
    }
  }
}
