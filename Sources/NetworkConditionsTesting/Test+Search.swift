public import FailureSearch
import Foundation
import Testing

extension Test {
  /// The code with which another test calls this one's function; `nil` if it takes arguments.
  var call: String? {
    #if compiler(>=6.3)
      guard !isParameterized, let function = id.nameComponents.last else { return nil }
      let suites = id.nameComponents.dropLast()
      return "try await " + (suites.isEmpty ? function : "\(suites.joined(separator: "."))().\(function)")
    #else
      nil
    #endif
  }

  /// Returns the requested workers, set up so that their processes run only this test.
  func workers(_ asked: FailureSearch.Workers) throws(FailureSearchError) -> FailureSearch.Workers {
    guard asked.areProcesses else { return asked }
    guard FailureSearch.Workers.canRunTests else { throw Self.noWorkers }
    #if compiler(>=6.3)
      if isParameterized {
        throw .impossible("a test with arguments cannot have its own process: remove `workers:` or the arguments")
      }
      let name = ([id.moduleName] + id.nameComponents).joined(separator: ".")
      let pattern =
        "^" + NSRegularExpression.escapedPattern(for: "\(id.moduleName).\(id.nameComponents.joined(separator: "/"))")
        + "(/|$)"
      return asked.started(for: name, with: ["--testing-library", "swift-testing", "--filter", pattern])
    #else
      throw Self.noWorkers
    #endif
  }

  private static var noWorkers: FailureSearchError {
    .impossible("a test's runs have their own processes only on Linux, with Swift 6.3: remove `workers:`")
  }

  var path: String {
    #if compiler(>=6.3)
      sourceLocation.filePath
    #else
      sourceLocation._filePath
    #endif
  }

  /// The test's name with its suites, such as `FeedTests.refresh`.
  var qualifiedName: String {
    #if compiler(>=6.3)
      let name = id.nameComponents.joined(separator: ".")
    #else
      let name = name
    #endif
    return name.hasSuffix("()") ? String(name.dropLast(2)) : name
  }

  /// Attaches a text under a name such as `FeedTests-refresh-timeline.txt`, because all tests write into one folder.
  func attach(_ text: String, named name: String) {
    let words = qualifiedName.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.joined(separator: "-")
    Attachment.record(text, named: "\(words.prefix(Self.longestName))-\(name)", sourceLocation: sourceLocation)
  }

  /// A file's name has at most 255 bytes; four are one character, and the test library may add a number.
  private static var longestName: Int { 50 }
}

extension ReplayCode {
  /// The code of a complete Swift Testing test that calls the failing code under the faults that make it fail.
  ///
  /// - Parameter call: the code to call, such as `try await readFeed(NetworkUnderTest.network)`.
  public static func test(calling call: String) -> ReplayCode { test(calling: call, traits: "", name: "") }

  /// The same code, with further traits after the network, such as `, .sharedSession`, and with a test name that begins
  /// with `name`.
  static func test(calling call: String, traits: String, name: String) -> ReplayCode {
    ReplayCode(title: "Test") { pieces in
      """
      \(pieces.comments)@Test(.network(\(pieces.arguments))\(traits))
      func `\(name)\(pieces.name)`() async throws {
        \(call)
      }
      """
    }
  }

  /// The code of the trait alone, for a test that takes arguments.
  static let trait = ReplayCode(title: "To repeat it, in the test") { "\($0.comments).network(\($0.arguments))" }
}
