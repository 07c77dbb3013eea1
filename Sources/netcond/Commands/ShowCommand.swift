import Internals
import NetworkConditions

struct ShowCommand: Subcommand {
  static let name = "show"
  static let abstract = "draw a profile's numbers over time, or read a replay token"
  static let usage = Usage(
    operands: "NAME|FILE|TOKEN", count: 1...1, options: [ProfileFacts.beginningOption, .json],
    examples: ["netcond show tunnel --at portal", "netcond show ./my-profile.json"],
    inCode: "print(try NetworkProfile.named(\"tunnel\")).",
    notes: [
      "A replay token (netcond1:…) is shown in words, even when it is stale; with --json as a schedule to edit."
    ])

  /// The most phases in the list, because a delivery trace can have thousands.
  private static let listed = 24

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    if arguments.operands[0].hasPrefix("netcond"), arguments.operands[0].contains(":") {
      return try showToken(arguments.operands[0], json: arguments[flag: .json], on: console)
    }
    let profile = try ProfileFacts.load(arguments.operands[0], at: arguments[ProfileFacts.beginningOption])
    let json = arguments[flag: .json] ? ProfileText.whole(profile) : nil
    console.show(json) { Self.lines(profile, width: $0, style: $1) }
    return .done
  }

  private func showToken(_ text: String, json: Bool, on console: Console) throws -> ExitStatus {
    let token = try ReplayToken(text, acceptsStale: true)
    switch token.content {
    case .schedule(let schedule):
      let words = schedule.lines.map(\.printable)
      console.out(json ? schedule.formatText : words.joined(separator: "\n") + "\n")
    case .seed(let seed, let profile, let start):
      if json {
        console.out(FaultSchedule(profile, seed: seed).formatText)
      } else {
        let begin = start > .zero ? ", started \(Amounts.time(start)) into its phases" : ""
        console.out("\(profile.name.printable), seed \(seed)\(begin): what happens is left to chance\n")
      }
    }
    do {
      _ = try ReplayToken(text)
    } catch {
      console.error("\(error)\n")
    }
    return .done
  }

  static func lines(_ profile: NetworkProfile, width: Int, style: Style) -> [String] {
    var lines = [style(.strong, profile.name.printable)]
    if !profile.aliases.isEmpty {
      let also = "also \(profile.aliases.map(\.printable).joined(separator: ", "))"
      if profile.name.printable.count + 2 + also.count <= width {
        lines[0] += style(.faint, "  \(also)")
      } else {
        lines += also.wrapped(to: min(width, 100)).filter { !$0.isEmpty }.map { style(.faint, $0) }
      }
    }
    lines += profile.summary.printable.wrapped(to: min(width, 100)).filter { !$0.isEmpty }
    lines.append("")
    lines += numbers(profile, width: width, style: style)
    if !profile.phases.isEmpty {
      lines += [""] + phases(profile, width: width, style: style)
      lines += [""] + ConditionDrawing(schedule: profile.schedule).lines(width: width, style: style)
    }
    if !profile.source.isEmpty {
      let source = profile.source.printable.wrapped(to: min(width, 100) - 8)
      lines += ["", style(.faint, "source  \(source.joined(separator: "\n        "))")]
    }
    return lines
  }

  private static func numbers(_ profile: NetworkProfile, width: Int, style: Style) -> [String] {
    func row(_ name: String, _ text: String, _ role: Style.Role = .faint) -> String {
      "\(style(role, name.padded(to: 4)))  \(text)"
    }
    let base = profile.base
    if let outage = base.outage { return [row("out", ProfileText.outage(outage), .bad)] }
    var lines = ProfileText.links(base, width: width, style: style)
    if base.model == .link {
      lines.append(row("RTT", "\(Amounts.time(base.roundTrip)) without queues"))
    } else {
      lines.append(row("wait", "\(Amounts.time(base.roundTrip)) once per request; all requests share the rates"))
      lines.append(row("", "like throttling in Chrome's DevTools: no packets, no handshakes"))
    }
    if let udp = ProfileText.udp(base) { lines.append(row("UDP", "\(udp), except for name look-ups")) }
    if base.dnsDelay > .zero { lines.append(row("DNS", "\(Amounts.time(base.dnsDelay)) more than a round trip")) }
    let device = ProfileText.device(base.device)
    if !device.isEmpty { lines.append(row("", "device: \(device)")) }
    let ends = profile.configuration
    if ends != PathConfiguration() {
      lines.append(
        row(
          "TCP",
          "\(ends.congestionControl.name); \(FigureText.count(ends.connectionsPerHost, "connection")) per host, "
            + "\(FigureText.count(ends.streamsPerConnection, "stream")) per connection, "
            + "kept \(Amounts.time(ends.keepAlive)) idle"
        ))
      let limits = [
        ends.secureVersion == .http2 ? nil : "HTTP/\(ends.secureVersion.rawValue) over TLS",
        ends.http3Announcement == .answers ? "announced by Alt-Svc" : nil,
        ends.migration == .none ? nil : "migrates: \(ends.migration.rawValue)",
        ends.validatesAddresses ? "servers check addresses" : nil, ends.resumesSessions ? "sessions are resumed" : nil,
        ends.serverKeepAlive.map { "the server closes connections idle for \(Amounts.time($0))" },
        ends.natTimeout.map { "a middlebox forgets connections idle for \(Amounts.time($0))" },
        ends.repeats == .platform ? nil : "sent again: \(ends.repeats.rawValue)",
      ].compactMap { $0 }
      if !limits.isEmpty { lines.append(row("", limits.joined(separator: "; "))) }
    }
    if !profile.rules.isEmpty {
      lines.append(row("", "\(FigureText.count(profile.rules.count, "rule")) for some of the requests"))
    }
    if !profile.faults.isEmpty {
      lines.append(row("", FigureText.count(profile.faults.count, "injected fault")))
    }
    return lines
  }

  private static func phases(_ profile: NetworkProfile, width: Int, style: Style) -> [String] {
    var table = Table(columns: [
      .right("", .faint), .left("phase", .strong), .right("for"), .right("down", .down), .right("up", .up),
      .right("RTT"), .right("loss", .warning),
    ])
    for (index, phase) in profile.phases.prefix(listed).enumerated() {
      let isLast = index == profile.phases.count - 1 && !profile.repeats
      let length = isLast ? "forever" : phase.duration.map(Amounts.time) ?? "forever"
      let conditions = phase.conditions
      let facts = [ProfileText.device(conditions.device), ProfileText.udp(conditions).map { "UDP \($0)" } ?? ""]
      let name = [phase.name, facts.filter { !$0.isEmpty }.joined(separator: ", ")].filter { !$0.isEmpty }
        .joined(separator: ": ")
      var row = [Table.Cell("\(index + 1)"), Table.Cell(name), Table.Cell(length)]
      if let outage = conditions.outage {
        let word = outage == .drop ? "out" : "offline"
        row += [Table.Cell(word, .bad), Table.Cell(word, .bad), "", ""]
      } else {
        let loss = conditions.meanLoss
        row += [
          Table.Cell(ProfileText.rate(conditions.down.meanRate)), Table.Cell(ProfileText.rate(conditions.up.meanRate)),
          Table.Cell(Amounts.time(conditions.roundTrip)), Table.Cell(loss == 0 ? "" : Amounts.percent(loss)),
        ]
      }
      table.rows.append(row)
    }
    var lines = table.lines(width: width, style: style)
    let hidden = profile.phases.count - listed
    if hidden > 0 { lines.append(style(.faint, "   and \(hidden) more")) }
    lines.append(style(.faint, profile.repeats ? "   then from the beginning" : "   and stays that way"))
    return lines
  }
}
