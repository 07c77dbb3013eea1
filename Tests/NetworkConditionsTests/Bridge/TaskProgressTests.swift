import Foundation
import Testing

@testable import NetworkConditions

/// What a task's `progress` is set to, exchange by exchange: Foundation's `Progress` aborts the process over some values.
@Suite struct TaskProgressTests {
  private func output(
    sent: (Int64, Int64?)? = nil, received: Int64 = 0, of expected: Int64? = nil, end: ExchangeOutput.End? = nil
  ) -> ExchangeOutput {
    var output = ExchangeOutput()
    output.uploaded = sent.map { (sent: $0.0, expected: $0.1) }
    (output.received, output.expected, output.end) = (received, expected, end)
    return output
  }

  /// The counts after each output.
  private func counts(_ outputs: [ExchangeOutput]) -> [[Int64]] {
    let shown = Progress(totalUnitCount: -1)
    var progress = TaskProgress()
    return outputs.map { output in
      progress.take(output)
      progress.set(in: shown)
      return [shown.completedUnitCount, shown.totalUnitCount]
    }
  }

  @Test func `a redirect that drops an upload's body takes nothing back`() {
    #expect(
      counts([
        output(sent: (9_500, 19_000)), output(sent: (0, 0), of: 0), output(received: 10, of: 100),
        output(received: 100, of: 100, end: .finished),
      ]) == [[9_500, 20_000], [9_500, 20_000], [9_600, 20_000], [10_500, 20_000]])
  }

  @Test func `a redirect that sends an upload's body again starts no count anew`() {
    #expect(
      counts([
        output(sent: (19_000, 19_000)), output(sent: (0, 19_000), of: 0), output(sent: (10_000, 19_000), of: 0),
        output(sent: (19_000, 19_000), received: 50, of: 100), output(received: 100, of: 100, end: .finished),
      ]) == [[19_000, 20_000], [19_000, 20_000], [19_000, 20_000], [19_500, 20_000], [20_000, 20_000]])
  }

  @Test func `a stream's total is unknown until it has been read`() {
    #expect(
      counts([
        output(sent: (10_000, nil)), output(sent: (19_000, 19_000)),
        output(sent: (0, 0), of: 0), output(received: 5, end: .finished),
      ]) == [[10_000, -1], [19_000, 20_000], [19_000, 20_000], [20_000, 20_000]])
  }

  @Test func `an empty answer ends at one of one`() {
    #expect(counts([output(of: 0), output(of: 0, end: .finished)]) == [[0, -1], [1, 1]])
  }

  @Test func `a state that comes late changes nothing`() {
    let shown = Progress(totalUnitCount: -1)
    var progress = TaskProgress()
    progress.take(output(sent: (100, nil)))
    let early = progress
    progress.take(output(sent: (190, 190)))
    progress.set(in: shown)
    early.set(in: shown)
    #expect([shown.completedUnitCount, shown.totalUnitCount] == [190, 200])
  }
}
