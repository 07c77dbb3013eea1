import ExampleClients
import ExampleSearches
import FailureSearch
import Internals
import Pictures
import Testing

/// The picture on the page "In CI".
@Test func `an annotation for CI shows one failure, as in the documentation's picture`() async throws {
  let report = try await ExampleSearch.comment.explore(.planted, changing: { $0.faults.kinds = [.idleClose] })
  let lines = report.annotations(known: []).joined(separator: "\n")
  #expect(lines.hasPrefix("::error title=comment under 3G"))
  // As a pipeline's page shows it, with a shorter token.
  let text = lines.replacing(/^::error title=(.*?)::/) { "Error: \($0.1)\n" }.replacing("%0A", with: "\n")
    .replacing(/(netcond1:.{16})\S*/) { "\($0.1)…" }
  let shown = text.split(separator: "\n").flatMap { String($0).wrapped(to: 90) }.joined(separator: "\n")
  #expect(
    try Picture.isCurrent(
      "pipeline.svg", of: "NetworkConditions", Picture.terminal(shown, title: "An annotation of a pipeline")))
}
