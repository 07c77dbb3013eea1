#if os(Linux)
  import Internals
  import Testing

  @testable import ClientCapture

  struct LaterWorkTests {
    @Test func `the timers of a killed client's descriptors are cancelled`() {
      var later = LaterWork()
      later.descriptors = [3: TimerTicket(number: 7), 4: TimerTicket(number: 8)]
      #expect(Set(later.kill()) == [TimerTicket(number: 7), TimerTicket(number: 8)])
    }
  }
#endif
