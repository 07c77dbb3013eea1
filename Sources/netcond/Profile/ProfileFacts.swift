import Foundation
import Internals
import NetworkConditions

enum ProfileFacts {
  static let beginningOption = Option(
    "at", value: "TIME|PHASE", help: "start the profile at this point: \"43 s\", portal or \"2 s before portal\"")

  /// Finds a profile by name or file, and begins it at the given moment.
  ///
  /// A word that ends in `.json` or contains a slash is a file, and `-` is standard input. Any other is a name, or a
  /// file if no profile has that name.
  static func load(_ text: String, at beginning: String? = nil) throws -> NetworkProfile {
    do {
      let profile = try found(text)
      return try beginning.map { try profile.starting(at: $0) } ?? profile
    } catch ProfileError.unknownName(let name, _) where ReplayToken.isToken(name) {
      throw UsageError("\(name.quoted) is a replay token, not a profile; netcond show TOKEN shows what is in it")
    } catch ProfileError.unknownName(let name, let near) {
      let shown = name.printable.shortened(to: 60)
      let names = (try? NetworkProfile.all)?.flatMap { [$0.name] + $0.aliases } ?? []
      let near = near.isEmpty ? NearNames.find(name, among: names, atMost: 3) : Array(near.prefix(3))
      let rest = near.isEmpty ? "; netcond profiles lists them" : ""
      let question = NearNames.question(near.map(\.quoted)) ?? ""
      throw UsageError("no profile is called \"\(shown)\"\(question)\(rest)", .unknownProfile)
    } catch let error as ProfileError {
      guard case .unknownMoment = error else { throw error }
      throw UsageError("\(error)")
    }
  }

  private static func found(_ text: String) throws -> NetworkProfile {
    if text.hasSuffix(".json") || text == "-" || (text.contains("/") && !text.contains(".json@")) {
      return try file(text)
    }
    if let end = text.range(of: ".json@") {
      return try file(String(text[..<text.index(before: end.upperBound)])).starting(at: String(text[end.upperBound...]))
    }
    do {
      return try NetworkProfile.named(text)
    } catch {
      if FileManager.default.fileExists(atPath: text) { return try file(text) }
      throw error
    }
  }

  static func file(_ path: String) throws -> NetworkProfile {
    try Input.read(path, file: NetworkProfile.init(contentsOf:), stream: NetworkProfile.init(json:file:))
  }

  static func isOut(_ network: SimulatedNetwork) -> Bool {
    network.profile.schedule.conditions(at: network.now).outage != nil
  }

  /// The tool from which a preset comes, which begins its name: `apple` for `apple.3G`.
  static func tool(of profile: NetworkProfile) -> String? {
    let parts = profile.name.split(separator: ".", maxSplits: 1)
    return parts.count == 2 ? String(parts[0]) : nil
  }

  /// The conditions that stand for a profile in one line: its base, or its first phase when the base has no conditions.
  static func typical(_ profile: NetworkProfile) -> PathConditions {
    profile.base == .unlimited ? profile.schedule.phases.first?.conditions ?? profile.base : profile.base
  }
}

extension PathConditions {
  var meanLoss: Double { max(down.loss.mean, up.loss.mean) }
}
