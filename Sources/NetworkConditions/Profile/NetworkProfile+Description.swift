import Internals
import LinkSimulator

extension NetworkProfile: CustomStringConvertible {
  /// The name and summary, both directions in numbers, and one line for each of the first phases.
  public var description: String {
    var lines = [summary.isEmpty ? name : "\(name): \(summary)", "  \(Self.words(base))"]
    lines += phases.map { phase in
      let length = phase.duration.map { "for \($0.formatText)" } ?? "for ever"
      return "  \(phase.name.isEmpty ? "" : "\(phase.name), ")\(length): \(Self.words(phase.conditions))"
    }
    if !rules.isEmpty { lines.append("  \(FigureText.count(rules.count, "rule")) for some of the requests") }
    if !faults.isEmpty { lines.append("  \(FigureText.count(faults.count, "kind")) of faults in requests") }
    return Excerpt.of(lines)
  }

  /// Describes conditions, such as `780 kbit/s down, 330 kbit/s up, 100 ms round trip, 1 % loss`.
  private static func words(_ conditions: PathConditions) -> String {
    switch conditions.outage {
    case .drop: return "out, packets vanish"
    case .refuse: return "offline, requests fail at once"
    case nil: break
    }
    let (down, up) = (conditions.down, conditions.up)
    func rate(_ link: LinkConditions) -> String {
      link.meanRate.map { FigureText.rate(Double($0.bitsPerSecond)) } ?? "unlimited"
    }
    var words = ["\(rate(down)) down", "\(rate(up)) up", "\(conditions.roundTrip.formatText) round trip"]
    let loss = max(down.loss.mean, up.loss.mean)
    if conditions.model == .devTools { words.append("as Chrome's DevTools throttle") }
    if loss > 0 { words.append("\(FigureText.percent(loss)) % loss") }
    return words.joined(separator: ", ")
  }
}
