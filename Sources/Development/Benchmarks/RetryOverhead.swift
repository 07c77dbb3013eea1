import RetryPolicies
import URLLoading

/// The processor time that the retrying client adds to a request that succeeds at once.
///
/// The loader responds without a network after one suspension, as a session does, so nothing hides the difference.
/// Takes medians of alternating rounds.
enum RetryOverhead {
  private static let (rounds, requests) = (15, 2_000)

  private static let loader = RequestLoader { request in
    await Task.yield()
    return (Data(), response)
  }
  private static let request = URLRequest(url: URL(string: "http://example.com/")!)
  private static let response = HTTPURLResponse(
    url: URL(string: "http://example.com/")!, statusCode: 200, httpVersion: nil, headerFields: nil)!

  private static let ways: [(name: String, goal: String, send: @Sendable () async throws -> Void)] = [
    ("without limits", "8 us", { _ = try await loader.data(for: request, retry: FullJitterBackoff()) }),
    (
      "with a deadline", "15 us",
      { _ = try await loader.data(for: request, retry: FullJitterBackoff().deadline(.seconds(10))) }
    ),
    (
      "with a limit for each try", "20 to 24 us",
      { _ = try await loader.data(for: request, retry: FullJitterBackoff().perTryTimeout(.seconds(10))) }
    ),
  ]

  static func run() async throws {
    var bare: [Double] = []
    var own = ways.map { _ in [Double]() }
    for _ in 0..<rounds {
      bare.append(try await time { _ = try await loader.data(for: request) })
      for (index, way) in ways.enumerated() { own[index].append(try await time(way.send)) }
    }
    report("the loader alone", "\(bare.median.fixed(1)) us of processor a request")
    for (way, times) in zip(ways, own) {
      report(way.name, "\((times.median - bare.median).fixed(1)) us more", goal: way.goal)
    }
  }

  /// The processor time of a request, in microseconds.
  private static func time(_ send: @Sendable () async throws -> Void) async throws -> Double {
    let start = processorSeconds()
    for _ in 0..<requests { try await send() }
    return (processorSeconds() - start) / Double(requests) * 1e6
  }
}
