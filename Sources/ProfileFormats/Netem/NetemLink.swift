import NetworkConditions

/// Turns netem's options into a link and back (the kernel's net/sched/sch_netem.c).
///
/// netem's limit includes the packet in service and delayed packets; a link's queue here excludes both. So limit =
/// queue + 1 + packets in the air, rate x delay / 12000 bits. Jitter is even from -J to +J. With a rate packets keep
/// their order; without one they overtake each other.
enum NetemLink {
  /// How many bits a packet of 1500 bytes has.
  private static let packetBits: Int64 = 12_000

  static func read(_ options: NetemOptions) -> (LinkConditions, LossList) {
    var losses = options.losses
    var link = LinkConditions(rate: options.rate, delay: .nanoseconds(options.delay), loss: options.loss)
    link.reorder(options.reordering, gap: options.gap)
    link.duplication = options.duplication
    link.corruption = options.corruption
    if options.jitter > 0 {
      var distribution = Jitter.Distribution.uniform
      switch options.table {
      case .jitter(let given): distribution = given
      case .experimental:
        losses.add("distribution experimental", "the table has no formula; normal is used instead")
        distribution = .normal
      case nil: break
      }
      link.jitter = Jitter(
        distribution, spread: .nanoseconds(options.jitter), correlation: options.correlation)
      link.reorders = options.rate == nil
    }
    if options.limit == 0 {
      // A netem queue for zero packets drops every packet.
      link.loss = .independent(.one)
    } else if let rate = options.rate {
      let queue = options.limit - 1 - inTheAir(rate, link)
      if queue < 0 {
        losses.add(
          "limit \(options.limit)",
          "fewer than the packets in flight, which slows netem below its rate; here only waiting packets are counted")
      }
      link.queue = Int(min(max(queue, 0), greatestQueue))
    } else if options.hasLimit, options.limit < 1_000 {
      losses.add("limit \(options.limit)", "without a rate no packet waits; packets in flight are not limited")
    }
    return (link, losses)
  }

  /// The longest queue of the profile format, in packets.
  private static let greatestQueue: Int64 = 10_000_000

  /// How many packets fill the delay at the rate.
  private static func inTheAir(_ rate: Bandwidth, _ link: LinkConditions) -> Int64 {
    let delay = link.delay.wholeNanoseconds
    let product = Int128(rate.bitsPerSecond) * Int128(delay)
    return Int64(min(product / (Int128(packetBits) * 1_000_000_000), Int128(Int64.max / 2)))
  }

  // MARK: Writing

  static func write(_ profile: NetworkProfile) -> (down: String, up: String, losses: [FormatLoss]) {
    var steady = SteadyConditions(profile)
    steady.dropNameResolution()
    steady.writeOutageAsLoss()
    let down = write(steady.conditions.down, "down", &steady.losses)
    let up = write(steady.conditions.up, "up", &steady.losses)
    return (down, up, steady.losses.losses)
  }

  private static func write(_ link: LinkConditions, _ name: String, _ losses: inout LossList) -> String {
    var link = link
    var words: [String] = []
    if link.rate == .zero {
      losses.add("\(name).rate", "netem takes a rate of zero as no rate; written as a loss of 100 %")
      link.rate = nil
      link.loss = .independent(.one)
    }
    if let rate = link.rate, rate.bitsPerSecond < 8 {
      losses.add("\(name).rate", "netem counts in bytes per second; \(rate) is written as 8 bit/s")
      link.rate = Bandwidth(bitsPerSecond: 8)
    }
    if link.delay > .nanoseconds(NetemUnits.longestTime) {
      losses.add("\(name).delay", "tc takes no more than 274.8 s; \(link.delay.formatText) is written as that")
      link.delay = .nanoseconds(NetemUnits.longestTime)
    }
    words += writeDelay(link, name, &losses)
    for kind in ImpairmentKind.allCases where link.has(kind) {
      switch kind {
      // Jitter was written together with the delay.
      case .jitter: break
      case .reordering:
        let (share, gap) = link.reordering
        guard link.delay > .zero else {
          losses.add("\(name).reordering", "tc takes a reordering only with a delay, without which no packet overtakes")
          break
        }
        words.append("reorder \(share.percentText)%" + (gap == 1 ? "" : " gap \(gap)"))
      case .duplication: words.append("duplicate \(link.duplication.percentText)%")
      case .corruption: words.append("corrupt \(link.corruption.percentText)%")
      case .loss: words += writeLoss(link.loss)
      }
    }
    if let rate = link.rate {
      words.append("rate \(NetemUnits.text(rate))")
      let queue = min(Int64(link.queue), greatestQueue)
      let limit = min(queue + 1 + inTheAir(rate, link), Int64(UInt32.max))
      if queue < link.queue || limit == Int64(UInt32.max) {
        losses.add("\(name).queue", "a queue of \(link.queue) packets is more than can be written")
      }
      words.append("limit \(limit)")
    }
    return words.isEmpty ? "delay 0ms" : words.joined(separator: " ")
  }

  private static func writeLoss(_ loss: LossModel) -> [String] {
    switch loss {
    case .none: return []
    case .independent(let share): return share > .zero ? ["loss \(share.percentText)%"] : []
    case .bursts(let chain):
      var words = ["loss gemodel \(chain.goodToBad.percentText)% \(chain.badToGood.percentText)%"]
      if chain.lossWhenBad != .one || chain.lossWhenGood != .zero {
        words.append("\(chain.lossWhenBad.percentText)%")
        if chain.lossWhenGood != .zero { words.append("\(chain.lossWhenGood.percentText)%") }
      }
      return words
    }
  }

  private static func writeDelay(_ link: LinkConditions, _ name: String, _ losses: inout LossList) -> [String] {
    guard let jitter = link.jitter, jitter.spread > .zero else {
      return link.delay > .zero ? ["delay \(link.delay.millisecondText)ms"] : []
    }
    var spread = jitter.spread
    if spread > .nanoseconds(NetemUnits.longestTime) {
      losses.add("\(name).jitter", "tc takes no more than 274.8 s; \(spread.formatText) is written as that")
      spread = .nanoseconds(NetemUnits.longestTime)
    }
    var words = "delay \(link.delay.millisecondText)ms \(spread.millisecondText)ms"
    if jitter.correlation > .zero { words += " \(jitter.correlation.percentText)%" }
    if jitter.distribution != .uniform {
      if link.delay > .zero {
        words += " distribution \(jitter.distribution.rawValue.lowercased())"
      } else {
        losses.add("\(name).jitter", "tc takes a distribution only with a delay; written as even jitter")
      }
    }
    if link.reorders, link.rate != nil {
      losses.add("\(name).reorder", "with a rate netem keeps packets in order")
    } else if !link.reorders, link.rate == nil {
      losses.add("\(name).reorder", "without a rate netem lets jitter change the order of packets")
    }
    return [words]
  }
}
