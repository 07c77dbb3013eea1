#if os(Linux)
  import Internals

  /// The threads and queues of a simulation that wait for their turn, and the choice of the next.
  // A class, because a check whether a wait is over may run code that uses this object again.
  final class ClientTurns {
    enum Choice {
      case thread(ClientThread)
      case queue(ClientQueue)
    }

    private(set) var waits: [ClientScheduler.Wait] = []
    private var ready: [ClientThread] = []
    /// The queues that have work, in the order in which they became busy.
    private(set) var busy: [ClientQueue] = []
    /// The choice that a thread made when it gave up the baton, if the leader must carry it out.
    private var chosen: Choice?
    /// How often threads have handed each other the baton since the leader had it.
    private var passes = 0

    func add(_ wait: ClientScheduler.Wait) { waits.append(wait) }
    func add(_ thread: ClientThread) { ready.append(thread) }
    func add(_ queue: ClientQueue) { busy.append(queue) }

    /// Takes the thread or queue that runs next; `choice` gets their number and returns an index; `nil` if none can
    /// run.
    func take(_ choice: (Int) -> Int) -> Choice? {
      if busy.isEmpty, ready.isEmpty, waits.isEmpty { return nil }
      var place = 0
      while place < waits.count {
        let wait = waits[place]
        if wait.outcome != nil || wait.isOver() {
          wait.outcome = wait.outcome ?? .over
          ready.append(wait.thread)
          waits.remove(at: place)
        } else {
          place += 1
        }
      }
      var runnable: [ClientQueue] = []
      busy.removeAll { queue in
        if !queue.hasWork { queue.isInLine = false }
        guard queue.isInLine else { return true }
        if !queue.isMain, let next = queue.next() { runnable.append(next) }
        return false
      }
      let count = ready.count + runnable.count
      guard count > 0 else { return nil }
      let number = count == 1 ? 0 : choice(count)
      return number < ready.count ? .thread(ready.remove(at: number)) : .queue(runnable[number - ready.count])
    }

    func takeChosen() -> Choice? {
      defer { chosen = nil }
      return chosen
    }

    /// Returns the chosen thread, which gets the baton; `nil` if the leader gets the baton and carries out the choice.
    func thread(of choice: Choice?) -> ClientThread? {
      if case .thread(let thread) = choice, passes < ClientScheduler.batchSize {
        passes += 1
        return thread
      }
      chosen = choice
      return nil
    }

    /// Returns how often other threads got the baton since the leader last had it, and resets the count.
    func takePasses() -> Int {
      defer { passes = 0 }
      return passes
    }

    /// Ends all waits except sleeps, and returns the threads that continue.
    func release() -> [ClientThread] {
      // A client may have started a thread of the process itself, so every thread that other code can wake continues.
      let released = waits.filter { !$0.isSleep || $0.outcome != nil }
      for wait in released { wait.outcome = .released }
      if case .thread(let thread) = chosen { ready.append(thread) }
      defer { (waits, ready, busy, chosen) = ([], [], [], nil) }
      return released.map(\.thread) + ready
    }

    /// Removes everything except the waits of the threads in `spared`, and returns the timers of all waits.
    func kill(sparing spared: [ClientThread]) -> [TimerTicket] {
      let timers = waits.compactMap(\.timer)
      waits.removeAll { wait in !spared.contains { $0 === wait.thread } }
      (ready, busy, chosen) = ([], [], nil)
      return timers
    }
  }
#endif
