import NetworkConditions

/// A profile reduced to one set of conditions, for formats without phases, with a list of the parts lost.
struct SteadyConditions {
  var conditions: PathConditions
  var losses = LossList()
}

extension SteadyConditions {
  init(_ profile: NetworkProfile, holdsFaults: Bool = false, models: [PathConditions.Model] = [.link]) {
    var losses = LossList()
    let conditions = Self.bounded(profile.phases.first?.conditions ?? profile.base, &losses)
    if profile.phases.count > 1 {
      losses.add("phases", "the format holds one set of conditions; the first of \(profile.phases.count) is written")
    }
    Self.listUnsupportedSettings(profile, holdsFaults: holdsFaults, models: models, losses: &losses)
    self.init(conditions: conditions, losses: losses)
  }

  /// Shortens delays to a year, the longest that can be read back, and replaces a trace by its mean rate.
  static func bounded(_ conditions: PathConditions, _ losses: inout LossList) -> PathConditions {
    var conditions = conditions
    for direction in [Direction.down, .up] {
      guard let trace = conditions[direction].trace else { continue }
      losses.add(
        "\(direction.rawValue).trace",
        "\(trace.offsets.count) opportunities are written as their mean, \(trace.meanRate.formatText)")
      conditions[direction].rate = trace.meanRate
    }
    if conditions.udp != .open {
      losses.add("udp", "the format does not tell UDP from TCP")
      conditions.udp = .open
    }
    if conditions.device != DeviceConditions() {
      losses.add("device", "the format has only the network, not the device at its end")
      conditions.device = DeviceConditions()
    }
    for (name, delay) in [("down", \PathConditions.down.delay), ("up", \.up.delay), ("dns", \.dnsDelay)]
    where conditions[keyPath: delay] > .longest {
      losses.add("\(name).delay", "a delay of more than a year is written as one of a year")
      conditions[keyPath: delay] = .longest
    }
    return conditions
  }

  /// Lists the settings that few formats support as lost: model, rules, TCP settings and faults.
  static func listUnsupportedSettings(
    _ profile: NetworkProfile, holdsFaults: Bool = false, models: [PathConditions.Model] = [.link],
    losses: inout LossList
  ) {
    let conditions = profile.schedule.phases.map(\.conditions)
    if conditions.contains(where: { !models.contains($0.model) && $0.hasEffect }) {
      losses.add(
        "model",
        models == [.link]
          ? "DevTools count the round trip once per request; the format does so per packet"
          : "DevTools count the round trip once per request, and have no packets")
    }
    if !profile.rules.isEmpty { losses.add("rules", "the format has one network for all requests") }
    if profile.configuration != PathConfiguration() {
      losses.add("tcp", "the format has only the network, not what client and server do")
    }
    if holdsFaults { return }
    for fault in profile.faults { losses.add("faults", "\(fault) cannot be written in this format") }
  }

  mutating func dropNameResolution() {
    guard conditions.dnsDelay > .zero else { return }
    losses.add("dns.delay", "\(conditions.dnsDelay.formatText) cannot be written for name resolution alone")
    conditions.dnsDelay = .zero
  }

  /// Replaces an outage by a loss of all packets, for a format of links.
  mutating func writeOutageAsLoss() {
    guard let outage = conditions.outage else { return }
    losses.add(
      "outage", "\(outage.rawValue.quoted) is written as a silent loss of 100 % in both directions")
    conditions.outage = nil
    conditions.down = LinkConditions(loss: .independent(.one))
    conditions.up = conditions.down
  }

  mutating func keep(_ abilities: LinkAbilities) {
    for direction in [Direction.down, .up] {
      conditions[direction] = abilities.reduced(conditions[direction], direction.rawValue, &losses)
    }
  }
}

struct LinkAbilities {
  var loss = true
  var queue = false
  var zeroRate = false

  /// Returns the link without what the format cannot express; none of these formats has jitter or reordering.
  func reduced(_ link: LinkConditions, _ name: String, _ losses: inout LossList) -> LinkConditions {
    var link = link
    for kind in ImpairmentKind.allCases where kind != .loss && link.has(kind) {
      losses.add("\(name).\(kind.name)", "\(link.shown(kind)) cannot be written")
    }
    let lost = link.loss
    link = link.benign
    link.loss = lost
    link.reorders = false
    if !queue, link.queue != LinkConditions.defaultQueue {
      if link.rate != nil { losses.add("\(name).queue", "a queue of \(link.queue) packets cannot be written") }
      link.queue = LinkConditions.defaultQueue
    }
    if link.rate == .zero, !zeroRate {
      link.rate = nil
      if loss {
        losses.add("\(name).rate", "a rate of zero is written as a loss of 100 %")
        link.loss = .independent(.one)
      } else {
        losses.add("\(name).rate", "a rate of zero cannot be written, since 0 means no limit there")
      }
    }
    if !loss, link.loss.mean > 0 {
      losses.add("\(name).loss", "a loss of \(link.loss.shownMean) cannot be written")
      link.loss = .none
    }
    if case .bursts(let chain) = link.loss {
      losses.add(
        "\(name).loss", "loss in bursts is written as one of \(link.loss.shownMean), independent for each packet")
      link.loss = Probability(min(chain.meanLoss, 1)).map { .independent($0) } ?? .none
    }
    return link
  }
}

extension LinkConditions {
  func shown(_ kind: ImpairmentKind) -> String {
    switch kind {
    case .jitter: jitter.map { "\($0.spread.formatText) of \($0.distribution.rawValue) jitter" } ?? "no jitter"
    case .reordering: "a reordering of \(reordering.share)"
    case .duplication: "a duplication of \(duplication)"
    case .corruption: "a corruption of \(corruption)"
    case .loss: "a loss of \(loss.shownMean)"
    }
  }
}

extension LossModel {
  var shownMean: String { Probability.percent(mean * 100).description }

  static func single(_ probability: Probability) -> LossModel {
    probability == .zero ? .none : .independent(probability)
  }
}

extension PathConditions {
  var hasEffect: Bool { outage == nil && (down != .unlimited || up != .unlimited) }

  /// The longest round trip in nanoseconds: a year, the profile format's longest duration, in each direction.
  static let longestRoundTrip = 2 * Duration.longest.wholeNanoseconds

  mutating func lose(_ share: Probability) {
    down.loss = .single(share)
    up.loss = down.loss
  }

  mutating func setRoundTrip(_ nanoseconds: Int64) {
    up.delay = .nanoseconds(nanoseconds / 2)
    down.delay = .nanoseconds(nanoseconds - nanoseconds / 2)
  }
}

enum RoundTripText {
  /// Lists the delays as lost if they differ by more than 1 ns, the rounding of a halved round trip.
  static func listUneven(_ path: PathConditions, _ losses: inout LossList) {
    let difference = path.down.delay - path.up.delay
    if difference < .zero || difference > .nanoseconds(1) {
      losses.add(
        "delay", "one latency is written for both directions, \(path.roundTrip.millisecondText) ms there and back")
    }
  }

  static func shared(_ path: PathConditions, _ losses: inout LossList) -> Probability? {
    let down = probability(path.down.loss)
    let up = probability(path.up.loss)
    if down != up { losses.add("loss", "one loss is written for both directions, the greater one") }
    let greater = max(down, up)
    return greater == .zero ? nil : greater
  }

  static func probability(_ loss: LossModel) -> Probability {
    if case .independent(let probability) = loss { return probability }
    return .zero
  }
}
