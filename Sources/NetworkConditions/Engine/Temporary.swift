import Foundation
import LinkSimulator
#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
public struct NetworkProfile: Hashable, Sendable {
  public var name: String
  var schedule: ConditionSchedule
  var rules: [ProfileRule] = []
  static let unlimited = NetworkProfile(name: "unlimited", schedule: ConditionSchedule(.unlimited))
  static func named(_ n: String) throws -> NetworkProfile { n == "3G" ? NetworkProfile(name: "3G", schedule: ConditionSchedule(PathConditions(down: LinkConditions(rate: .kilobitsPerSecond(780), delay: .milliseconds(100)), up: LinkConditions(rate: .kilobitsPerSecond(330), delay: .milliseconds(100))))) : .unlimited }
}
struct ProfileRule: Hashable, Sendable { var match: RequestMatch; func profile() throws -> NetworkProfile { .unlimited } }
struct FaultPlanner { init(seed: UInt64) {}
  mutating func plan(for: URLRequest, _ l: RequestLine, profile: NetworkProfile) -> FaultPlan { FaultPlan() } }
