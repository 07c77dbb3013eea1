import Testing

@testable import LinkSimulator

struct UndoTests {
  @Test func `a reduction is spurious once a D-SACK has reported each retransmission`() {
    var undo = Undo()
    undo.mark(at: 10, copies: 1)
    undo.sentAgain()
    #expect(undo.isPossible && !undo.isProven)
    undo.arrivedTwice(upTo: 11)
    #expect(!undo.isProven)
    // A D-SACK for a segment sent before the reduction proves nothing.
    undo.arrivedTwice(upTo: 10)
    #expect(!undo.isProven)
    undo.arrivedTwice(upTo: 12)
    #expect(undo.isProven)
    undo.end()
    #expect(!undo.isPossible && !undo.isProven)
  }

  @Test func `a reduction without retransmissions is not proven spurious by a D-SACK`() {
    var undo = Undo()
    undo.mark(at: 10, copies: 0)
    undo.arrivedTwice(upTo: 20)
    #expect(undo.isPossible && !undo.isProven)
    undo.sentAgain()
    undo.arrivedTwice(upTo: 20)
    #expect(undo.isProven)
  }

  @Test func `the reordering distance is at most 300 segments and is reset by a timeout`() {
    var reordering = ReorderingDegree()
    #expect(reordering.segments == 3 && !reordering.isSeen)
    reordering.note(2)
    #expect(reordering.segments == 3 && reordering.isSeen)
    reordering.note(7)
    reordering.note(5)
    #expect(reordering.segments == 7)
    reordering.note(301)
    #expect(reordering.segments == 300)
    reordering.reset()
    #expect(reordering.segments == 3 && reordering.isSeen)
  }

  @Test(arguments: [
    (false, 20, AcknowledgementFlags.advances, false, false), (true, 19, .advances, false, true),
    (true, 20, .advances, false, true), (true, 20, .duplicateOfProbe, false, false),
    (true, 20, AcknowledgementFlags(), false, false),
    (true, 21, .advances, true, true),
  ])
  func `an acknowledgement shows whether a tail loss probe replaced a lost segment`(
    isCopy: Bool, number: Int, flags: AcknowledgementFlags, showsLoss: Bool, isOut: Bool
  ) {
    var probe = TailLossProbe()
    probe.isCopy = isCopy
    probe.sent(upTo: 20)
    #expect(probe.isCopyOut == isCopy)
    let shows = probe.showsLoss(number, flags)
    #expect(shows == showsLoss && probe.isOut == isOut)
  }
}
