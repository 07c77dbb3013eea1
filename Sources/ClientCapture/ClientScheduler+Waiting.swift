#if os(Linux)
  import Foundation
  import Interposition
  import Internals
  import struct Synchronization.Atomic

  extension ClientScheduler {
    /// Blocks the calling thread until a condition holds or a deadline passes; the condition is checked whenever a
    /// thread waits or ends.
    func wait(
      _ call: StaticString, until deadline: Int64? = nil, isSleep: Bool = false, _ isOver: @escaping () -> Bool
    ) -> Outcome {
      guard let thread = ClientThread.owner else { return .released }
      if isOver() { return .over }
      if let deadline, deadline <= now { return .expired }
      (thread.looks, thread.spun, thread.yieldCount, thread.polls) = (0, 0, 0, 0)
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

    /// Waits while one of the simulation's threads holds a lock; `owner` returns that thread's kernel ID.
    ///
    /// The threads are searched only when the owner has changed, since the condition is checked at each turn.
    func waitForLock(
      _ call: StaticString, until deadline: Int64? = nil, _ owner: @escaping () -> Int32
    ) -> Outcome {
      while true {
        var last: Int32 = 0
        let outcome = wait(call, until: deadline) { [unowned self] in
          let number = owner()
          if number != 0, number == last { return false }
          last = number
          return !hasThread(number)
        }
        // Several threads may wait for one lock, and another may have taken it first.
        if outcome != .over || !hasThread(owner()) { return outcome }
      }
    }

    /// Lets other runnable threads and queues run before the calling thread continues.
    func giveWay() {
      guard let thread = ClientThread.owner else { return }
      turns.add(thread)
      yield(thread)
    }

    /// Blocks the calling thread until the host has counted progress in the simulation.
    func waitForChange(_ call: StaticString) {
      let before = host?.movements
      _ = wait(call) { [weak host] in host?.movements != before }
    }

    /// Counts a task's read of a clock; a read after a suspension counts four times, because a loop of `Task.yield()` is
    /// slow.
    func countLook(of task: Int) -> Int {
      let (count, works) = looksOfTasks[task] ?? (0, begunWorks)
      looksOfTasks[task] = (count + (works == begunWorks ? 1 : 4), begunWorks)
      return count
    }

    /// Returns when the next pause of a busy wait ends.
    ///
    /// A pause is a thousandth of the busy wait so far, so that a wait without end soon uses up its run's time limit.
    func endOfPause(atLeast length: Int64) -> Int64 {
      let now = now
      let begin = pausedTime.contains(now) ? pausedTime.lowerBound : now
      let end = now + max(length, (now - begin) / 1_000)
      pausedTime = begin...max(end, pausedTime.upperBound)
      return end
    }

    /// Blocks the calling thread until other code of the client has run.
    func waitForWork(_ call: StaticString, until deadline: Int64?) {
      guard let thread = ClientThread.owner else { return }
      let before = begunWorks
      thread.isPolling = true
      defer { thread.isPolling = false }
      _ = wait(call, until: deadline) { [unowned self] in begunWorks != before }
    }

    /// Counts a step that may run the client's work.
    package func wake() { begunWorks += 1 }

    private func yield(_ thread: ClientThread) {
      if leader === thread { leader = nil }
      pass()
      thread.awaitBaton()
    }

    /// Passes the baton, the right to run, to the next thread.
    func pass() {
      if let thread = turns.thread(of: take()) { return thread.receiveBaton() }
      let leader = leader ?? idle.popLast() ?? startWorker()
      self.leader = leader
      leader.receiveBaton()
    }

    /// Takes the thread or queue that runs next; `nil` if none can run.
    func take() -> ClientTurns.Choice? {
      if isDying || host?.isRefused == true { return nil }
      if let chosen = turns.takeChosen() { return chosen }
      if !notifications.isEmpty { notify() }
      let next = turns.take { choice(below: $0) }
      if case .thread(let thread) = next, thread.isPolling { return next }
      if next != nil { wake() }
      return next
    }
  }
#endif
