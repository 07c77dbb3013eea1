#if os(Linux)
  import Foundation
  import Interposition
  import Internals
  import struct Synchronization.Atomic

  /// Runs all threads, queues and timers of one simulation's client, one thread at a time.
  ///
  /// The thread that has the baton runs until it waits or ends. Then the host's chance decides which goes on: threads whose
  /// wait is over, and queues whose first piece of work may run. When none can, the baton goes back to the leader, the thread
  /// that lets time pass. The leader runs queues' work on its own stack. If that work waits, another thread becomes leader.
  // Unchecked: only the thread that has the baton touches it.
  package final class ClientScheduler: @unchecked Sendable {
    /// A thread that waits.
    final class Wait {
      let thread: ClientThread
      let call: StaticString
      let isOver: () -> Bool
      var timer: TimerTicket?
      /// Whether nothing but its time ends it.
      var isSleep = false
      var outcome: Outcome?

      init(_ thread: ClientThread, _ call: StaticString, _ isOver: @escaping () -> Bool) {
        self.thread = thread
        self.call = call
        self.isOver = isOver
      }
    }

    /// How a wait ended.
    enum Outcome {
      case over
      /// Its time had come first.
      case expired
      /// The simulation has ended: waiting threads go on in real time.
      case released
    }

    /// The most work that is run in one go, so that an endless loop is noticed.
    static let helping = 4096
    /// What a task of the URL loading system that is resumed counts for: that many pieces of work take about as long.
    private static let costOfTask = 100
    private var resumedTasks = 0

    /// Weak: the host holds its scheduler.
    private(set) weak var host: (any CaptureHost)?
    private var draws = DrawNumbers()
    private let released = Atomic(false)
    /// Whether the simulation has ended: its threads are any threads since.
    var isReleased: Bool { released.load(ordering: .relaxed) }

    private let running = Atomic<Int32>(0)
    /// The kernel's number of the thread that has the baton; to be asked by any thread.
    var runningThread: Int32 { running.load(ordering: .relaxed) }
    func runs(_ thread: Int32) { running.store(thread, ordering: .relaxed) }

    var queues: [UnsafeMutableRawPointer: ClientQueue] = [:]
    var root: ClientQueue?
    /// Every thread that was started for the client, or by it.
    var threads: [ClientThread] = []
    let turns = ClientTurns()
    /// The thread that lets time pass; `nil` while it waits and no other has begun.
    var leader: ClientThread?
    var drive: (() -> Bool)?
    /// Those who have led, and wait for the end with nothing of the client's beneath them.
    private var formerLeaders: [ClientThread] = []
    var idle: [ClientThread] = []
    private(set) var main = MainStandIn()
    var later = LaterWork()
    var notifications: [(isDue: () -> Bool, queue: ClientQueue, block: UnsafeMutableRawPointer)] = []

    /// The folder whose changes are noted; `nil` where there is none.
    private(set) var watchedFolder: String?
    /// Whether the client is about to be killed: none of its threads may run.
    var isDying = false

    /// The queue of `URLSession.shared`, which only this simulation may use until it ends.
    package let reserved = ReservedQueue()

    /// Begins to answer the process's calls, and makes the calls of `host`'s client its own.
    package init(_ host: any CaptureHost) {
      Answers.install()
      self.host = host
    }

    /// The simulation's time in nanoseconds.
    var now: Int64 { host?.instant ?? 0 }

    /// By how much the client's calendar clock was set, in nanoseconds.
    private var clockShift: Int64 = 0

    /// Sets the client's calendar clock ahead, or back; what measures durations goes on, and so does what sleeps.
    package func jumpClock(by nanoseconds: Int64) { clockShift += nanoseconds }

    /// The date at which the simulation began, by the clock as it is set now.
    var date: Int64 { ClientTime.date + clockShift }

    /// What a clock would have shown when the simulation began, as it is set now; `nil` for one that measures something
    /// else.
    func beginning(of clock: clockid_t) -> Int64? {
      ClientTime.beginning(of: clock).map { $0 == ClientTime.date ? date : $0 }
    }

    /// A reading of a clock, as a time of the simulation's.
    func instant(_ time: timespec) -> Int64 { ClientTime.instant(time, date: date) }

    /// A time as libdispatch encodes it; `nil` is never.
    func instant(ofDispatch when: UInt64) -> Int64? { ClientTime.instant(ofDispatch: when, now: now, date: date) }

    func call(at time: Int64, _ work: @escaping () -> Void) -> TimerTicket? {
      // Made and called on the simulation's threads, of which one runs at a time.
      nonisolated(unsafe) let work = work
      return host?.call(atInstant: time) { work() }
    }

    func cancel(_ call: TimerTicket) { host?.cancel(call) }

    /// 64 bits that the seed decides, others at each call.
    func draw() -> UInt64 {
      let number = draws.nextDraw()
      return host?.drawn(number) ?? number
    }

    func choice(below count: Int) -> Int {
      let instant = now
      return host?.choice(at: instant, draws.nextChoice(at: instant), below: count) ?? 0
    }

    /// Ends the run with an error, because the client did something that cannot be simulated.
    func refuse(_ call: String, remedy: String = ClientScheduler.remedy) {
      if host?.refuse(call, remedy: remedy) == true { _ = wait("a call that is refused") { false } }
    }

    private static let remedy =
      "It works for all of the process and in real time: let the client do without, or use a network in real time."

    // MARK: The host's side

    /// Whether the calling thread is one of some simulation's client.
    package static var isClientThread: Bool { ClientThread.owner != nil }

    /// Whether the calling thread is one of the client's.
    package var isCurrentThread: Bool { ClientThread.owner?.scheduler === self }

    /// Whether the calling thread lets time pass.
    package var isLeading: Bool { leader != nil && leader === ClientThread.owner }

    /// Makes the calling thread one of the client's while `body` runs.
    package func runAsClient<Result>(_ body: () -> Result) -> Result {
      isCurrentThread ? body() : newThread().run(body)
    }

    /// The calls in which the client's threads are blocked, each with its place; to be asked by the leader.
    package var blocked: [String] {
      guard let leader, ClientThread.owner === leader else { return [] }
      // Some say what is wrong: to look up all of a thousand would take long.
      return leader.atWork { _ in
        turns.waits.prefix(8).compactMap { wait in
          wait.thread.place(askedBy: leader)?.text.map { "\(wait.call), at \($0)" }
        }
      }
    }

    /// Where the task goes on that is run next, if it is one.
    package var placeOfNext: ClientPlace? {
      for queue in turns.busy {
        // The runtime has its tasks run by a function, with the task as its context.
        if case .function(_, let task?) = queue.next()?.first?.work { return ClientPlace(ofTask: task) }
      }
      return nil
    }

    /// Lets time pass on the calling thread until `drive` returns `true`.
    ///
    /// It returns `false` once another thread leads, and is called again there.
    package func lead(_ drive: @escaping () -> Bool) {
      guard let thread = ClientThread.owner else { return }
      (leader, self.drive) = (thread, drive)
      if drive() || isReleased { return }
      // Another leads to the end: this one has nothing to do any more.
      formerLeaders.append(thread)
      _ = thread.atWork { $0.wait("the end") { false } }
    }

    /// Takes note that a thread of the client's resumes a task of the URL loading system.
    func noteTask() { resumedTasks += 1 }

    /// Runs what can run, and returns how much that was; 0 once there is nothing left.
    package func settle() -> Int {
      guard let thread = ClientThread.owner, leader === thread else { return 0 }
      interposition_enter()
      defer { interposition_leave() }
      var count = 0
      while count < Self.helping, let next = take() {
        count += 1
        host?.noteProgress()
        switch next {
        case .queue(let queue): run(queue)
        case .thread(let other):
          other.receiveBaton()
          thread.awaitBaton()
        }
        count += turns.takePasses()
        if leader !== thread { break }
      }
      defer { resumedTasks = 0 }
      return count + Self.costOfTask * resumedTasks
    }

    /// Ends the simulation: everything that waits goes on as if there had been none, except what sleeps: its time never
    /// comes, and by the system's clocks it would see time go back.
    package func release() {
      guard !isReleased else { return }
      interposition_enter()
      defer { interposition_leave() }
      released.store(true, ordering: .sequentiallyConsistent)
      // A client that goes on with one later must have stopped it.
      for queue in queues.values {
        for _ in 0..<queue.suspensions { interposition_real.dispatch_suspend(queue.pointer) }
      }
      // First the enqueued ones in their order, then all others.
      for queue in turns.busy { giveBack(queue) }
      for queue in queues.values { giveBack(queue) }
      for (source, timer) in later.sources { timer.giveBack(source) }
      for notification in notifications {
        interposition_real.dispatch_async(notification.queue.pointer, notification.block)
        interposition_block_release(notification.block)
      }
      (notifications, later, queues) = ([], LaterWork(), [:])
      let threads = turns.release() + idle
      (idle, drive) = ([], nil)
      for thread in threads where thread !== ClientThread.owner { thread.receiveBaton() }
      reserved.giveBack()
    }

    /// Ends a simulation that is refused: its own threads end, and those that are in a client's code stay where they wait.
    package func abandon() {
      reserved.giveBack()
      guard isLeading, !isReleased else { return }
      released.store(true, ordering: .sequentiallyConsistent)
      for thread in idle + formerLeaders { thread.receiveBaton() }
      (idle, formerLeaders, drive) = ([], [], nil)
    }

    // MARK: Death

    /// Whether the calling thread does the client's work, and not that of the host's line.
    package var isClientsWork: Bool {
      guard let thread = ClientThread.owner, thread.scheduler === self else { return false }
      return thread !== leader || !thread.queues.isEmpty
    }

    /// Has the host told of what the client does to files below a folder.
    package func watchFiles(below folder: String) { watchedFolder = folder }

    /// The client has changed or synchronised a file below the watched folder; if it is killed by that, it goes no further.
    func note(_ access: FileAccess) {
      guard isClientsWork, host?.note(access) == true else { return }
      isDying = true
      _ = wait("the end of a client that was killed") { false }
    }

    /// Kills the client: none of its threads, queues and timers ever goes on; to be called by the leader, outside of the
    /// client's work.
    ///
    /// What they hold is never let go of: a process that is killed runs no `deinit`.
    package func kill() {
      guard isLeading else { return }
      for call in turns.kill(sparing: formerLeaders) + later.kill() { cancel(call) }
      main.hold()
      (queues, root, notifications, later, main, isDying) = ([:], nil, [], LaterWork(), MainStandIn(), false)
    }

    private func giveBack(_ queue: ClientQueue) {
      while let item = queue.takeFirst() { giveBack(item, of: item.giver ?? queue) }
    }

    private func giveBack(_ item: ClientQueue.Item, of queue: ClientQueue) {
      switch item.work {
      case .block(let block):
        if let group = item.group {
          interposition_real.dispatch_group_async(group, queue.pointer, block)
          interposition_real.dispatch_group_leave(group)
          DispatchObject.release(group)
        } else {
          interposition_real.dispatch_async(queue.pointer, block)
        }
        interposition_block_release(block)
      case .function(let work, let context): interposition_real.dispatch_async_f(queue.pointer, context, work)
      case .closure(let work): work()
      case .queue(let other): giveBack(other)
      // It finds out by itself, and asks the real queue.
      case .thread: break
      }
    }
  }
#endif
