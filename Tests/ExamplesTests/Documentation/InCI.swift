import ExampleClients
import ExampleSearches
import FailureSearch
import Pictures
import Testing

/// The picture of the page "In CI".
@Test func `a pipeline shows one line for each way to fail`() async throws {
  let report = try await ExampleSearch.comment.explore(.planted, changing: { $0.alphabet.kinds = [.idleClose] })
  let lines = report.annotations(known: []).joined(separator: "\n")
  print(lines)
  #expect(lines.hasPrefix("::error title=comment under 3G"))
  #expect(
    try Picture.isCurrent(
      "pipeline.svg", of: "NetworkConditions", Picture.terminal(lines, title: "An annotation of a pipeline")))
}
