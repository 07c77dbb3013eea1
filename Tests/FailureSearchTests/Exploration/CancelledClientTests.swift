import FailureSearch
import NetworkConditions
import Testing
import URLLoading

/// How an exploration judges a client that it cancels.
struct CancelledClientTests {
  /// Errors that wrap the errors of a session, as clients do.
  private enum Wrapped: Error {
    case transport(any Error, status: Int?)
    case all([any Error])
  }

  @Test(arguments: [true, false])
  func `an error that wraps a cancellation is not a failure of a cancelled client`(asOne: Bool) async throws {
    let report = try await FailureSearch.everyFault(upTo: 1, of: [.cancel, .refused], under: "3G").run { network in
      network.stub("/a", with: .json("{}"))
      do {
        _ = try await network.session.data(from: URL(string: "https://api.example.com/a")!)
      } catch {
        throw asOne ? Wrapped.transport(error, status: nil) : Wrapped.all([Wrapped.transport(error, status: 0)])
      }
    }
    // A refused connection has the same words, but is a failure.
    #expect(report.failures.map(\.points) == [1])
  }
}
