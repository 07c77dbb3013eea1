import Foundation
import Internals
import Testing

import FailureSearch
@testable import NetworkConditions
import NetworkProxy
import RetryBenchmark
import RetryPolicies
import TrafficRecording
@testable import netcond

/// Every public error of the package has an explanation; the errors are found in the sources.
struct ExplainedErrorTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")

  /// One sample of each error, keyed by type and case; a nested type is keyed by its last name.
  private static let samples: [String: any ExplainedError] = {
    let time = SimulatedInstant.zero
    let unending = SimulationError.unending(limit: .requests(5), at: time, waiting: [], run: "seed 1")
    return [
      "ProfileError.quantity": ProfileError.quantity(reason: "\"fast\" is not a rate"),
      "ProfileError.unknownName": ProfileError.unknownName("tunel", near: ["tunnel"]),
      "ProfileError.unknownMoment": ProfileError.unknownMoment("noon", reason: "it has begin"),
      "ProfileError.unreadable": ProfileError.unreadable(file: "a.json", reason: "there is no such file"),
      "ProfileError.syntax": ProfileError.syntax(file: "a.json", line: 1, column: 2, reason: "a comma is missing"),
      "ProfileError.value": ProfileError.value(file: "a.json", path: "down.rate", reason: "\"1\" has no unit"),
      "HTTPArchiveError.unwritable": HTTPArchiveError.unwritable(file: "a.har", reason: "is a folder"),
      "HTTPArchiveError.alreadyExists": HTTPArchiveError.alreadyExists(path: "a.har"),
      "SimulationError.nested": SimulationError.nested,
      "SimulationError.profile": SimulationError.profile("the pace is 0"),
      "SimulationError.deadlock": SimulationError.deadlock(at: time, waiting: []),
      "SimulationError.stuck": SimulationError.stuck(at: time, after: .seconds(1), waiting: []),
      "SimulationError.endlessLoop": SimulationError.endlessLoop(at: time, jobs: 0, place: nil),
      "SimulationError.unending": unending,
      "SimulationError.unusableStub": SimulationError.unusableStub("The stub's answer is unusable"),
      "SimulationError.noStub": SimulationError.noStub("No stub matches GET /feed"),
      "SimulationError.notCaptured": SimulationError.notCaptured(call: "dispatchMain()", place: nil, remedy: "Wait."),
      "SimulationError.unseenWait": SimulationError.unseenWait(at: time, remedy: "Wait."),
      "SimulationError.blockedThread": SimulationError.blockedThread(
        at: time, after: .seconds(1), waiting: [], remedy: "Wait."),
      "SimulationError.nondeterministic": SimulationError.nondeterministic(seed: 1, run: 2, firstDifference: "a"),
      "SimulationFailure": SimulationFailure(
        error: URLError(.timedOut), seed: 1, profile: "3G", time: time, timeline: SimulatedNetwork(.unlimited).timeline,
        unusedFaults: [], captureObstacle: nil),
      "ReplayTokenError.foreign": ReplayTokenError.foreign("hello"),
      "ReplayTokenError.newer": ReplayTokenError.newer("9"),
      "ReplayTokenError.damaged": ReplayTokenError.damaged("its end is missing"),
      "ReplayTokenError.stale": ReplayTokenError.stale("3G has changed"),
      "NetworkSetupError": NetworkSetupError("the pace is 0"),
      "Failure.alreadyIntercepted": SharedSessionInterception.Failure.alreadyIntercepted,
      "Failure.refusedByFoundation": SharedSessionInterception.Failure.refusedByFoundation,
      "EnvironmentError": EnvironmentError(variable: "NETCOND_SEED", reason: "is no seed"),
      "FailureSearchError.impossible": FailureSearchError.impossible("the range of seeds is empty"),
      "FailureSearchError.knownFailures": FailureSearchError.knownFailures(file: "a", reason: "b"),
      "FailureSearchError.unfinished": FailureSearchError.unfinished(unending, run: "seed 1"),
      "MergeError.different": ExplorationReport.MergeError.different("its bound is 2, not 1"),
      "MergeError.twice": ExplorationReport.MergeError.twice(1),
      "RetryBenchmarkError.impossible": RetryBenchmarkError.impossible("there are no seeds"),
      "RetryBenchmarkError.unlike": RetryBenchmarkError.unlike("one is of 3G"),
      "RetryBenchmarkError.unfinished": RetryBenchmarkError.unfinished(
        candidate: "ours", profile: "3G", seed: 1, reason: unending),
      "RetryBenchmarkError.waiting": RetryBenchmarkError.waiting(candidate: "ours", profile: "offline"),
      "RetryError.refused": RetryError.refused,
      "RetryError.unknownPolicy": RetryError.unknownPolicy("jiter", near: []),
      "RetryError.policyText": RetryError.policyText("jitter(", place: 7, reason: "a bracket is open"),
      "ProxyError.cannotListen": ProxyError.cannotListen(.loopback(port: 80), reason: "is taken"),
      "ProxyError.wrong": ProxyError.wrong("two proxies have one name"),
      "ProxyError.stopped": ProxyError.stopped,
    ]
  }()

  private static func swiftFiles(in folder: String = "") throws -> [String: String] {
    let root = sources.appending(path: folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter {
      $0.hasSuffix(".swift") && !$0.hasPrefix("Development/")
    }
    return try Dictionary(
      uniqueKeysWithValues: paths.map { ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8)) })
  }

  @Test func `every public error and each of its cases has an explanation`() throws {
    var found: Set<String> = []
    for (path, text) in try Self.swiftFiles() {
      for match in text.matches(of: /\n *public (enum|struct|final class) (\w+): [^{\n]*\b(Explained)?Error\b[^{\n]*\{/)
      {
        let type = String(match.2)
        guard match.1 == "enum" else {
          found.insert(type)
          continue
        }
        // The cases stand before the first property.
        let body = text[match.range.upperBound...].prefix { $0 != "}" }
        let cases = body.matches(of: /\n *case (\w+)/).map { "\(type).\($0.1)" }
        #expect(!cases.isEmpty, "\(path): \(type)")
        found.formUnion(cases.filter { !$0.hasSuffix(".let") })
      }
    }
    #expect(found.count > 35)
    // Creating this error needs two whole reports; RetryReport's tests throw it.
    found.remove("RetryRegression")
    for name in found.sorted() { #expect(Self.samples[name] != nil, "\(name) has no name, or no sample here") }
    #expect(Set(Self.samples.keys).subtracting(found).isEmpty)
    for (name, error) in Self.samples {
      #expect(Explanation.all.contains(error.explanation), "\(name)")
      #expect("\(error)".contains(error.explanation.reference), "\(name): \(error)")
      #expect(Explanation.find("\(error)") == error.explanation, "\(name)")
      #expect("\(error)".components(separatedBy: "netcond explain").count == 2, "\(name): \(error)")
    }
  }

  @Test func `every explanation is used in the sources and has a unique name`() throws {
    let files = try Self.swiftFiles()
    let list = try #require(files["Internals/Text/Explanation+All.swift"])
    let variables = list.matches(of: /static let (\w+) = Explanation\(/).map { String($0.1) }
    #expect(variables.count == Explanation.all.count)
    #expect(Set(Explanation.all.map(\.name)).count == Explanation.all.count)
    let others = files.filter { !$0.key.hasPrefix("Internals/Text/Explanation") }.values.joined()
    for variable in variables { #expect(others.contains(".\(variable)"), "\(variable)") }
  }

  @Test func `every URLError in the sources of two modules carries an explanation`() throws {
    for folder in ["NetworkConditions", "TrafficRecording"] {
      for (path, text) in try Self.swiftFiles(in: folder) {
        for call in text.matches(of: /URLError\(\.\w+, ("|\w)[^)]*/) {
          #expect(call.0.contains("Explanation.") || call.0.contains("userInfo"), "\(path): \(call.0)")
        }
      }
    }
  }

  @Test func `an error of netcond ends with the name of its explanation`() async {
    let wrong = await Shell(width: 80).run(["show", "tunel"])
    #expect(wrong.status == .usage && wrong.error.hasSuffix("(netcond explain unknown-profile)\n"), "\(wrong.error)")
    let missing = await Shell(width: 80).run(["check", "/nowhere/train.json"])
    #expect(missing.error.hasSuffix("(netcond explain unreadable-file)\n"), "\(missing.error)")
    let value = await Shell(width: 80).run(["simulate", "--link", "rate=fast"])
    #expect(value.error.contains("(netcond explain "), "\(value.error)")
  }
}
