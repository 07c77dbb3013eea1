import Foundation
import NetworkConditions
import Testing
import URLLoading

@testable import NetworkConditionsTesting

struct EveryFaultTests {
  /// Pays, and pays again if no answer arrives; with a key the server recognises the payment.
  private static func pays(key: String?) -> @Sendable () async throws -> Void {
    {
      let network = NetworkUnderTest.network
      let payments = network.stub(.post, "/pay", with: .json(#"{"paid": true}"#))
      guard let url = URL(string: "https://shop.example.com/pay") else { return }
      var request = URLRequest(url: url)
      request.httpMethod = "POST"
      request.setValue(key, forHTTPHeaderField: "Idempotency-Key")
      for _ in 0..<2 {
        if (try? await NetworkUnderTest.session.data(for: request)) != nil { break }
      }
      let keys = payments.requests.map { $0.request.value(forHTTPHeaderField: "Idempotency-Key") }
      #expect(keys.count <= 1 || keys.allSatisfy { $0 != nil })
    }
  }

  @Test func `a test that no single fault breaks records no issue`() async throws {
    #expect(try await recorded(.network("3G", everyFault: 1), Self.pays(key: "4711")).isEmpty)
  }

  @Test(arguments: [NetworkTrait.network("3G", everyFault: 1), .network("3G", seeds: 0..<5)])
  func `a misspelt stub is an issue, although the test expects errors`(trait: NetworkTrait) async throws {
    let issues = try await recorded(trait) {
      let pays = NetworkUnderTest.network.stub(.post, "/pays", with: .json("{}"))
      var request = URLRequest(url: try #require(URL(string: "https://shop.example.com/pay")))
      request.httpMethod = "POST"
      _ = try? await NetworkUnderTest.session.data(for: request)
      #expect(pays.callCount <= 1)
    }
    #expect(issues.count == 1)
    let text = try #require(issues.first?.text)
    #expect(text.contains("No stub matches POST https://shop.example.com/pay"), "\(text)")
    #expect(text.contains("POST /pays (another path)"), "\(text)")
  }

  @Test func `a test that fails without any fault is told with its comments and its further failures`() async throws {
    let issues = try await recorded(.network("3G", everyFault: 1)) {
      Issue.record("the server said 503")
      #expect(Bool(false), "and the badge is stale")
    }
    let text = try #require(issues.first?.text)
    #expect(issues.count == 1)
    #expect(text.contains("the client fails without any fault"), "\(text)")
    #expect(text.contains("the server said 503") && text.contains("and after it:"), "\(text)")
  }

  @Test func `a payment repeated after a lost response is one issue with a test that reproduces it`()
    async throws
  {
    let issues = try await recorded(.network("3G", everyFault: 1), Self.pays(key: nil))
    let issue = try #require(issues.first)
    #expect(issues.count == 1)
    #expect(issue.text.contains("points, for example: Expectation failed"))
    #expect(issue.text.contains("the 1st POST https://shop.example.com/pay"))
    #expect(issue.text.contains("@Test(.network(replaying: \"netcond1:"))
  }

  @Test
  func
    `a client that lets its errors through is an issue with a test, one for each of four more errors, and one for the rest`()
    async throws
  {
    let issues = try await recorded(.network("3G", everyFault: 1)) {
      let network = NetworkUnderTest.network
      network.stub("/feed", with: .json("[1,2,3]"))
      let url = try #require(URL(string: "https://api.notes.test/feed"))
      let (data, _) = try await network.session.data(from: url)
      #expect(try JSONDecoder().decode([Int].self, from: data) == [1, 2, 3])
    }
    #expect(issues.count == 6)
    #expect(issues[0].text.contains("@Test(.network(replaying: \"netcond1:"))
    #expect(issues[1..<5].allSatisfy { $0.text.contains("\nTo repeat it: NETCOND_REPLAY=netcond1:") })
    #expect(issues[5].text.contains(" more errors:\n"))
  }

  @Test func `a wrong bound and a wrong shard are issues that say what to write`() async throws {
    let none = try await recorded(.network("3G", everyFault: 0), Self.pays(key: nil))
    #expect(none.first?.text.contains("write 1 to try") == true)
    let many = try await recorded(.network("3G", everyFault: 4), Self.pays(key: nil))
    #expect(
      many.first?.text.contains("a bound of 4 faults: write 1 to try every single fault, 2 to try every pair") == true)
    let share = try await recorded(
      .network("3G", everyFault: 1), environment: ["NETCOND_SHARD": "9/8"], Self.pays(key: nil))
    #expect(
      share.first?.text.contains(
        "NETCOND_SHARD: \"9/8\" is not a shard; write 1/4 to 4/4 (netcond explain environment)") == true,
      "\(share)")
  }
}
