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
    private final class Wait {
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
      /// The simulation has ended: whoever waits goes on as if there were none.
      case released
    }

    private enum Choice {
      case thread(ClientThread)
      case queue(ClientQueue)
    }

    /// More than this is not run in one go, so that somebody sees how long time has stood still.
    private static let helping = 4096
    /// What a task of the URL loading system that is resumed counts for: that many pieces of work take about as long.
    private static let costOfTask = 100
    private var resumedTasks = 0

    /// Weak: the host holds its scheduler.
    private(set) weak var host: (any CaptureHost)?
    private var draws: UInt64 = 0
    /// How often who goes on was chosen at an instant: what happens at one shifts no choice at another.
    private var choices: (instant: Int64, count: UInt64) = (-1, 0)
    private let released = Atomic(false)
    /// Whether the simulation has ended: its threads are any threads since.
    var isReleased: Bool { released.load(ordering: .relaxed) }

    private let running = Atomic<Int32>(0)
    /// The kernel's number of the thread that has the baton; to be asked by any thread.
    var runningThread: Int32 { running.load(ordering: .relaxed) }
    func runs(_ thread: Int32) { running.store(thread, ordering: .relaxed) }

    private var queues: [UnsafeMutableRawPointer: ClientQueue] = [:]
    private var root: ClientQueue?
    /// The queues that have work, in the order in which they got their first.
    private var busy: [ClientQueue] = []
    private var waits: [Wait] = []
    private var ready: [ClientThread] = []
    /// Every thread that was started for the client, or by it.
    private var threads: [ClientThread] = []
    private var idle: [ClientThread] = []
    /// Who was chosen to go on when a thread gave up the baton, where the leader sees to it.
    private var chosen: Choice?
    /// How often threads have handed each other the baton since the leader had it.
    private var passes = 0

    private var leader: ClientThread?
    private var drive: (() -> Bool)?
    /// Those who have led, and wait for the end with nothing of the client's beneath them.
    private var formerLeaders: [ClientThread] = []
    private var main: ClientThread?

    var sources: [UnsafeMutableRawPointer: ClientTimer] = [:]
    /// Work that is to be added later, by its number.
    private var delayed: [Int: (item: ClientQueue.Item, queue: ClientQueue, instant: Int64, call: TimerTicket?)] = [:]
    private var nextDelayed = 0
    private var notifications: [(isDue: () -> Bool, queue: ClientQueue, block: UnsafeMutableRawPointer)] = []
    var timerDescriptors: [Int32: TimerTicket] = [:]
    /// Whether something was added to the main thread's run loop, which does not run while it has nothing.
    private var isMainLoopWanted = false
    private var mainLoop: RunLoop?
    /// Stands for the main operation queue: that one is the process's, and what one simulation adds another would run.
    var mainOperations: OperationQueue {
      if let operations { return operations }
      let queue = OperationQueue()
      queue.name = "NSOperationQueue Main Queue"
      queue.maxConcurrentOperationCount = 1
      queue.underlyingQueue = .main
      operations = queue
      return queue
    }
    private var operations: OperationQueue?

    /// The folder whose changes are noted; `nil` where there is none.
    private(set) var watchedFolder: String?
    /// Whether the client is about to be killed: until then nobody goes on.
    private var isDying = false

    /// The queue whose work nobody else does until the end.
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
      draws += 1
      return host?.drawn(draws) ?? draws
    }

    private func choice(below count: Int) -> Int {
      let instant = now
      choices = (instant, choices.instant == instant ? choices.count + 1 : 0)
      return host?.choice(at: instant, choices.count, below: count) ?? 0
    }

    /// Has the run end with an error: the client does what cannot be simulated, and goes no further.
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
        waits.prefix(8).compactMap { wait in
          wait.thread.place(askedBy: leader)?.text.map { "\(wait.call), at \($0)" }
        }
      }
    }

    /// Where the task goes on that is run next, if it is one.
    package var placeOfNext: ClientPlace? {
      for queue in busy {
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
      self.drive = drive
      leader = thread
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
        (count, passes) = (count + passes, 0)
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
      // Those in line in their order; then those that nobody would have run.
      for queue in busy { giveBack(queue) }
      for queue in queues.values { giveBack(queue) }
      for (source, timer) in sources { timer.giveBack(source) }
      for notification in notifications {
        interposition_real.dispatch_async(notification.queue.pointer, notification.block)
        interposition_block_release(notification.block)
      }
      (busy, notifications, sources, delayed) = ([], [], [:], [:])
      // A thread of the process's own may have been started by a client: one that others may wake goes on.
      for wait in waits where !wait.isSleep || wait.outcome != nil {
        wait.outcome = .released
        wait.thread.receiveBaton()
      }
      if case .thread(let thread) = chosen { ready.append(thread) }
      for thread in ready + idle where thread !== ClientThread.owner { thread.receiveBaton() }
      (waits, ready, idle, chosen) = ([], [], [], nil)
      drive = nil
      queues = [:]
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

    /// Has the host told of each change of a file below a folder that the client makes.
    package func watchFiles(below folder: String) { watchedFolder = folder }

    /// A file below the watched folder has changed; a client that is killed by that goes no further.
    func noteFileChange() {
      guard isClientsWork, host?.noteFileChange() == true else { return }
      isDying = true
      _ = wait("the end of a client that was killed") { false }
    }

    /// Kills the client: none of its threads, queues and timers ever goes on; to be called by the leader, outside of the
    /// client's work.
    ///
    /// What they hold is never let go of: a process that is killed runs no `deinit`.
    package func kill() {
      guard isLeading else { return }
      for wait in waits { if let timer = wait.timer { cancel(timer) } }
      for later in delayed.values { if let call = later.call { cancel(call) } }
      for timer in sources.values { timer.die() }
      for call in timerDescriptors.values { cancel(call) }
      waits.removeAll { wait in !formerLeaders.contains { $0 === wait.thread } }
      for object in [operations, mainLoop] as [NSObject?] { _ = object.map { Unmanaged.passRetained($0) } }
      (queues, root, busy, chosen, notifications) = ([:], nil, [], nil, [])
      (ready, sources, delayed, timerDescriptors) = ([], [:], [:], [:])
      (main, mainLoop, operations, isMainLoopWanted, isDying) = (nil, nil, nil, false, false)
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

    // MARK: Waiting

    /// Has the calling thread wait until something holds, or until a time.
    ///
    /// Any thread that runs meanwhile may bring it about; it is checked whenever a thread waits or ends.
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
      waits.append(wait)
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
      ready.append(thread)
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

    /// Hands the baton to whoever is next.
    private func pass() {
      chosen = take()
      if case .thread(let thread) = chosen, passes < Self.helping {
        (chosen, passes) = (nil, passes + 1)
        return thread.receiveBaton()
      }
      if let leader { return leader.receiveBaton() }
      let leader = idle.popLast() ?? startWorker()
      self.leader = leader
      leader.receiveBaton()
    }

    /// Takes the thread or the queue that runs next; `nil` where none can run.
    private func take() -> Choice? {
      if isDying || host?.isRefused == true { return nil }
      if let chosen {
        self.chosen = nil
        return chosen
      }
      if !notifications.isEmpty { notify() }
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
      busy.removeAll { queue in
        if !queue.hasWork { queue.isInLine = false }
        return !queue.isInLine
      }
      let runnable = busy.compactMap { $0.isMain ? nil : $0.next() }
      let count = ready.count + runnable.count
      guard count > 0 else { return nil }
      let number = count == 1 ? 0 : choice(below: count)
      return number < ready.count ? .thread(ready.remove(at: number)) : .queue(runnable[number - ready.count])
    }

    // MARK: Threads

    /// A thread that leads when it is asked to, and then waits for the next time.
    private func startWorker() -> ClientThread {
      begin(newThread()) { [unowned self] thread in
        interposition_enter()
        while !isReleased {
          if leader === thread, let drive { ClientThread.forClient { _ = drive() } }
          if isReleased { break }
          idle.append(thread)
          pass()
          thread.awaitBaton()
        }
        interposition_leave()
      }
    }

    /// Starts a thread of the system's that runs `body` once it gets the baton.
    @discardableResult
    private func begin(_ thread: ClientThread, _ body: @escaping (ClientThread) -> Void) -> ClientThread {
      // It holds the scheduler: whatever becomes of the simulation, its threads have theirs.
      ClientThread.start { [self] in
        thread.awaitBaton()
        thread.run { body(thread) }
        withExtendedLifetime(self) {}
      }
      return thread
    }

    /// A thread of the client's; it outlives all use, for a thread of the system's knows it by its address.
    func newThread(isMain: Bool = false) -> ClientThread {
      let thread = ClientThread(self, isMain: isMain)
      threads.append(thread)
      return thread
    }

    /// Has a thread go on in its turn.
    func makeReady(_ thread: ClientThread) { ready.append(thread) }

    /// The client's thread that has a name of the system's.
    func thread(of handle: pthread_t) -> ClientThread? { threads.last { $0.handle == handle } }

    /// A thread of the client's is over.
    func end(_ thread: ClientThread) {
      thread.hasEnded = true
      if !isReleased { pass() }
    }

    /// Whether the kernel's thread of this number is one of the client's.
    func hasThread(_ number: Int32) -> Bool { number != 0 && threads.contains { $0.number == number } }

    // MARK: The main thread

    /// The queue that stands for the main thread's.
    private func startMain() {
      let thread = newThread(isMain: true)
      main = thread
      waits.append(
        Wait(thread, "the main thread") { [unowned self] in hasMainWork || isMainLoopWanted })
      begin(thread) { [unowned self] thread in
        mainLoop = RunLoop.current
        interposition_enter()
        while !isReleased {
          isMainLoopWanted = false
          runMainQueue()
          ClientThread.forClient { MainLoop.run() }
          if isReleased { break }
          _ = wait("the main thread") { [unowned self] in hasMainWork || isMainLoopWanted }
        }
        interposition_leave()
      }
    }

    var hasMainWork: Bool { nextOnMain != nil }

    private var nextOnMain: ClientQueue? { QueueShape.main.flatMap { queues[$0] }?.next() }

    /// Runs the work of the main queue and of those that target it; to be called on the main thread alone.
    func runMainQueue() {
      while !isReleased, let queue = nextOnMain {
        run(queue)
        if hasMainWork { giveWay() }
      }
    }

    /// The run loop of the thread that stands for the main thread; it runs from here on, for somebody adds to it.
    func findMainLoop() -> RunLoop? {
      if main == nil { startMain() }
      if mainLoop == nil {
        isMainLoopWanted = true
        if wait("RunLoop.main", { [self] in mainLoop != nil }) == .released { return nil }
      }
      isMainLoopWanted = true
      return mainLoop
    }

    // MARK: Queues

    func queue(_ pointer: UnsafeMutableRawPointer) -> ClientQueue {
      if let queue = queues[pointer] { return queue }
      let target = pointer == QueueShape.main ? nil : QueueShape.known.target(of: pointer)
      var queue = ClientQueue(pointer, target: target.map { self.queue($0) })
      // All that run anything at any time are one: priorities, by which there are several, change with who waits for whom
      // outside of the simulation.
      if queue.isRoot {
        queue = root ?? queue
        root = queue
      }
      queues[pointer] = queue
      return queue
    }

    func add(_ item: ClientQueue.Item, to pointer: UnsafeMutableRawPointer) {
      add(item, to: queue(pointer))
    }

    /// Adds a piece of work at a time, given as libdispatch encodes it.
    func add(_ item: ClientQueue.Item, to pointer: UnsafeMutableRawPointer, at when: UInt64) {
      let queue = queue(pointer)
      guard let instant = instant(ofDispatch: when) else { return }
      if instant <= now { return add(item, to: queue) }
      let number = nextDelayed
      nextDelayed += 1
      let call = call(at: instant) { [self] in
        if let later = delayed.removeValue(forKey: number) { add(later.item, to: later.queue) }
      }
      delayed[number] = (item, queue, instant, call)
    }

    func add(_ item: ClientQueue.Item, to queue: ClientQueue) {
      if let line = queue.line, queue.passesOn(item) {
        var item = item
        item.giver = item.giver ?? queue
        return add(item, to: line)
      }
      queue.add(item)
      line(up: queue)
    }

    /// Has a queue that got something to do stand in line.
    func line(up queue: ClientQueue) {
      guard queue.wantsTurn else { return }
      queue.isInLine = true
      if let line = queue.line { return add(ClientQueue.Item(work: .queue(queue)), to: line) }
      busy.append(queue)
      if queue.isMain, main == nil { startMain() }
    }

    /// Gives up a place in a queue, and in those that it leads to.
    private func end(_ queue: ClientQueue, isBarrier: Bool) {
      queue.leave(isBarrier: isBarrier)
      line(up: queue)
      if let target = queue.target { end(target, isBarrier: false) }
    }

    /// Runs the first piece of work of a queue.
    private func run(_ queue: ClientQueue) {
      guard let item = queue.takeFirst() else { return }
      let queue = item.giver ?? queue
      queue.begin(isBarrier: item.isBarrier)
      if case .thread(let turn) = item.work {
        turn.hasCome = true
        return
      }
      queue.within(isBarrier: item.isBarrier) {
        switch item.work {
        case .block(let block): interposition_block_call(block)
        case .function(let work, let context): work(context)
        case .closure(let work): work()
        case .thread, .queue: break
        }
      }
      end(queue, isBarrier: item.isBarrier)
      // The release of a block may deinitialize the objects that it captured: their code runs as the client's.
      if case .block(let block) = item.work { ClientThread.forClient { interposition_block_release(block) } }
      if let group = item.group {
        interposition_real.dispatch_group_leave(group)
        DispatchObject.release(group)
      }
    }

    /// Runs `body` on the calling thread in its turn in a queue.
    ///
    /// - Returns: whether it ran; otherwise the simulation has ended before.
    func sync(_ pointer: UnsafeMutableRawPointer, isBarrier: Bool, _ body: () -> Void) -> Bool {
      let queue = queue(pointer)
      if QueueShape.main.map(queue.leads) == true {
        return withoutActuallyEscaping(body) { body in
          var isDone = false
          add(
            ClientQueue.Item(
              work: .closure {
                body(); isDone = true
              }), to: queue)
          return wait("DispatchQueue.main.sync") { isDone } != .released || isDone
        }
      }
      var next: ClientQueue? = queue
      while let level = next, !level.isRoot {
        let isBarrier = isBarrier && level === queue
        next = level.target
        if level === queue ? level.isFree(forBarrier: isBarrier) : level.isFreeFromBelow {
          level.enter(isBarrier: isBarrier)
        } else {
          // Its turn here is one in all that this leads to.
          next = nil
          let turn = ClientQueue.Turn()
          add(ClientQueue.Item(work: .thread(turn), isBarrier: isBarrier), to: level)
          if wait("DispatchQueue.sync", { turn.hasCome }) == .released, !turn.hasCome { return false }
        }
      }
      queue.within(isBarrier: isBarrier, body)
      end(queue, isBarrier: isBarrier)
      return true
    }

    // MARK: Notifications

    /// Has a block run in a queue as soon as something holds.
    func notify(_ queue: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer, when isDue: @escaping () -> Bool) {
      if let block = interposition_block_copy(block) { notifications.append((isDue, self.queue(queue), block)) }
    }

    private func notify() {
      notifications.removeAll { notification in
        guard notification.isDue() else { return false }
        add(ClientQueue.Item(work: .block(notification.block)), to: notification.queue)
        return true
      }
    }
  }
#endif
