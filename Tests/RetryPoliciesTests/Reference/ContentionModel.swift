import Foundation

@testable import RetryPolicies

/// The simulator of "Exponential backoff and jitter" (Brooker, AWS Architecture Blog, 2015): clients contend for one row
/// under optimistic concurrency, and a client whose write fails backs off by a policy.
///
/// A client reads the row's version and writes with it. A write succeeds if the version has not changed. Each of the
/// four hops takes |Normal(10, 2)| ms. Times are in milliseconds, as in the article.
struct ContentionModel {
  private enum Kind {
    case read, readAnswer, write, writeAnswer
  }
  private struct Message {
    var time: Double
    var client: Int
    var kind: Kind
    /// The version that was read; in the answer to a write, 1 if it succeeded.
    var value = 0
  }

  let clients: Int
  let policy: any RetryPolicy
  let seed: UInt64

  /// Runs until the last client is done; returns that time and the number of writes.
  func run() -> (time: Double, calls: Int) {
    var chance = RetryRandom(seed: seed).keyed(by: "network")
    let key = RetryRandom(seed: seed).keyed(by: "backoff")
    let rules = policy.rules
    var requests = [RetryRequest](repeating: RetryRequest(), count: clients)
    var backoffs = [Duration?](repeating: nil, count: clients)
    var queue = Heap()
    var version = 0
    var calls = 0
    var now = 0.0
    for client in 0..<clients { queue.push(Message(time: hop(&chance), client: client, kind: .read)) }
    while var message = queue.pop() {
      now = message.time
      let client = message.client
      message.time += hop(&chance)
      switch message.kind {
      case .read: (message.kind, message.value) = (.readAnswer, version)
      case .readAnswer: message.kind = .write
      case .write:
        calls += 1
        let counts = message.value == version
        if counts { version += 1 }
        (message.kind, message.value) = (.writeAnswer, counts ? 1 : 0)
      case .writeAnswer:
        guard message.value == 0 else { continue }
        let number = requests[client].attempts.count + 1
        let attempt = RetryAttempt(
          plan: AttemptPlan(
            number: number, kind: number == 1 ? .original : .retry, backoff: backoffs[client]),
          end: .zero, outcome: .response(503), outcomeClass: rules.outcomeClass(of: .response(503)))
        requests[client].attempts.append(attempt)
        var random = key.keyed(by: UInt64(client)).keyed(by: UInt64(number))
        guard case .retry(let delay) = policy.decision(after: attempt, of: requests[client], random: &random)
        else { continue }
        backoffs[client] = delay
        message.time += delay / .milliseconds(1)
        message.kind = .read
      }
      queue.push(message)
    }
    return (now, calls)
  }

  /// Draws |Normal(10, 2)| by the method of Box and Muller.
  private func hop(_ chance: inout RetryRandom) -> Double {
    let radius = Double((chance.next() >> 11) + 1) * 0x1p-53
    let angle = Double(chance.next() >> 11) * 0x1p-53
    return abs(10 + 2 * (-2 * log(radius)).squareRoot() * cos(2 * .pi * angle))
  }

  /// A priority queue of messages, the earliest first.
  private struct Heap {
    private var items: [Message] = []

    mutating func push(_ message: Message) {
      items.append(message)
      var place = items.count - 1
      while place > 0, message.time < items[(place - 1) / 2].time {
        items[place] = items[(place - 1) / 2]
        place = (place - 1) / 2
      }
      items[place] = message
    }

    mutating func pop() -> Message? {
      guard let first = items.first, let last = items.popLast() else { return nil }
      let count = items.count
      guard count > 0 else { return first }
      var place = 0
      while true {
        var child = 2 * place + 1
        if child + 1 < count, items[child + 1].time < items[child].time { child += 1 }
        guard child < count, items[child].time < last.time else { break }
        items[place] = items[child]
        place = child
      }
      items[place] = last
      return first
    }
  }
}
