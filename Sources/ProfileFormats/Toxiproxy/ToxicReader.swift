import Internals
import NetworkConditions

struct ToxicReader {
  private(set) var conditions = PathConditions()
  private(set) var faults: [FaultRule] = []
  private(set) var losses = LossList()

  private static let types: [String: [String]] = [
    "latency": ["latency", "jitter"], "bandwidth": ["rate"], "slow_close": ["delay"], "timeout": ["timeout"],
    "reset_peer": ["timeout"], "slicer": ["average_size", "size_variation", "delay"], "limit_data": ["bytes"],
    "noop": [],
  ]

  mutating func read(_ reader: FormatReader) throws(ProfileError) {
    let toxic = try reader.object(keys: ["name", "type", "stream", "toxicity", "attributes"], of: "a toxic")
    let typeReader = try toxic.required("type", "write for example \"type\": \"latency\"")
    let type = try typeReader.string("the type of a toxic")
    guard let keys = Self.types[type] else {
      let types = Self.types.keys.sorted()
      let question = NearNames.question(NearNames.find(type, among: types, atMost: 2).map(\.quoted))
      let remedy = question ?? "; the toxics are \(types.joined(separator: ", "))"
      throw typeReader.error("\(type.quoted) is not a toxic\(remedy)")
    }
    let direction = try Self.direction(toxic["stream"])
    let toxicity = try Self.toxicity(toxic["toxicity"])
    let attributes = try toxic["attributes"]?.object(keys: keys, of: "the attributes of \(type)")
    guard toxicity > .zero else { return }
    if toxicity < .one, type != "noop" {
      let isFault = ["slow_close", "timeout", "reset_peer", "limit_data"].contains(type)
      losses.add(
        "\(type).toxicity",
        isFault
          ? "drawn for each connection there, for each request here"
          : "\(type) applies to every connection here, not to \(toxicity.description) of them")
    }
    switch type {
    case "latency": try readLatency(attributes, direction)
    case "bandwidth": try readBandwidth(attributes, direction)
    case "slow_close":
      let delay = try attributes?["delay"]?.milliseconds("the delay") ?? 0
      if direction == .up { losses.add("slow_close upstream", "here only the end of a response can come late") }
      if direction == .down, delay > 0 { add(.slowClose(delay: .nanoseconds(delay)), toxicity) }
    case "timeout":
      let time = try attributes?["timeout"]?.milliseconds("the timeout") ?? 0
      if time > 0 {
        losses.add("timeout.timeout", "here the connection stays open, instead of being closed after a time")
      }
      add(.stall(after: .zero), toxicity)
    case "reset_peer":
      let time = try attributes?["timeout"]?.milliseconds("the timeout") ?? 0
      if time > 0 { losses.add("reset_peer.timeout", "here the reset comes at once") }
      add(.reset(after: .zero, direction: direction), toxicity)
    case "limit_data":
      let bytes = try attributes?["bytes"]?.count("a number of bytes", times: 1, limit: 1_000_000_000_000_000) ?? 0
      if direction == .down {
        add(.truncate(after: .bytes(bytes)), toxicity)
      } else {
        losses.add("limit_data upstream", "here a cut-off request resets its connection")
        add(.reset(after: .bytes(bytes), direction: .up), toxicity)
      }
    case "slicer": losses.add("slicer", "here TCP makes the segments, up to 1448 bytes")
    default: break
    }
  }

  private mutating func add(_ fault: RequestFault, _ toxicity: Probability) {
    let rule = FaultRule(fault, probability: toxicity)
    if !faults.contains(rule) { faults.append(rule) }
  }

  private mutating func readLatency(_ attributes: FormatObject?, _ direction: Direction) throws(ProfileError) {
    let latency = try attributes?["latency"]?.milliseconds("the latency") ?? 0
    let jitter = try attributes?["jitter"]?.milliseconds("the jitter") ?? 0
    let sum = conditions[direction].delay + .nanoseconds(latency)
    conditions[direction].delay = min(sum, .longest)
    guard jitter > 0 else { return }
    if conditions[direction].jitter != nil {
      losses.add("latency.jitter", "of several jitters in one direction, the last one counts")
    }
    conditions[direction].jitter = Jitter(.uniform, spread: .nanoseconds(jitter))
  }

  private mutating func readBandwidth(_ attributes: FormatObject?, _ direction: Direction) throws(ProfileError) {
    let limit = Bandwidth.maximum.bitsPerSecond
    let bits = try attributes?["rate"]?.count("a rate in KB/s", times: 8_000, limit: limit) ?? 0
    // In Toxiproxy a rate of 0 lets nothing pass (toxics/bandwidth.go).
    guard let rate = Bandwidth(bitsPerSecond: bits) else { return }
    conditions[direction].rate = min(conditions[direction].rate ?? .maximum, rate)
  }

  private static func direction(_ reader: FormatReader?) throws(ProfileError) -> Direction {
    guard let reader else { return .down }
    switch reader.value {
    case .string("downstream"), .string(""): return .down
    case .string("upstream"): return .up
    default: throw reader.error("\(reader.value.shown) is not a stream; write \"downstream\" or \"upstream\"")
    }
  }

  private static func toxicity(_ reader: FormatReader?) throws(ProfileError) -> Probability {
    guard let reader else { return .one }
    guard let value = Probability(try reader.decimal("a toxicity").double()) else {
      throw reader.error("\(reader.value.shown) is not a toxicity, a number from 0 to 1")
    }
    return value
  }
}
