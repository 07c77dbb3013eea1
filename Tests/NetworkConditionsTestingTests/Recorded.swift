import Internals
import NetworkConditions
import Testing

@testable import NetworkConditionsTesting
import URLLoading

/// The issues that a function records under a trait; they do not become issues of the calling test.
func recorded(
  _ trait: NetworkTrait, and traits: [any Trait] = [], in file: String? = nil, environment: [String: String] = [:],
  _ function: @escaping @Sendable () async throws -> Void
) async throws -> [Issue] {
  var test = try #require(Test.current)
  test.traits += traits
  if let file {
    let place = test.sourceLocation
    test.sourceLocation = SourceLocation(
      fileID: place.fileID, filePath: file, line: place.line, column: place.column)
  }
  var trait = trait
  trait.environment = environment
  let (whole, asked) = (test, trait)
  let issues = Mutex<[Issue]>([])
  let handler: IssueHandlingTrait = .compactMapIssues { issue in
    issues.withLock { $0.append(issue) }
    return nil
  }
  try await handler.provideScope(for: whole, testCase: Test.Case.current) {
    do {
      try await asked.provideScope(for: whole, testCase: Test.Case.current, performing: function)
    } catch {
      if !(error is ExpectationFailedError) { Issue.record(error) }
    }
  }
  return issues.withLock { $0 }
}

extension Issue {
  /// The lines of all its comments.
  var lines: [String] { comments.flatMap { $0.rawValue.components(separatedBy: "\n") } }
  /// Its comments in one.
  var text: String { lines.joined(separator: "\n") }
}

/// Pays three items, and retries each failed payment once, so that an item may be paid twice.
@Sendable func payThreeItems() async throws {
  let network = NetworkUnderTest.network
  let payments = network.stub(.post, "/pay/*", with: .text("paid"))
  for item in 0..<3 {
    var request = URLRequest(url: try #require(URL(string: "https://shop.example.com/pay/\(item)")))
    request.httpMethod = "POST"
    do {
      _ = try await NetworkUnderTest.session.data(for: request)
    } catch {
      try await NetworkUnderTest.clock.sleep(for: .seconds(1))
      _ = try await NetworkUnderTest.session.data(for: request)
    }
  }
  #expect(payments.requests.count == 3)
}

@Sendable func loadFiveFiles() async throws {
  NetworkUnderTest.network.stub("/files/*", with: .bytes(count: 2_000))
  for number in 0..<5 {
    let url = try #require(URL(string: "https://api.example.com/files/\(number)"))
    _ = try await NetworkUnderTest.session.data(from: url)
  }
}

/// Loads five files, and takes every error as it comes.
@Sendable func loadWhatComes() async { _ = try? await loadFiveFiles() }
