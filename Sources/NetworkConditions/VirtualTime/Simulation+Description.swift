import Internals

extension Simulation: CustomStringConvertible {
  /// The run's virtual time, and its timeline with one line for each transfer.
  public var description: String { "returned after \(elapsed.formatText); \(timeline)" }
}

extension SteppedSimulation: CustomStringConvertible {
  /// The simulation's network, in one line.
  public var description: String { "\(network)" }
}

extension Transfer: CustomStringConvertible {
  /// The transfer's ``summary``, in one line.
  public var description: String { summary }
}
