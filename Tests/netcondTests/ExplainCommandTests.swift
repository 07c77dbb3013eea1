import Foundation
import Testing

import FailureSearch
import RetryBenchmark
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
    let simulations: [(SimulationError, Explanation)] = [
      (.nested, .nested), (.deadlock(at: time, waiting: []), .deadlock),
      (.stuck(at: time, after: .seconds(1), waiting: []), .stuck),
      (.endlessLoop(at: time, jobs: 0, place: nil), .endlessLoop),
      (.unending(limit: .requests(5), at: time, waiting: [], run: "seed 1"), .unending),
      (.notCaptured(call: "dispatchMain()", place: nil, remedy: "Leave it out."), .notCaptured),
      (.unseenWait(at: time, remedy: "Wait."), .unseenWait),
      (.blockedThread(at: time, after: .seconds(1), waiting: [], remedy: "Wait."), .blockedThread),
      (.nondeterministic(seed: 1, run: 2, firstDifference: "a"), .nondeterministic),
    ]
    let others: [(any Error, Explanation)] = [
      (ProfileError.unknownName("tunel", near: ["tunnel"]), .unknownProfile),
      (ReplayTokenError.foreign("hello"), .badToken), (ReplayTokenError.newer("9"), .badToken),
      (ReplayTokenError.damaged("its end is missing"), .badToken),
      (ReplayTokenError.stale("3G has changed"), .badToken),
      (SharedSessionInterception.Failure.alreadyIntercepted, .sharedSession),
      (NetworkSetupError("the pace is 0"), .unusableNetwork),
      (FailureSearchError.impossible("the range of seeds is empty"), .impossibleSearch),
      (FailureSearchError.knownFailures(file: "a", reason: "b"), .knownFailures),
      (RetryBenchmarkError.impossible("there are no seeds"), .impossibleBenchmark),
      (RetryBenchmarkError.unlike("one is of 3G"), .unlikeReports),
      (
        RetryBenchmarkError.unfinished(
          contender: "ours", profile: "3G", seed: 1,
          reason: .unending(limit: .requests(5), at: time, waiting: [], run: "seed 1")), .unending
      ),
    ]
    for (error, explanation) in simulations.map({ ($0 as any Error, $1) }) + others {
      #expect(Explanation.find("\(error)") == explanation)
      #expect("\(error)".components(separatedBy: explanation.reference).count == 2, "\(error)")
      #expect("\(error)".components(separatedBy: "netcond explain").count == 2, "\(error)")
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
