#if os(Linux)
  import Foundation
  import Interposition
  import Internals
  import struct Synchronization.Atomic

  /// How threads wait, and who goes on.
  extension ClientScheduler {
    /// Blocks the calling thread until a condition holds, or until a time.
    ///
    /// The condition is checked whenever a thread waits or ends.
    func wait(
      _ call: StaticString, until deadline: Int64? = nil, isSleep: Bool = false, _ isOver: @escaping () -> Bool
    ) -> Outcome {
      guard let thread = ClientThread.owner else { return .released }
      if isOver() { return .over }
      if let deadline, deadline <= now { return .expired }
      (thread.looks, thread.spun, thread.gaveWay) = (0, 0, 0)
      let wait = Wait(thread, call, isOver)
      wait.isSleep = isSleep
      wait.timer = deadline.flatMap { deadline in
        self.call(at: deadline) { [weak wait] in wait?.outcome = wait?.outcome ?? .expired }
      }
      turns.add(wait)
      yield(thread)
      if let timer = wait.timer, wait.outcome != .expired, !isReleased { cancel(timer) }
      return wait.outcome ?? .released
    }

    /// Waits while a thread of the simulation has a lock; `owner` returns the number of the thread that has it.
    ///
    /// The threads are searched only when the owner has changed: this is asked at each turn.
    func waitForLock(
      _ call: StaticString, until deadline: Int64? = nil, _ owner: @escaping () -> Int32
    ) -> Outcome {
      var last: Int32 = 0
      return wait(call, until: deadline) { [unowned self] in
        let number = owner()
        if number != 0, number == last { return false }
        last = number
        return !hasThread(number)
      }
    }

    /// Gives everybody else a turn who can have one.
    func giveWay() {
      guard let thread = ClientThread.owner else { return }
      turns.add(thread)
      yield(thread)
    }

    /// Has the calling thread wait until something of the simulation has moved.
    func waitForChange(_ call: StaticString) {
      let before = host?.movements
      _ = wait(call) { [weak host] in host?.movements != before }
    }

    private func yield(_ thread: ClientThread) {
      if leader === thread { leader = nil }
      pass()
      thread.awaitBaton()
    }

    /// Hands the baton to the next thread.
    func pass() {
      if let thread = turns.thread(of: take()) { return thread.receiveBaton() }
      let leader = leader ?? idle.popLast() ?? startWorker()
      self.leader = leader
      leader.receiveBaton()
    }

    /// Takes the thread or the queue that runs next; `nil` where none can run.
    func take() -> ClientTurns.Choice? {
      if isDying || host?.isRefused == true { return nil }
      if let chosen = turns.takeChosen() { return chosen }
      if !notifications.isEmpty { notify() }
      return turns.take { choice(below: $0) }
    }
  }
#endif
