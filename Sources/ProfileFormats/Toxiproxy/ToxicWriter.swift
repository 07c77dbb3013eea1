import NetworkConditions

struct ToxicWriter {
  private let profile: NetworkProfile
  private var steady: SteadyConditions
  private var toxics: [JSONValue] = []
  private var names = Set<String>()

  init(_ profile: NetworkProfile) {
    self.profile = profile
    steady = SteadyConditions(profile, holdsFaults: true)
  }

  mutating func export() -> ExportedDocument {
    steady.dropNameResolution()
    if let outage = steady.conditions.outage {
      writeOutage(outage)
    } else {
      for direction in [Direction.down, .up] { write(steady.conditions[direction], direction) }
      for rule in profile.faults { write(rule) }
    }
    return ExportedDocument(text: JSONValue.array(toxics).prettyText, losses: steady.losses.losses)
  }

  private mutating func writeOutage(_ outage: PathConditions.Outage) {
    steady.losses.add("outage", "connections to the proxy are still made, but get no further")
    if outage == .drop {
      add("timeout", .down, .one, [("timeout", 0)])
    } else {
      add("reset_peer", .down, .one, [("timeout", 0)])
    }
  }

  private mutating func write(_ link: LinkConditions, _ direction: Direction) {
    let name = direction.rawValue
    let jitter = link.jitter.flatMap { $0.spread > .zero ? $0 : nil }
    var spread = jitter?.spread ?? .zero
    if let jitter, jitter.distribution != .uniform {
      // An even deviation within ±s has a standard deviation of s / √3.
      spread = .nanoseconds(Int64(min(Double(spread.wholeNanoseconds) * 3.0.squareRoot(), 0x1p62).rounded()))
      steady.losses.add("\(name).jitter", "written as uniform jitter with the same standard deviation")
    }
    if let jitter, jitter.correlation > .zero {
      steady.losses.add("\(name).jitter.correlation", "there each delay is drawn independently")
    }
    if jitter != nil, link.reorders { steady.losses.add("\(name).reorder", "a stream keeps its order") }
    let delay = rounded(link.delay, "\(name).delay")
    let even = rounded(spread, "\(name).jitter")
    if delay > 0 || even > 0 { add("latency", direction, .one, [("latency", delay), ("jitter", even)]) }
    for kind in ImpairmentKind.allCases where kind != .jitter && link.has(kind) {
      steady.losses.add("\(name).\(kind.name)", "\(link.shown(kind)) of the packets cannot be written for a stream")
    }
    guard let rate = link.rate else { return }
    if link.queue != LinkConditions.defaultQueue {
      steady.losses.add("\(name).queue", "a stream has no queue of packets")
    }
    let kilobytes = rate == .zero ? 0 : max(1, (rate.bitsPerSecond + 4_000) / 8_000)
    if kilobytes * 8_000 != rate.bitsPerSecond {
      steady.losses.add("\(name).rate", "\(rate.formatText) is written as \(kilobytes) KB/s, in whole ones")
    }
    add("bandwidth", direction, .one, [("rate", kilobytes)])
  }

  private mutating func rounded(_ duration: Duration, _ name: String) -> Int64 {
    let milliseconds = duration.wholeMilliseconds
    if .milliseconds(milliseconds) != duration {
      steady.losses.add(name, "\(duration.formatText) is written as \(milliseconds) ms, in whole ones")
    }
    return milliseconds
  }

  private mutating func write(_ rule: FaultRule) {
    guard rule.match == .any else {
      steady.losses.add("faults", "\(rule) cannot be written for only some of the requests")
      return
    }
    switch rule.fault {
    case .reset(let bytes, let direction) where bytes == .zero:
      addFault("reset_peer", direction, rule, [("timeout", 0)])
    case .stall(let bytes, nil) where bytes == .zero: addFault("timeout", .down, rule, [("timeout", 0)])
    case .truncate(.after(let count)): addFault("limit_data", .down, rule, [("bytes", count.bytes)])
    case .slowClose(let delay):
      addFault("slow_close", .down, rule, [("delay", rounded(delay, "faults.slowClose"))])
    case .dnsFailure, .refused, .connectTimeout, .tlsFailure, .reset, .stall, .truncate, .corrupt, .idleClose,
      .idleForget, .goAway, .resetStream, .drip, .status, .shorten, .redirect, .stale, .delay:
      steady.losses.add("faults", "\(rule) has no toxic")
    }
  }

  private mutating func addFault(
    _ type: String, _ direction: Direction, _ rule: FaultRule, _ attributes: [(String, Int64)]
  ) {
    if rule.probability < .one {
      steady.losses.add("\(type).toxicity", "drawn for each connection there, for each request here")
    }
    add(type, direction, rule.probability, attributes)
  }

  private mutating func add(
    _ type: String, _ direction: Direction, _ toxicity: Probability, _ attributes: [(String, Int64)]
  ) {
    let stream = direction == .down ? "downstream" : "upstream"
    var name = "\(type)_\(stream)"
    var number = 2
    while !names.insert(name).inserted {
      name = "\(type)_\(stream)_\(number)"
      number += 1
    }
    toxics.append(
      [
        "name": .string(name), "type": .string(type), "stream": .string(stream),
        "toxicity": .number(toxicity.value.shortDescription),
        "attributes": .members(attributes.map { ($0.0, .number(String($0.1))) }),
      ])
  }
}
