import Internals

extension SimulatedNetwork: CustomStringConvertible {
  /// One line, such as `tunnel, seed 42: 12 transfers until 3.2 s, 4 stubs`, or the reason why every request fails.
  public var description: String {
    if let problem = engine.look({ $0.configurationError }) {
      let reason = (problem.forClient as? NetworkSetupError)?.reason ?? problem.localizedDescription
      return "no network: \(reason)"
    }
    let timeline = timeline
    let transfers = FigureText.count(timeline.transfers.count + timeline.droppedTransfers, "transfer")
    let routes = FigureText.count(stubs.routes.count, "stub")
    return "\(timeline.profile), seed \(seed): \(transfers) until \(timeline.time), \(routes)"
  }
}

extension StubTransport: CustomStringConvertible {
  private static let mostLines = 40

  /// One line for each of the first stubs, in the order in which they are asked.
  public var description: String {
    let routes = routes
    guard !routes.isEmpty else { return "no stubs" }
    let lines = routes.prefix(Self.mostLines).map { "\($0)" }
    let rest = routes.count - lines.count
    return (lines + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "\n")
  }
}
