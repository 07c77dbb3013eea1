import LinkSimulator
import Testing

@testable import NetworkConditions

@Suite struct TimerQueueTests {
  @Test func `work comes out by its time, and by its turn within one`() {
    var random = SystemRandomNumberGenerator()
    var queue = TimerQueue<Int>()
    var tickets: [(ticket: TimerQueue<Int>.Ticket, time: Int64)] = []
    var removed: Set<Int> = []
    for number in 0..<2000 {
      let time = Int64.random(in: 0..<50, using: &random)
      tickets.append((queue.add(number, at: SimulatedInstant(nanoseconds: time)), time))
      if number % 3 == 0, let victim = tickets.indices.randomElement(using: &random) {
        let isWaiting = !removed.contains(victim)
        #expect(queue.isWaiting(tickets[victim].ticket) == isWaiting)
        #expect(queue.remove(tickets[victim].ticket) == (isWaiting ? victim : nil))
        removed.insert(victim)
      }
    }
    let even = queue.removeAll { $0 % 2 == 0 ? $0 : nil }
    var odd: [Int] = []
    while let next = queue.nextTime, let work = queue.popDue(at: next) { odd.append(work) }
    let expected = tickets.indices.filter { !removed.contains($0) }
      .sorted { (tickets[$0].time, $0) < (tickets[$1].time, $1) }
    #expect(even == expected.filter { $0 % 2 == 0 })
    #expect(odd == expected.filter { $0 % 2 == 1 })
    #expect(queue.count == 0)
  }

  @Test func `work that is taken out is let go of at once`() {
    final class Held {}
    var queue = TimerQueue<Held>()
    var held: Held? = Held()
    weak let weakHeld = held
    let ticket = held.map { queue.add($0, at: .distantFuture) }
    held = nil
    #expect(weakHeld != nil)
    if let ticket { _ = queue.remove(ticket) }
    #expect(weakHeld == nil)
  }
}
