import ExampleSearches
import FailureSearch
import NetworkConditions
import Pictures
import Testing

// The examples of the page "Prove that no fault breaks it", word for word, so that they compile and do what they say.

@Test func `no single fault makes a client pay an order twice`() async throws {
  let report = try await FailureSearch.everyFault(upTo: 1, under: "3G").run { network in
    try await payOrder(network)
  }
  print(report)
  // It also finds that a damaged answer gives an error that the scenario does not expect.
  #expect(report.failures.allSatisfy { $0.fingerprint.hasPrefix("DecodingError") })
  guard CaptureMode.obstacle == nil else { return }
  #expect(try Picture.isCurrent("every-fault.svg", of: "FailureSearch", ExplorationPage(report).picture))
}
