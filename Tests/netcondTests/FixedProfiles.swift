import LinkSimulator
import NetworkConditions

/// Profiles with fixed numbers, so that changes of the catalogue do not change tests.
enum FixedProfiles {
  static func conditions(
    _ down: Double, _ up: Double, delay: Duration, loss: LossModel = .none, outage: PathConditions.Outage? = nil
  ) -> PathConditions {
    PathConditions(
      down: LinkConditions(rate: .kilobitsPerSecond(down), delay: delay, loss: loss),
      up: LinkConditions(rate: .kilobitsPerSecond(up), delay: delay), outage: outage)
  }

  static let steady = NetworkProfile(
    name: "steady", aliases: ["calm"], summary: "the same at all times", source: "a test",
    base: conditions(780, 330, delay: .milliseconds(50), loss: .independent(.percent(1))))

  static let tunnel = NetworkProfile(
    name: "tunnel", summary: "a train", base: conditions(12_000, 5_000, delay: .milliseconds(35)),
    phases: [
      NetworkProfile.Phase(
        "open track", for: .seconds(20), conditions: conditions(12_000, 5_000, delay: .milliseconds(35))),
      NetworkProfile.Phase("portal", for: .seconds(5), conditions: conditions(3_000, 1_000, delay: .milliseconds(35))),
      NetworkProfile.Phase(
        "tunnel", for: .seconds(15), conditions: conditions(12_000, 5_000, delay: .milliseconds(35), outage: .drop)),
    ], repeats: true)

  static let preset = NetworkProfile(
    name: "tool.3G", summary: "a preset", base: conditions(1_000, 1_000, delay: .milliseconds(100)))
}
