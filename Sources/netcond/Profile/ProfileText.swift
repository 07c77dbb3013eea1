import Internals
import NetworkConditions

enum ProfileText {
  /// Formats a rate for a table, with a sign for unlimited; `isShort` leaves out the common unit.
  static func rate(_ rate: Bandwidth?, isShort: Bool = false) -> String {
    guard let rate else { return "∞" }
    let text = Amounts.rate(rate)
    return isShort ? text.replacing("bit/s", with: "") : text
  }

  /// Formats both directions of a network as a table without empty columns.
  static func links(_ conditions: PathConditions, width: Int, style: Style) -> [String] {
    let links = [conditions.down, conditions.up]
    var columns: [Table.Column] = [.right("rate"), .right("delay")]
    var cells = links.map { [Table.Cell(Amounts.rate($0.meanRate)), Table.Cell(Amounts.time($0.delay))] }
    func add(_ title: String, _ text: (LinkConditions) -> String?) {
      let texts = links.map(text)
      guard texts.contains(where: { $0 != nil }) else { return }
      columns.append(.left(title))
      for (index, text) in texts.enumerated() { cells[index].append(Table.Cell(text ?? "")) }
    }
    add("trace") { link in
      link.trace.map { trace in
        trace.offsets.count == 1
          ? "1 packet in \(Amounts.time(trace.period))"
          : "\(trace.offsets.count) packets in \(Amounts.time(trace.period))"
      }
    }
    for kind in ImpairmentKind.allCases { add(kind.name) { impairment(kind, of: $0) } }
    add("queue") { $0.queue == LinkConditions.defaultQueue ? nil : FigureText.count($0.queue, "packet") }
    add("order") { $0.reorders ? "may change" : nil }
    let rows = [[Table.Cell("down", .down)] + cells[0], [Table.Cell("up", .up)] + cells[1]]
    return Table(columns: [.left("")] + columns, rows: rows).lines(width: width, style: style)
  }

  /// Formats one kind of impairment of a link; `nil` when the link has none.
  private static func impairment(_ kind: ImpairmentKind, of link: LinkConditions) -> String? {
    guard link.has(kind) else { return nil }
    return switch kind {
    case .jitter: link.jitter.map(jitter)
    case .reordering: Amounts.percent(link.reordering.share.value)
    case .duplication: Amounts.percent(link.duplication.value)
    case .corruption: Amounts.percent(link.corruption.value)
    case .loss: link.loss.mean > 0 ? loss(link.loss) : nil
    }
  }

  static func jitter(_ jitter: Jitter) -> String {
    let kind = jitter.distribution == .paretoNormal ? "pareto-normal" : jitter.distribution.rawValue
    return "\(Amounts.time(jitter.spread)) (\(kind))"
  }

  static func loss(_ loss: LossModel) -> String {
    let mean = Amounts.percent(loss.mean)
    guard case .bursts(let chain) = loss, chain.badToGood.value > 0 else { return mean }
    return "\(mean) in bursts of \(Amounts.digits(1 / chain.badToGood.value))"
  }

  /// Formats the device at the client's end; empty when the profile says nothing about it.
  static func device(_ device: DeviceConditions) -> String {
    [
      device.interface == .unknown ? nil : device.interface.rawValue, device.isConstrained ? "constrained" : nil,
      device.suspendsApp ? "app suspended" : nil,
    ].compactMap { $0 }.joined(separator: ", ")
  }

  /// What the conditions do to UDP beside name look-ups; `nil` if they leave it open.
  static func udp(_ conditions: PathConditions) -> String? {
    switch conditions.udp {
    case .open: nil
    case .blocked: "blocked"
    case .limited(let rate): "at most \(rate)"
    }
  }

  static func outage(_ outage: PathConditions.Outage) -> String {
    switch outage {
    case .drop: "out: packets vanish"
    case .refuse: "offline: requests fail at once"
    }
  }

  static func summary(_ profile: NetworkProfile) -> JSON {
    let conditions = ProfileFacts.typical(profile)
    return [
      "name": .string(profile.name), "aliases": .array(profile.aliases.map { .string($0) }),
      "tool": JSON(ProfileFacts.tool(of: profile)), "summary": .string(profile.summary),
      "source": .string(profile.source), "down_bps": bits(conditions.down.meanRate),
      "up_bps": bits(conditions.up.meanRate), "rtt_s": JSON(seconds: conditions.roundTrip),
      "loss": .real(conditions.meanLoss), "model": .string(conditions.model.rawValue),
      "outage": JSON(conditions.outage?.rawValue),
      "phases": .integer(profile.phases.count), "repeats": .bool(profile.repeats),
    ]
  }

  static func whole(_ profile: NetworkProfile) -> JSON {
    [
      "name": .string(profile.name), "aliases": .array(profile.aliases.map { .string($0) }),
      "summary": .string(profile.summary), "source": .string(profile.source),
      "model": .string(profile.base.model.rawValue), "base": conditions(profile.base),
      "repeats": .bool(profile.repeats),
      "phases": .array(
        profile.phases.map { phase in
          [
            "name": .string(phase.name), "duration_s": JSON(seconds: phase.duration),
            "conditions": conditions(phase.conditions),
          ]
        }),
      "rules": .integer(profile.rules.count), "faults": .integer(profile.faults.count),
    ]
  }

  private static func conditions(_ conditions: PathConditions) -> JSON {
    let (udp, limit): (String, Bandwidth?) =
      switch conditions.udp {
      case .open: ("open", nil)
      case .blocked: ("blocked", nil)
      case .limited(let rate): ("limited", rate)
      }
    return [
      "down": direction(conditions.down), "up": direction(conditions.up),
      "dns_delay_s": JSON(seconds: conditions.dnsDelay), "outage": JSON(conditions.outage?.rawValue),
      "udp": .string(udp), "udp_bps": bits(limit),
      "interface": .string(conditions.device.interface.rawValue),
      "constrained": .bool(conditions.device.isConstrained), "suspended": .bool(conditions.device.suspendsApp),
    ]
  }

  private static func direction(_ link: LinkConditions) -> JSON {
    let impairments = ImpairmentKind.allCases.flatMap { members(of: $0, link) }
    return .object(
      [.init("rate_bps", bits(link.meanRate)), .init("delay_s", JSON(seconds: link.delay))] + impairments
        + [.init("queue_packets", .integer(link.queue))])
  }

  private static func members(of kind: ImpairmentKind, _ link: LinkConditions) -> [JSON.Member] {
    switch kind {
    case .jitter: [.init("jitter_s", JSON(seconds: link.jitter?.spread))]
    case .reordering:
      [.init("reordering", .real(link.reordering.share.value)), .init("reordering_gap", .integer(link.reordering.gap))]
    case .duplication: [.init("duplication", .real(link.duplication.value))]
    case .corruption: [.init("corruption", .real(link.corruption.value))]
    case .loss: [.init("loss", .real(link.loss.mean))]
    }
  }

  private static func bits(_ rate: Bandwidth?) -> JSON {
    rate.map { .integer($0.bitsPerSecond) } ?? .null
  }
}
