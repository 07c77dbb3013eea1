package import Internals

extension RecoveryLoads: CustomStringConvertible {
  /// The loads as sentences and a table.
  public var description: String { lines(width: 100, style: .none).joined(separator: "\n") }

  /// Sentences on the load up to which the server recovers with each policy.
  ///
  /// They also name policies whose clients wait for ever, since a late answer counts as success for them.
  public var headline: String {
    let can =
      "The server can carry out \(FigureText.digits(capacity)) requests a second, and was \(server.troubleText)."
    let loads = groups(by: text).map { "With \(RetryReport.list($0.names)) it recovers \($0.text)." }
    return ([can] + loads + [waiting].compactMap { $0 }).joined(separator: " ")
  }

  private func text(_ found: Found) -> String {
    switch (found.recoversUpTo, found.failsFrom) {
    case (let load?, nil) where found.attempts == nil: "under every load up to \(FigureText.digits(load))"
    case (let load?, nil): "up to \(FigureText.digits(load)), and above that the trials differ"
    case (let load?, _): "up to \(FigureText.digits(load))"
    case (nil, _?): "under no load that was tried"
    case (nil, nil): "under no load for certain, since the trials differ"
    }
  }

  private func groups(by text: (Found) -> String) -> [(text: String, names: [String])] {
    RetryReport.grouped(policies.map { (text: text($0), name: $0.policy) })
  }

  private var waiting: String? {
    let names = policies.filter { $0.limits.map { $0.perTry == nil && $0.deadline == nil } ?? false }.map(\.policy)
    guard !names.isEmpty else { return nil }
    return
      "With \(RetryReport.list(names)) clients wait for ever, so a late answer counts, too: limit them with --per-try '1 s'."
  }

  /// The headline, the settings, a table and its legend, wrapped to `width` of at least 60 characters.
  package func lines(width: Int, style: Style) -> [String] {
    func wrapped(_ text: String) -> [String] { text.printable.wrapped(to: min(max(60, width), 100)) }
    func cell(_ value: Double?) -> Table.Cell { Table.Cell(value.map { FigureText.digits($0) } ?? "–") }
    let table = Table(
      columns: [
        .left("requests a second"), .right("recovers up to"), .right("not from"), .right("tries"), .right("theory"),
      ],
      rows: policies.map { found in
        [
          Table.Cell(found.policy.printable, .strong), cell(found.recoversUpTo), cell(found.failsFrom),
          cell(found.attempts), cell(found.theory),
        ]
      })
    let usual = policies.map(\.window).min() ?? .zero
    let longer = groups { RetryReport.time($0.window) }.filter { $0.text != RetryReport.time(usual) }
      .map { ", \($0.text) with \(RetryReport.list($0.names))" }.joined()
    let breaker = longer.isEmpty ? "" : "\(longer), since it may refuse requests for that long"
    let legend =
      "It recovers where nine of ten requests begun in the last 10 s succeed, in most trials. The load goes on for "
      + "\(RetryReport.time(usual)) after the trouble\(breaker). Tries: attempts per "
      + "request under the greatest load. Theory: capacity divided by tries, where clients refuse nothing themselves. Up to 24 "
      + "seeds decide on a load."
    let head = wrapped(headline).map { style(.strong, $0) }
    let conditions = wrapped("\(profile); \(workload.circumstances(server))").map { style(.faint, $0) }
    let foot = wrapped(legend).map { style(.faint, $0) }
    return Array([head, conditions, table.lines(width: width, style: style), foot].joined(separator: [""]))
  }
}
