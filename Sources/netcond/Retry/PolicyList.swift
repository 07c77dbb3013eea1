import Foundation
import Internals
import NetworkConditions
import RetryBenchmark
import RetryPolicies

/// The policies of `--policy`: plans separated by commas, some with a name, or a file with one plan per line.
enum PolicyList {
  /// Reads a list such as `none, ours = grpc(attempts 5), @more.txt`.
  static func read(_ text: String) throws -> [(name: String?, plan: RetryPolicyPlan)] {
    var plans: [(name: String?, plan: RetryPolicyPlan)] = []
    for item in RetryPolicyPlan.list(text) {
      guard item.hasPrefix("@") else {
        plans.append(try plan(item, in: "--policy"))
        continue
      }
      let path = String(item.dropFirst())
      let data = try Input.file(path, atMost: 1 << 20)
      guard let text = String(validating: data, as: UTF8.self) else {
        throw Failure(sentence: "\(path): is not UTF-8 text", explanation: .unreadableFile)
      }
      // A line may end with CR LF, which is one character.
      let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      let count = plans.count
      for (index, line) in lines.enumerated() {
        let words = (line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).first ?? "").trimmed
        if !words.isEmpty { plans.append(try plan(String(words), in: "\(path):\(index + 1)")) }
      }
      if plans.count == count { throw UsageError("--policy: the file \(path) has no policy") }
    }
    if let twice = RetryOptions.twice(plans.map { $0.name ?? $0.plan.description }) {
      throw UsageError("--policy: \(twice.printable) is named twice")
    }
    return plans
  }

  private static func plan(_ text: String, in place: String) throws -> (name: String?, plan: RetryPolicyPlan) {
    if text.isEmpty { throw UsageError("\(place): a policy has an empty name") }
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0.trimmed) }
    let name = parts.count == 2 ? parts[0] : nil
    // A policy that --equal changed keeps its original plan as its name.
    if let name, name.isEmpty || name.contains(where: { "(),+/".contains($0) }), (try? RetryPolicyPlan(name)) == nil {
      throw UsageError(
        "\(place): \"\(name.printable.shortened(to: 60))\" is not a name; write for example ours = full-jitter")
    }
    let (plan, known) = resolved(parts.last ?? "")
    do {
      return (name ?? known, try RetryPolicyPlan(plan))
    } catch .unknownPolicy(let unknown, let near) {
      let question = NearNames.question(near.map(\.quoted))
      throw UsageError(
        "\(place): no retry policy is called \"\(unknown.printable.shortened(to: 60))\"\(question ?? "; netcond retry --help lists them")",
        .retryPolicy)
    } catch {
      throw UsageError("\(place): \("\(error)".printable.shortened(to: 400))")
    }
  }

  /// Replaces a scenario's policy name at the beginning, as in `patient + path`, by its plan; returns a name that stands alone.
  private static func resolved(_ text: String) -> (plan: String, name: String?) {
    let first = text.prefix { $0 != "+" }
    guard let known = RetryScenario.named.first(where: { $0.name == first.trimmed }) else { return (text, nil) }
    let rest = text.dropFirst(first.count)
    return rest.isEmpty ? (known.plan, known.name) : ("\(known.plan) \(rest)", nil)
  }
}
