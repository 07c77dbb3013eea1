import Internals
import NetworkConditions

struct ProfilesCommand: Subcommand {
  static let name = "profiles"
  static let abstract = "list the built-in profiles"
  static let usage = Usage(
    options: [everything, .json],
    examples: ["netcond profiles", "netcond profiles --all"],
    inCode: "NetworkProfile.all.",
    notes: ["RTT is the round-trip time without queues; loss is the mean of the direction that loses more."])

  static let everything = Option("all", short: "a", help: "also list the presets of other tools, such as apple.3G")

  /// The least terminal width at which each rate is printed with its unit.
  private static let roomy = 100

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    let all = try NetworkProfile.all
    let everyday = all.filter { ProfileFacts.tool(of: $0) == nil }
    let presets = arguments[flag: Self.everything] ? all.filter { ProfileFacts.tool(of: $0) != nil } : []
    if arguments[flag: .json] {
      console.out(["profiles": .array((everyday + presets).map(ProfileText.summary))])
      return .done
    }
    console.out(
      Self.text(
        everyday: everyday, presets: presets, hidden: all.count - everyday.count - presets.count, width: console.width,
        style: console.style))
    return .done
  }

  static func text(
    everyday: [NetworkProfile], presets: [NetworkProfile], hidden: Int, width: Int, style: Style
  ) -> String {
    // Presets are grouped by tool, in the order in which the tools first appear.
    let tools = presets.compactMap(ProfileFacts.tool).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let groups =
      [(String?.none, everyday)] + tools.map { tool in (tool, presets.filter { ProfileFacts.tool(of: $0) == tool }) }
    let isShort = width < Self.roomy
    let tables = groups.map { ($0.0, table($0.1, isShort: isShort)) }
    // All tables have the same column widths, so that columns line up.
    let widths = tables.map(\.1.widths).reduce([]) { all, next in
      all.isEmpty ? next : zip(all, next).map { max($0, $1) }
    }
    var lines: [String] = []
    for (index, (tool, table)) in tables.enumerated() {
      if let tool { lines += ["", style(.strong, tool.printable)] }
      lines += table.lines(width: width, style: style, heading: index == 0, widths: widths)
    }
    var notes = isShort ? ["rates in bit/s"] : []
    if hidden > 0 { notes.append("\(hidden) presets of other tools: netcond profiles --all") }
    if !notes.isEmpty { lines += ["", style(.faint, notes.joined(separator: "; "))] }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func table(_ profiles: [NetworkProfile], isShort: Bool) -> Table {
    var table = Table(columns: [
      .left("name", .strong), .right("down", .down), .right("up", .up), .right("RTT"), .right("loss", .warning),
      .left("what"),
    ])
    for profile in profiles {
      let conditions = ProfileFacts.typical(profile)
      let isOut = conditions.outage != nil
      let loss = conditions.meanLoss
      table.rows.append([
        Table.Cell(profile.name),
        Table.Cell(isOut ? "none" : ProfileText.rate(conditions.down.meanRate, isShort: isShort)),
        Table.Cell(isOut ? "none" : ProfileText.rate(conditions.up.meanRate, isShort: isShort)),
        Table.Cell(isOut ? "" : Amounts.time(conditions.roundTrip)),
        Table.Cell(isOut || loss == 0 ? "" : Amounts.percent(loss)), Table.Cell(profile.summary),
      ])
    }
    return table
  }
}
