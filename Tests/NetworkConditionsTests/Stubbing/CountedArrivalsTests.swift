import Testing

@testable import NetworkConditions

struct CountedArrivalsTests {
  @Test func `a wait for the second arrival ends exactly at the second arrival`() async {
    await withCheckedContinuation { continuation in
      var arrivals = CountedArrivals()
      #expect(arrivals.add().isEmpty)
      let waits = arrivals.wait(arrivals.nextID(), for: 2, continuation)
      #expect(waits)
      let due = arrivals.add()
      #expect(due.count == 1 && arrivals.add().isEmpty)
      // A failure ends the wait, too.
      (due.first ?? continuation).resume()
    }
  }

  @Test func `a wait for a past arrival ends at once, and a cancelled wait is forgotten`() async {
    await withCheckedContinuation { continuation in
      var arrivals = CountedArrivals()
      _ = arrivals.add()
      let id = arrivals.nextID()
      let waits = [1, 3].map { arrivals.wait(id, for: $0, continuation) }
      #expect(waits == [false, true])
      #expect(arrivals.forget(id) != nil && arrivals.forget(id) == nil)
      #expect(arrivals.add().isEmpty && arrivals.add().isEmpty && arrivals.count == 3)
      continuation.resume()
    }
  }
}
