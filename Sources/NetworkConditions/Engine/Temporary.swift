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
  static func named(_ n: String) throws -> NetworkProfile { .unlimited }
}
struct ProfileRule: Hashable, Sendable { var match: RequestMatch; func profile() throws -> NetworkProfile { .unlimited } }
struct FaultPlanner { init(seed: UInt64) {}
  mutating func plan(for: URLRequest, _ l: RequestLine, profile: NetworkProfile) -> FaultPlan { FaultPlan() } }
struct BodySpool { var d: [Data] = []; mutating func append(_ x: Data) throws { d.append(x) }
  mutating func read(upTo n: Int) throws -> Data { guard !d.isEmpty else { return Data() }; let f = d.removeFirst(); if f.count <= n { return f }; d.insert(f.dropFirst(n), at: 0); return f.prefix(n) } }
final class StubTransport: ImmediateTransport {
  init(fallback: (any Transport)?) {}
  func respond(to request: TransportRequest, with reply: any TransportReply) {}
  func respondImmediately(to request: TransportRequest, with reply: any TransportReply) -> Bool {
    reply.head(ResponseHead(status: 200, headers: [HeaderField("Content-Length", "11")]))
    reply.body(Data("hello world".utf8)); reply.finish(); return true }
}
