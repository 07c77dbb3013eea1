import AppleFoundation
import AppleXCTest
import FailureSearch
import Internals
import NetworkConditions

@testable import NetworkConditionsXCTest

/// Failed XCTest assertions become findings of their run where XCTest records issues.
final class AssertionTests: NetworkTestCase {
  func testAFailedAssertionInARunIsKeptForItsSearch() async throws {
    let findings = try await NetworkRun(
      request: RequestedNetwork(.seeds("flaky", 0..<200)), file: #filePath, name: name, selector: "",
      body: { network in
        network.stub("/files/*", with: .bytes(count: 20_000))
        for number in 0..<3 {
          let data = try? await network.data(from: LoadingTests.url("files/\(number)")).0
          XCTAssertEqual(data?.count, 20_000)
        }
      }, environment: [:]
    ).findings()
    let text = try XCTUnwrap(findings.first).text
    XCTAssertTrue(text.contains("AssertionTests.swift:1"), text)
  }
}
