package import Internals

extension RecoveryLoads: CustomStringConvertible {
  /// The loads as a sentence and a table.
  public var description: String { lines(width: 100, style: .none).joined(separator: "\n") }

  /// The loads in a sentence: with which policy the server recovers, up to how many requests a second.
  public var headline: String {
    var groups: [(loads: String, policies: [String])] = []
    for found in policies {
      let loads = text(found)
      if let known = groups.firstIndex(where: { $0.loads == loads }) {
        groups[known].policies.append(found.policy)
      } else {
        groups.append((loads, [found.policy]))
      }
    }
    let parts = groups.map { "with \(RetryReport.list($0.policies)) \($0.loads)" }
    return
      "After it was \(server.troubleText) the server, which can do \(FigureText.digits(capacity)) requests a second, "
      + "recovers \(parts.joined(separator: ", "))."
  }

  private func text(_ found: Found) -> String {
    switch (found.recoversUpTo, found.failsFrom) {
    case (_?, nil): "under every load up to that"
    case (let load?, _): "up to \(FigureText.digits(load))"
    case (nil, _?): "under no load that was tried"
    case (nil, nil): "under a load that its trials leave open"
    }
  }

  /// The lines, at most `width` characters long from 80 on: the sentence, a table, and what it says.
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
          cell(found.attempts), cell(theory(of: found)),
        ]
      })
    let legend =
      "Recovers: nine of ten requests succeed that are begun in the last 10 s of the \(RetryReport.time(window)) after "
      + "the trouble, in most trials. Tries: attempts per request under the greatest load; theory: the capacity divided by them. Up "
      + "to 24 seeds decide on a load: wrongly in at most one of a hundred cases where four of five trials would agree, and by "
      + "chance where half would recover."
    return wrapped(headline).map { style(.strong, $0) } + [""] + table.lines(width: width, style: style) + [""]
      + wrapped(legend).map { style(.faint, $0) }
  }
}
