import Internals
import NetworkConditions

struct SimulationReport {
  let scenario: TransferScenario
  let network: SimulateOptions.Network
  let seeds: SeedRange
  let outcomes: [TransferScenario.Outcome]

  private var total: Distribution { Distribution(outcomes.map(\.total)) }

  /// Why runs did not end, with counts, in the order of their first occurrence.
  private var reasons: [(failure: StreamFailure?, count: Int)] {
    var reasons: [(failure: StreamFailure?, count: Int)] = []
    for outcome in outcomes where outcome.total == nil {
      if let index = reasons.firstIndex(where: { $0.failure == outcome.failure }) {
        reasons[index].count += 1
      } else {
        reasons.append((outcome.failure, 1))
      }
    }
    return reasons
  }

  // MARK: For people

  /// The summary for people, at most `width` characters wide if `width` is at least 72.
  func lines(width: Int, style: Style) -> [String] {
    let head =
      "\(scenario.method.rawValue.uppercased()) \(Amounts.bytes(scenario.bytes)) over \(network.phrase.printable)"
    var lines = head.wrapped(to: min(width, 100)).map { style(.strong, $0) }
    lines += circumstances.wrapped(to: min(width, 100)).map { style(.faint, $0) } + [""]
    lines += times.lines(width: width, style: style) + [""]
    lines += packets.lines(width: width, style: style)
    lines += ["", ended(style)]
    return total.count == 0
      ? lines : lines + [""] + HistogramDrawing(distribution: total).lines(width: width, style: style)
  }

  /// The options of the transfer besides its network, in a few words.
  private var circumstances: String {
    var words = [scenario.isWarm ? "warm connection" : "fresh connection", "HTTP/\(scenario.version.rawValue)"]
    if scenario.isSecure { words.append("TLS") }
    if scenario.needsResolution { words.append("name look-up") }
    if scenario.parallel > 1 { words.append("\(scenario.parallel) at once") }
    return (words + [scenario.configuration.congestionControl.name, seeds.words]).joined(separator: ", ")
  }

  private var times: Table {
    let names = total.figures.map(\.name)
    var table = Table(columns: [.left("", .faint)] + names.map { .right($0) })
    func add(_ name: String, _ distribution: Distribution) {
      table.rows.append([Table.Cell(name)] + distribution.figures.map { Table.Cell(Self.time($0.value)) })
    }
    if scenario.needsResolution { add("resolve", Distribution(outcomes.map(\.resolve))) }
    add("connect", Distribution(outcomes.map(\.connect)))
    if scenario.isSecure, !scenario.isWarm { add("secure", Distribution(outcomes.map(\.secure))) }
    add("first byte", Distribution(outcomes.map(\.firstByte)))
    add("total", total)
    return table
  }

  private var packets: Table {
    let titles = ["packets", "bytes", "lost", "sent again"]
    var table = Table(columns: [.left("mean")] + titles.map { .right($0) })
    for (name, role, way) in [("down", Style.Role.down, \TransferScenario.Outcome.down), ("up", .up, \.up)] {
      let sum = counters(way)
      func mean(_ number: Int64) -> String { Amounts.digits(Double(number) / Double(max(1, outcomes.count))) }
      table.rows.append([
        Table.Cell(name.padded(to: 10), role), Table.Cell(mean(sum.packets)),
        Table.Cell(Amounts.bytes(sum.bytes / Int64(max(1, outcomes.count)))), Table.Cell(mean(sum.lost)),
        Table.Cell(mean(sum.retransmissions)),
      ])
    }
    return table
  }

  private func ended(_ style: Style) -> String {
    let text = "\(total.count) of \(FigureText.count(outcomes.count, "run")) ended"
    let why = reasons.map { reason in
      "\(reason.count) \(reason.failure.map(Self.words) ?? "took longer than \(Amounts.time(scenario.limit))")"
    }
    return style(why.isEmpty ? .good : .warning, ([text] + why).joined(separator: "; "))
  }

  /// Formats a time for a column in a single unit, and a missing one as a dash.
  private static func time(_ duration: Duration?) -> String {
    guard let duration else { return "–" }
    let seconds = duration / .seconds(1)
    return (99.95..<99_999).contains(seconds) ? "\(Int64(seconds.rounded())) s" : Amounts.time(duration)
  }

  private static func words(_ failure: StreamFailure) -> String {
    switch failure {
    case .offline: "found the system offline"
    case .connectionLost: "lost the network"
    case .resolutionFailed: "did not resolve the name"
    case .resolutionTimedOut: "got no answer from the resolver"
    case .refused: "ended in a refusal"
    case .connectTimedOut: "could not connect"
    case .handshakeFailed: "failed in the TLS handshake"
    case .reset: "ended in a reset"
    case .truncated: "ended too early"
    case .notServed: "were not served"
    case .streamReset: "were abandoned by the server"
    case .retransmissionsExhausted: "gave up retransmitting"
    }
  }

  // MARK: For scripts

  var json: JSON {
    let connect = Distribution(outcomes.map(\.connect))
    let first = Distribution(outcomes.map(\.firstByte))
    return [
      "version": .integer(1), "transfer": transferJSON,
      "seeds": seeds.json,
      "ended": .integer(total.count),
      "not_ended": .members(reasons.map { ($0.failure?.rawValue ?? "limit", .integer($0.count)) }),
      "connect_s": connect.json, "first_byte_s": first.json, "total_s": total.json,
      "down": Self.json(counters(\.down)), "up": Self.json(counters(\.up)),
      "samples_s": .array(total.samples.map { JSON(seconds: $0) }),
      "connect_samples_s": .array(connect.samples.map { JSON(seconds: $0) }),
      "first_byte_samples_s": .array(first.samples.map { JSON(seconds: $0) }),
    ]
  }

  private var transferJSON: JSON {
    [
      "method": .string(scenario.method.rawValue), "bytes": .integer(scenario.bytes),
      "profile": JSON(network.profile), "link": JSON(network.link), "warm": .bool(scenario.isWarm),
      "parallel": .integer(scenario.parallel), "http": .string(scenario.version.rawValue),
      "tls": .bool(scenario.isSecure), "dns": .bool(scenario.needsResolution),
      "congestion": .string(scenario.configuration.congestionControl.rawValue),
      "limit_s": JSON(seconds: scenario.limit),
    ]
  }

  private func counters(_ way: KeyPath<TransferScenario.Outcome, StreamStatistics.Counters>)
    -> StreamStatistics.Counters
  {
    outcomes.reduce(into: StreamStatistics.Counters()) { $0.add($1[keyPath: way]) }
  }

  private static func json(_ counters: StreamStatistics.Counters) -> JSON {
    [
      "packets": .integer(counters.packets), "bytes": .integer(counters.bytes), "lost": .integer(counters.lost),
      "retransmissions": .integer(counters.retransmissions),
    ]
  }
}
