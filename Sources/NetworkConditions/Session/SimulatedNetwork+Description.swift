extension SimulatedNetwork: CustomStringConvertible {
  /// One line, such as `tunnel, seed 42: 12 transfers until 3.2 s, 4 stubs`, or the reason why every request fails.
  public var description: String {
    if let problem = engine.look({ $0.configurationError }) {
      let reason = (problem.forClient as? NetworkSetupError)?.reason ?? problem.localizedDescription
      return "no network: \(reason)"
    }
    let timeline = timeline
    let (transfers, routes) = (timeline.transfers.count + timeline.droppedTransfers, stubs.routes.count)
    return "\(timeline.profile), seed \(seed): \(transfers) transfer\(transfers == 1 ? "" : "s") "
      + "until \(timeline.time), \(routes) stub\(routes == 1 ? "" : "s")"
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
