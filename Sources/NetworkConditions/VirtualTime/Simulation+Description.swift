import Internals

extension Simulation: CustomStringConvertible {
  /// How long it took, then the timeline: one line for each transfer.
  public var description: String { "returned after \(elapsed.formatText); \(timeline)" }
}

extension SteppedSimulation: CustomStringConvertible {
  /// The simulation's network in one line.
  public var description: String { "\(network)" }
}

extension Transfer: CustomStringConvertible {
  /// One line: ``summary``.
  public var description: String { summary }
}
