import Foundation
import Testing
import URLLoading

@testable import NetworkConditions

/// The values of a task's `progress`, exchange by exchange: some values make Foundation's `Progress` abort the process.
struct TaskProgressTests {
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

  @Test func `a redirect that drops an upload's body does not reduce the task's progress`() {
    #expect(
      counts([
        output(sent: (9_500, 19_000)), output(sent: (0, 0), of: 0), output(received: 10, of: 100),
        output(received: 100, of: 100, end: .finished),
      ]) == [[9_500, 20_000], [9_500, 20_000], [9_600, 20_000], [10_500, 20_000]])
  }

  @Test func `a redirect that sends an upload's body again does not reduce the task's progress`() {
    #expect(
      counts([
        output(sent: (19_000, 19_000)), output(sent: (0, 19_000), of: 0), output(sent: (10_000, 19_000), of: 0),
        output(sent: (19_000, 19_000), received: 50, of: 100), output(received: 100, of: 100, end: .finished),
      ]) == [[19_000, 20_000], [19_000, 20_000], [19_000, 20_000], [19_500, 20_000], [20_000, 20_000]])
  }

  @Test func `the total of an uploaded stream is unknown until the stream has been read`() {
    #expect(
      counts([
        output(sent: (10_000, nil)), output(sent: (19_000, 19_000)),
        output(sent: (0, 0), of: 0), output(received: 5, end: .finished),
      ]) == [[10_000, -1], [19_000, 20_000], [19_000, 20_000], [20_000, 20_000]])
  }

  @Test func `a download's progress has its total from the response's head on`() {
    #expect(counts([output(of: 100), output(received: 30, of: 100)]) == [[0, 100], [30, 100]])
  }

  @Test func `a download whose size becomes unknown ends at the size that was known before`() {
    let outputs = [output(of: 100), output(received: 30), output(received: 30, end: .finished)]
    #expect(counts(outputs) == [[0, 100], [30, 100], [100, 100]])
  }

  @Test func `an upload's response of one byte counts as a whole response`() {
    #expect(
      counts([output(sent: (19_000, 19_000), of: 1), output(sent: (19_000, 19_000), received: 1, of: 1)])
        == [[19_000, 20_000], [20_000, 20_000]])
  }

  @Test func `an upload's progress reports the bytes sent since the last report`() {
    var progress = TaskProgress()
    let added = [100, 250, 0, 60].map { (sent: Int64) in
      progress.take(output(sent: (sent, 300)))
      return progress.justSent
    }
    #expect(added == [100, 150, 0, 60])
  }

  @Test func `the progress of an empty response ends at 1 of 1`() {
    #expect(counts([output(of: 0), output(of: 0, end: .finished)]) == [[0, -1], [1, 1]])
  }

  @Test(arguments: [true, false])
  func `a compressed response has no expected size, despite its Content-Length`(isCompressed: Bool) async throws {
    let run = try await Simulation("3G") { network in
      let field = isCompressed ? "Content-Encoding" : "Content-Identity"
      network.stub("/", with: .data(Data(count: 100)).header(field, "br").header("Content-Length", "40"))
      let call = NetworkCall(engine: network.engine)
      call.start(URLRequest(url: url("http://x.example/")), .whole(.empty), settings: ExchangeSettings())
      var expected: [Int64?] = []
      while true {
        let output = try await call.next()
        if output.response != nil { expected.append(output.expected) }
        if output.end != nil { return expected }
      }
    }
    #expect(run.value == [isCompressed ? nil : 40])
  }

  @Test func `an outdated state does not change the task's progress`() {
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
