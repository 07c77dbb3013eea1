package import ExampleClients
package import FailureSearch
import Foundation
package import NetworkConditions

/// A scenario, and the profile under which its client's mistake shows.
package struct ExampleSearch: Sendable {
  /// The name on the command line.
  package let name: String
  /// The mistake, in a sentence.
  package let mistake: String
  /// The name of the profile.
  package let profile: String
  /// How the scenario is called in a test.
  package let call: String
  /// How many faults it takes.
  package var bound = 1
  /// The scenario.
  package let scenario: @Sendable (SimulatedNetwork, Variant) async throws -> Void

  /// A timeout that is set once, for all attempts at a page.
  package static let feed = ExampleSearch(
    name: "feed", mistake: "The timeout is not set anew for each attempt.", profile: "tunnel",
    call: "try await readFeed(NetworkUnderTest.network)", scenario: readFeed)
  /// A payment that is sent again without saying that it is the same.
  package static let checkout = ExampleSearch(
    name: "checkout", mistake: "A payment whose answer was lost is sent again, without a key.", profile: "flaky",
    call: "try await payOrder(NetworkUnderTest.network)", scenario: payOrder)
  /// A part that counts as complete although it was cut.
  package static let download = ExampleSearch(
    name: "download", mistake: "A part that was cut counts as complete.", profile: "flaky",
    call: "try await downloadFile(NetworkUnderTest.network)", scenario: downloadFile)
  /// A stream that ends with its connection, and not with the answer.
  package static let reader = ExampleSearch(
    name: "reader", mistake: "A connection that is lost at the end of a line counts as the end of the answer.",
    profile: "3G", call: "try await readChat(NetworkUnderTest.network)", scenario: readChat)
  /// A download that goes on at a wrong offset.
  package static let resume = ExampleSearch(
    name: "resume", mistake: "What came behind the last block is kept, and comes again.", profile: "3G",
    call: "try await resumeFile(NetworkUnderTest.network)", scenario: resumeFile)
  /// A message that is lost between two questions.
  package static let events = ExampleSearch(
    name: "events", mistake: "The server forgets what it has handed out, whether it came or not.", profile: "3G",
    call: "try await pollEvents(NetworkUnderTest.network)", scenario: pollEvents)
  /// A request that meets the end of a kept connection.
  package static let comment = ExampleSearch(
    name: "comment", mistake: "What met the end of a kept connection is not sent again, since it is a POST.",
    profile: "3G",
    call: "try await addComment(NetworkUnderTest.network)", scenario: addComment)
  /// A token that is renewed twice, which takes two faults.
  package static let token = ExampleSearch(
    name: "token", mistake: "Two requests that are refused at once renew the token twice.", profile: "3G",
    call: "try await staySignedIn(NetworkUnderTest.network)", bound: 2, scenario: staySignedIn)
  /// Those that a search of seeds finds.
  package static let all = [feed, checkout, download]
  /// Those that an exploration of every fault finds.
  package static let explored = [reader, checkout, download, resume, events, comment, token]

  /// Searches seeds for a failure of one version of the client.
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

/// The part that the servers of all examples have in common.
enum ExampleServer {
  static let base: URL = {
    guard let url = URL(string: "https://api.example.com") else { preconditionFailure("a constant URL") }
    return url
  }()
}

/// The error of a scenario whose check failed.
package struct ExampleFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
