#if os(Linux)
  import Foundation
  import Interposition
  import Internals
  import struct Synchronization.Atomic

  /// Runs all threads, queues and timers of one simulation's client, one thread at a time.
  ///
  /// The thread that has the baton runs until it waits or ends. Then the host's random numbers choose the next: a thread whose
  /// wait is over, or a queue whose first work may run. If there is none, the leader gets the baton, which lets time pass.
  /// The leader runs queues' work on its own stack. If that work waits, another thread becomes leader.
  // Unchecked: only the thread that has the baton touches it.
  package final class ClientScheduler: @unchecked Sendable {
    final class Wait {
      let thread: ClientThread
      let call: StaticString
      let isOver: () -> Bool
      var timer: TimerTicket?
      /// Whether only the passing of time ends the wait.
      var isSleep = false
      var outcome: Outcome?

      init(_ thread: ClientThread, _ call: StaticString, _ isOver: @escaping () -> Bool) {
        self.thread = thread
        self.call = call
        self.isOver = isOver
      }
    }

    enum Outcome {
      case over
      /// The wait's time limit passed first.
      case expired
      /// The simulation has ended: waiting threads continue in real time.
      case released
    }

    /// The most work to run in one call of ``settle()``, so that an endless loop is detected.
    static let batchSize = 4096
    /// The units of work for one resumed URL session task, which takes far more real time than a work item.
    private static let costOfTask = 100
    private var resumedTasks = 0
    /// How many work items of the client have begun; turns of polling threads do not count, or they would wake each
    /// other for ever.
    var begunWorks = 0

    /// The host; weak, because it owns its scheduler.
    private(set) weak var host: (any CaptureHost)?
    private var draws = DrawNumbers()
    private let released = Atomic(false)
    /// Whether the simulation has ended, so that its threads behave like any others.
    var isReleased: Bool { released.load(ordering: .relaxed) }

    private let running = Atomic<Int32>(0)
    /// The kernel's number of the thread that has the baton; any thread may read it.
    var runningThread: Int32 { running.load(ordering: .relaxed) }
    func runs(_ thread: Int32) { running.store(thread, ordering: .relaxed) }

    var queues: [UnsafeMutableRawPointer: ClientQueue] = [:]
    var root: ClientQueue?
    /// Every thread that was started for the client, or by it.
    var threads: [ClientThread] = []
    let turns = ClientTurns()
    /// The thread that lets time pass; `nil` while it waits and no other has taken over.
    var leader: ClientThread?
    var drive: (() -> Bool)?
    /// Former leaders; they wait for the end, and their stacks have no client code.
    private var formerLeaders: [ClientThread] = []
    var idle: [ClientThread] = []
    private(set) var main = MainStandIn()
    var later = LaterWork()
    /// The addresses of the client's tasks, of ended ones too; some belong to other jobs.
    var tasks: Set<UnsafeMutableRawPointer> = []
    var notifications: [(isDue: () -> Bool, queue: ClientQueue, block: UnsafeMutableRawPointer)] = []

    /// A span of time that passed only because threads in busy waits paused.
    var pausedTime: ClosedRange<Int64> = 0...0

    /// How often tasks have read a clock at the present time, and the number of begun work items at the last read.
    var looksOfTasks: [Int: (count: Int, works: Int)] = [:]

    /// The folder whose changes are reported; `nil` without one.
    private(set) var watchedFolder: String?
    /// Whether the client will be killed at once, so that its threads must not run.
    var isDying = false

    /// The queues of URL sessions that only this simulation may use until it ends.
    let reserved = ReservedQueues()
    /// The URL sessions that only this simulation uses.
    var ownSessions: Set<ObjectIdentifier> = []
    /// The labels of those sessions' queues.
    var ownLabels: Set<String> = []

    /// The queue that a thread of the client waits for in real time, since threads outside of the simulation use it; 0 for none.
    let awaitedQueue = Atomic<UInt>(0)
    /// The call in which the running thread may block in real time, and its place.
    let blockingCall = Mutex<(call: StaticString, place: ClientPlace)?>(nil)
    /// The queues that only this simulation uses.
    private(set) var ownQueues: Set<UnsafeMutableRawPointer> = []
    private var hasSharedObject = false

    /// Installs the process's interceptors, and creates the scheduler of the client that `host` runs.
    package init(_ host: any CaptureHost) {
      Answers.install()
      self.host = host
    }

    /// The label of a queue that the client waits for in real time, since threads outside of the simulation use it.
    package var queueOfOthers: String? {
      UnsafeMutableRawPointer(bitPattern: awaitedQueue.load(ordering: .relaxed)).map { queue in
        interposition_real.dispatch_queue_get_label(queue).map { String(cString: $0) } ?? ""
      }
    }

    /// The name and place of the call in which a client's thread is blocked in real time, if it is known.
    package var realWait: String? {
      guard let (call, place) = blockingCall.withLock({ $0 }) else { return nil }
      return "\(call)\(place.text.map { ", at \($0)" } ?? "")"
    }

    package var waitsForOtherRun: Bool { queueOfOthers.map(ReservedQueues.contains) ?? false }

    /// Waits for objects that all clients of the process share, and keeps them for this run.
    func takeSharedObject() {
      guard !hasSharedObject else { return }
      hasSharedObject = true
      host?.takeSharedObject()
    }

    /// Notes a queue that the client made; other runs may use it if it is in a static or global variable.
    func made(_ queue: UnsafeMutableRawPointer) {
      if !ClientQueue.isInner(queue), interposition_is_in_once() == 0 { ownQueues.insert(queue) }
    }

    /// The simulation's time in nanoseconds.
    var now: Int64 { host?.instant ?? 0 }

    /// The offset of the client's calendar clock, in nanoseconds.
    private var clockShift: Int64 = 0

    package func jumpClock(by nanoseconds: Int64) { clockShift += nanoseconds }

    /// The date at which the simulation began, according to the client's present calendar clock.
    var date: Int64 { ClientTime.date + clockShift }

    /// A clock's reading at the simulation's beginning, according to its present setting; `nil` for unsupported clocks.
    func beginning(of clock: clockid_t) -> Int64? {
      ClientTime.beginning(of: clock).map { $0 == ClientTime.date ? date : $0 }
    }

    func instant(_ time: timespec) -> Int64 { ClientTime.instant(time, date: date) }

    /// Converts a libdispatch time to simulation time; `nil` means never.
    func instant(ofDispatch when: UInt64) -> Int64? { ClientTime.instant(ofDispatch: when, now: now, date: date) }

    func call(at time: Int64, _ work: @escaping () -> Void) -> TimerTicket? {
      // Created and called on the simulation's threads, which run one at a time.
      nonisolated(unsafe) let work = work
      return host?.call(atInstant: time) { work() }
    }

    func cancel(_ call: TimerTicket) { host?.cancel(call) }

    /// 64 bits determined by the seed, different at each call.
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
      if host?.refuse(call, remedy: remedy) == true { stop() }
    }

    /// Stops the calling thread of a refused client.
    func stop() { _ = wait("a call that is refused") { false } }

    private static let remedy =
      "It affects the whole process and takes real time: remove it from the client, or use a network in real time."

    // MARK: The host's side

    package static var isClientThread: Bool { ClientThread.owner != nil }
    package static var hostOfThread: (any CaptureHost)? { ClientThread.owner?.scheduler.host }

    package var isCurrentThread: Bool { ClientThread.owner?.scheduler === self }

    /// Whether the calling thread is the leader, which lets time pass.
    package var isLeading: Bool { leader != nil && leader === ClientThread.owner }

    package func runAsClient<Result>(_ body: () -> Result) -> Result {
      isCurrentThread ? body() : newThread().run(body)
    }

    package func lead(_ drive: @escaping () -> Bool) {
      guard let thread = ClientThread.owner else { return }
      (leader, self.drive) = (thread, drive)
      if leads(drive) { return }
      // Another thread leads until the end, so this one only waits.
      formerLeaders.append(thread)
      _ = thread.atWork { $0.wait("the end") { false } }
    }

    /// Drives the run on the leader's thread; returns whether the run is over.
    func leads(_ drive: () -> Bool) -> Bool {
      guard drive() else { return isReleased }
      // Another thread may have abandoned the run, which leaves this one's helpers waiting.
      if host?.isRefused == true { abandon() }
      return true
    }

    /// Counts a task of the URL loading system that a client's thread resumes.
    func noteTask() {
      resumedTasks += 1
      // A busy wait for the task's end begins here.
      pausedTime = now...now
    }

    /// Runs everything that can run, and returns the amount of work; 0 if there was none.
    package func settle() -> Int {
      guard let thread = ClientThread.owner, leader === thread else { return 0 }
      interposition_enter()
      defer { interposition_leave() }
      var count = 0
      while count < Self.batchSize, let next = take() {
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

    /// Ends the simulation: waits continue in real time, but sleeps never end; otherwise the client would see time move
    /// back.
    package func release() {
      guard !isReleased else { return }
      RealTime.run(handBack)
    }

    private func handBack() {
      released.store(true, ordering: .sequentiallyConsistent)
      // A queue still suspended stays suspended in real time, too.
      for queue in queues.values {
        for _ in 0..<queue.suspensions { interposition_real.dispatch_suspend(queue.pointer) }
      }
      // Enqueued queues first, in their order; then all others.
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

    /// Ends a refused simulation: its helper threads end, and threads in client code wait for ever.
    package func abandon() {
      reserved.giveBack()
      guard isLeading, !isReleased else { return }
      released.store(true, ordering: .sequentiallyConsistent)
      for thread in idle + formerLeaders { thread.receiveBaton() }
      (idle, formerLeaders, drive) = ([], [], nil)
    }

    // MARK: Death

    /// Whether the calling thread runs the client's work, not the host's.
    package var isClientsWork: Bool {
      guard let thread = ClientThread.owner, thread.scheduler === self else { return false }
      return thread !== leader || !thread.queues.isEmpty
    }

    /// Reports the client's changes to files below a folder to the host.
    package func watchFiles(below folder: String) { watchedFolder = folder }

    /// Reports a file access below the watched folder; if the host then kills the client, its thread stops here.
    func note(_ access: FileAccess) {
      guard isClientsWork, host?.note(access) == true else { return }
      isDying = true
      _ = wait("the end of a client that was killed") { false }
    }

    /// Kills the client: its threads, queues and timers never run again; only for the leader, outside the client's work.
    ///
    /// Their memory is never released, because a killed process runs no `deinit`.
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
      // A thread notices the end by itself, and then enters the real queue.
      case .thread: break
      }
    }
  }
#endif
