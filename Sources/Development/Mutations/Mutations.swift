import Foundation

/// `swift run Mutations` puts small mistakes into the sources, one at a time, and runs the tests against each.
///
/// It runs on Linux, where a test bundle is an executable. Arguments select modules or single mutations:
/// `swift run Mutations RetryPolicies LinkSimulator:17`.
@main struct Mutations {
  /// The least share of mutations that the tests must notice, in percent.
  static let leastKilled = 90

  static func main() throws {
    #if os(Linux)
      let chosen = Set(CommandLine.arguments.dropFirst())
      let package = try MutatedPackage(root: URL(filePath: FileManager.default.currentDirectoryPath))
      let (texts, lines, mistakes) = try package.mutatedFiles()
      guard mistakes.isEmpty else {
        say(mistakes.joined(separator: "\n"))
        exit(1)
      }
      let mutations = package.lists.flatMap(\.mutations).filter {
        chosen.isEmpty || chosen.contains($0.module) || chosen.contains($0.name)
      }
      guard !mutations.isEmpty else {
        say("No mutation has such a name. The modules are \(package.lists.map(\.module).joined(separator: ", ")).")
        exit(2)
      }
      try package.write(texts)
      let run = MutationRun(package)
      let modules = Set(mutations.map(\.module))
      var targets: [String] = []
      for list in package.lists where modules.contains(list.module) {
        targets += list.tests.filter { !targets.contains($0) }
      }
      guard try run.build(), let times = try run.baseline(targets) else { exit(1) }
      let verdicts = run.verdicts(on: mutations, times: times)
      let table = MutationTable(verdicts: verdicts, lines: lines)
      say(table.text)
      exit(table.killedShare >= Double(leastKilled) ? 0 : 1)
    #else
      say("Mutations are run on Linux, where a test bundle is a program.")
      exit(2)
    #endif
  }
}

/// Writes a line unbuffered: a run takes long, and its output is often a pipe.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
