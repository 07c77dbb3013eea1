package import ExampleClients
package import FailureSearch
import Foundation
package import NetworkConditions

/// A scenario with the profile under which its client's mistake shows.
package struct ExampleSearch: Sendable {
  /// The name on the command line.
  package let name: String
  /// The mistake in one sentence.
  package let mistake: String
  package let profile: String
  /// The code that calls the scenario in a test.
  package let call: String
  /// The number of faults that expose the mistake.
  package var bound = 1
  package let scenario: @Sendable (SimulatedNetwork, Variant) async throws -> Void

  /// The timeout is set once for all attempts at a page.
  package static let feed = ExampleSearch(
    name: "feed", mistake: "The timeout is not set anew for each attempt.", profile: "tunnel",
    call: "try await readFeed(NetworkUnderTest.network)", scenario: readFeed)
  /// A payment is repeated without an idempotency key.
  package static let checkout = ExampleSearch(
    name: "checkout", mistake: "A payment whose answer was lost is sent again, without a key.", profile: "flaky",
    call: "try await payOrder(NetworkUnderTest.network)", scenario: payOrder)
  /// A cut part counts as complete.
  package static let download = ExampleSearch(
    name: "download", mistake: "A part that was cut counts as complete.", profile: "flaky",
    call: "try await downloadFile(NetworkUnderTest.network)", scenario: downloadFile)
  /// The end of the connection counts as the end of the answer.
  package static let reader = ExampleSearch(
    name: "reader", mistake: "A connection that is lost at the end of a line counts as the end of the answer.",
    profile: "3G", call: "try await readChat(NetworkUnderTest.network)", scenario: readChat)
  /// A download resumes at a wrong offset.
  package static let resume = ExampleSearch(
    name: "resume", mistake: "What came behind the last block is kept, and comes again.", profile: "3G",
    call: "try await resumeFile(NetworkUnderTest.network)", scenario: resumeFile)
  /// A message is lost between two polls.
  package static let events = ExampleSearch(
    name: "events", mistake: "The server forgets what it has handed out, whether it came or not.", profile: "3G",
    call: "try await pollEvents(NetworkUnderTest.network)", scenario: pollEvents)
  /// A request meets a kept connection that the server closes.
  package static let comment = ExampleSearch(
    name: "comment", mistake: "What met the end of a kept connection is not sent again, since it is a POST.",
    profile: "3G",
    call: "try await addComment(NetworkUnderTest.network)", scenario: addComment)
  /// A token is renewed twice; two faults show it.
  package static let token = ExampleSearch(
    name: "token", mistake: "Two requests that are refused at once renew the token twice.", profile: "3G",
    call: "try await staySignedIn(NetworkUnderTest.network)", bound: 2, scenario: staySignedIn)
  /// The examples whose mistakes a seed search finds.
  package static let all = [feed, checkout, download]
  /// The examples whose mistakes an exploration of every fault finds.
  package static let explored = [reader, checkout, download, resume, events, comment, token]

  /// Searches seeds for failures of one version of the client.
  package func run(
    _ variant: Variant, seeds: Range<UInt64>, workers: FailureSearch.Workers = .inProcess()
  ) async throws -> FailureReport {
    var search = try FailureSearch(profile, seeds: seeds)
    search.code = code
    search.workers = workers
    return try await search.run { network in try await scenario(network, variant) }
  }

  /// Tries every fault on one version of the client.
  ///
  /// - Parameters:
  ///   - profile: the profile in the place of the example's own.
  ///   - change: changes the exploration's usual settings.
  package func explore(
    _ variant: Variant, upTo bound: Int = 1, under profile: NetworkProfile? = nil,
    progress: (@Sendable (Int, Int) -> Void)? = nil, changing change: (inout FaultExploration) throws -> Void = { _ in }
  ) async throws -> ExplorationReport {
    var exploration = try FailureSearch.everyFault(upTo: bound, under: profile ?? .named(self.profile))
    exploration.scenario = name
    exploration.code = code
    try change(&exploration)
    return try await exploration.run(progress: progress) { network in try await scenario(network, variant) }
  }

  private var code: ReplayCode {
    ReplayCode(title: "Test") { pieces in
      """
      \(pieces.comments)@Test(.network(\(pieces.arguments)))
      func `\(pieces.name)`() async throws {
        \(call)
      }
      """
    }
  }

  /// Repeats a schedule.
  ///
  /// - Throws: ``SimulationFailure`` when the client fails.
  @discardableResult
  package func replay(_ schedule: FaultSchedule, _ variant: Variant) async throws -> Simulation<Void> {
    try await Simulation(replaying: schedule) { network in try await scenario(network, variant) }
  }
}

/// The URL that the example servers share.
enum ExampleServer {
  static let base: URL = {
    guard let url = URL(string: "https://api.example.com") else { preconditionFailure("a constant URL") }
    return url
  }()
}

/// A scenario's check failed.
package struct ExampleFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
