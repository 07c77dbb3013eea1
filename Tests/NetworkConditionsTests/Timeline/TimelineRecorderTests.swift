import LinkSimulator
import Testing

@testable import NetworkConditions

@Suite struct TimelineRecorderTests {
  private func transfer(_ number: Int) -> Transfer {
    Transfer(number: number, method: "GET", url: "http://a.example/", occurrence: 1, profile: "3G", started: .zero)
  }

  @Test func `transfers are numbered in the order in which they begin`() {
    var recorder = TimelineRecorder()
    #expect([recorder.nextTransfer(), recorder.nextTransfer(), recorder.nextTransfer()] == [0, 1, 2])
  }

  @Test func `beyond the limit the older half of the transfers is dropped and counted`() {
    var recorder = TimelineRecorder()
    for number in 0...TimelineRecorder.transferLimit { recorder.keep(transfer(number)) }
    #expect(recorder.droppedTransfers == TimelineRecorder.transferLimit / 2)
    #expect(recorder.transfers.count == TimelineRecorder.transferLimit / 2 + 1)
    #expect(recorder.transfers.first?.number == TimelineRecorder.transferLimit / 2)
    #expect(recorder.transfers.last?.number == TimelineRecorder.transferLimit)
  }

  @Test func `beyond the limit the older half of the events is dropped and counted`() {
    var recorder = TimelineRecorder()
    for number in 0...TimelineRecorder.eventLimit { recorder.record(.finished, at: .zero, transfer: number) }
    #expect(recorder.droppedEvents == TimelineRecorder.eventLimit / 2)
    #expect(recorder.events.first?.transfer == TimelineRecorder.eventLimit / 2)
    #expect(recorder.events.last?.transfer == TimelineRecorder.eventLimit)
  }
}
