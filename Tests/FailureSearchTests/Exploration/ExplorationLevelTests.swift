import NetworkConditions
import Testing
import URLLoading

@testable import FailureSearch

struct ExplorationLevelTests {
  private struct Half: Error {}

  /// An exploration with resets at each byte of an answer; one point of each class is run.
  @Test(arguments: [40, 41, 42, 43])
  func `a boundary between two behaviours is found to the byte`(least: Int) async throws {
    var exploration = try FailureSearch.everyFault(upTo: 1, of: [.truncate], under: "3G")
    exploration.reduction = .classes
    let report = try await exploration.run { network in
      network.stub("/a", with: .data(Data(repeating: 7, count: 100)).framed(.untilClose))
      let url = try #require(URL(string: "http://api.example.com/a"))
      guard let (data, _) = try? await network.data(for: URLRequest(url: url)) else { return }
      if (least..<100).contains(data.count) { throw Half() }
    }
    #expect(report.failures.map(\.points) == [100 - least])
    #expect(report.levels[0].run < report.points)
  }
}
