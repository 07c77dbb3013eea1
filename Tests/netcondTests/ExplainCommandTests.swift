import Foundation
import Testing

@testable import NetworkConditions
@testable import netcond

@Suite struct ExplainCommandTests {
  @Test func `the page and the command say the same`() throws {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../Sources/NetworkConditions/NetworkConditions.docc/WhenItSaysNo.md"), encoding: .utf8)
    #expect(Explanation.all.count > 10)
    for one in Explanation.all {
      #expect(page.contains("| `\(one.name)` | \(one.words) | \(one.why) \(one.remedy) |"), "\(one.name)")
    }
  }

  @Test func `a message leads to its explanation, by its name and by its words`() {
    let time = SimulatedInstant.zero
    let errors: [(SimulationError, Explanation)] = [
      (.nested, .nested), (.deadlock(at: time, waiting: []), .deadlock),
      (.stuck(at: time, after: .seconds(1), waiting: []), .stuck),
      (.endlessLoop(at: time, jobs: 0, place: nil), .endlessLoop),
      (.unending(limit: .requests(5), at: time, waiting: [], run: "seed 1"), .unending),
      (.notCaptured(call: "dispatchMain()", place: nil, remedy: "Leave it out."), .notCaptured),
      (.unseenWait(at: time, remedy: "Wait."), .unseenWait),
      (.blockedThread(at: time, after: .seconds(1), waiting: [], remedy: "Wait."), .blockedThread),
      (.nondeterministic(seed: 1, run: 2, firstDifference: "a"), .nondeterministic),
    ]
    for (error, explanation) in errors {
      #expect(Explanation.find("\(error)") == explanation)
      #expect("\(error)".contains("(netcond explain \(explanation.name))"))
    }
    #expect(Explanation.find("\(NetworkSetupError("no profile is called \"x\""))") == .unusableNetwork)
  }

  @Test func `a name is explained in words and as JSON`() async throws {
    let one = await Shell(width: 80).run(["explain", "deadlock"])
    #expect(one.status == .done && one.output.contains("no request, timer or sleep is left"))
    #expect(one.lines.allSatisfy { $0.count <= 80 })
    let all = await Shell(width: 80).run(["explain", "--json"])
    let names = try (all.object["explanations"] as? [[String: String]])?.map { $0["name"] }
    #expect(all.status == .done && names == Explanation.all.map(\.name))
    let list = await Shell(width: 80).run(["explain"])
    #expect(Explanation.all.allSatisfy { list.output.contains($0.name) } && list.lines.allSatisfy { $0.count <= 80 })
  }

  @Test func `an unknown name is told what is near`() async {
    let outcome = await Shell(width: 80).run(["explain", "deadlok"])
    #expect(outcome.status == .usage && outcome.error.contains("deadlock"), "\(outcome.error)")
  }
}
