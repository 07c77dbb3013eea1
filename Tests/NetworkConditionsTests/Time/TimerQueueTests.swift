import Internals
import LinkSimulator
import Testing

@testable import NetworkConditions

struct TimerQueueTests {
  @Test func `a timer queue returns work by time and then in order of insertion`() {
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

  @Test func `work removed from a timer queue is released at once`() {
    final class Held: Sendable {}
    var queue = TimerQueue<Held>()
    var held: Held? = Held()
    let weakHeld = WeakReference(held)
    let ticket = held.map { queue.add($0, at: .distantFuture) }
    held = nil
    #expect(weakHeld.object != nil)
    if let ticket { _ = queue.remove(ticket) }
    #expect(weakHeld.object == nil)
  }

  @Test func `removing any entry of a timer queue keeps the others in order`() {
    // In the heap, 100 and all later times are on the left; 1 and the other early times are on the right.
    let times: [Int64] = [0, 100, 1, 101, 102, 2, 3, 103, 104, 105, 106, 4, 5, 6, 7]
    for victim in times.indices {
      var queue = TimerQueue<Int64>()
      let tickets = times.map { queue.add($0, at: SimulatedInstant(nanoseconds: $0)) }
      #expect(queue.remove(tickets[victim]) == times[victim])
      var order: [Int64] = []
      while let next = queue.nextTime, let work = queue.popDue(at: next) { order.append(work) }
      #expect(order == times.sorted().filter { $0 != times[victim] })
    }
  }
}
