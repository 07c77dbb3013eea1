import Dispatch
import NetworkConditions
import Testing
import URLLoading

/// Clients that come to a simulation from threads that it does not drive: a run is exact, or it ends at once.
@Suite struct ForeignThreadTests {
  private static let feed = url("https://api.example.com/feed")

  /// The calls by which a client comes from elsewhere.
  enum Stranger: CaseIterable {
    case resumesOnQueue, spawnsTask, spawnsTaskForOwnCall, sleepsOnRealClock, sleepsForNoTime, sleepsInSpawnedTask
    case delaysOnQueue

    func come(to network: SimulatedNetwork) async throws {
      switch self {
      case .resumesOnQueue:
        await withCheckedContinuation { end in
          DispatchQueue.global().async { network.session.dataTask(with: feed) { _, _, _ in end.resume() }.resume() }
        }
      case .spawnsTask: _ = try await Task { try await network.session.data(from: feed) }.value
      case .spawnsTaskForOwnCall: _ = try await Task { try await network.data(for: URLRequest(url: feed)) }.value
      case .sleepsOnRealClock: try await Task.sleep(for: .milliseconds(300))
      case .sleepsForNoTime: try await Task.sleep(nanoseconds: 1)
      case .sleepsInSpawnedTask: try await Task { try await network.clock.sleep(for: .seconds(1)) }.value
      case .delaysOnQueue:
        await withCheckedContinuation { end in
          DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(300)) { end.resume() }
        }
      }
    }
  }

  #if canImport(FoundationNetworking)
    private static let refused = Stranger.allCases
  #else
    /// A session there asks for its requests on threads of its own: who resumed them is not seen.
    private static let refused = Stranger.allCases.filter {
      ![.resumesOnQueue, .spawnsTask, .sleepsForNoTime].contains($0)
    }
  #endif

  @Test(arguments: refused)
  func `who comes from a thread of its own ends the run, and is told what captures it`(_ stranger: Stranger)
    async throws
  {
    let error = await #expect(throws: SimulationError.self) {
      try await Simulation("3G", seed: 1) { network in
        network.stub("/feed", with: .text("x"))
        try await stranger.come(to: network)
      }
    }
    guard case .notCaptured(_, _, let remedy) = error else {
      Issue.record("it threw \(String(describing: error))")
      return
    }
    #expect(remedy.contains(remedyForRefused))
  }

  #if os(Linux)
    /// The calls by which a client goes by real time on a thread that the simulation drives.
    enum RealTime: String, CaseIterable {
      case date, dateNow, dateFromNow, secondsFromNow, continuousClock, suspendingClock, anyClock
      case uptime, systemClock, timeOfDay, time, dispatchTime, laterTime, laterWallTime
      case semaphore, group, workItem, systemSemaphore, condition, lock, poll, select
      case threadSleep, sleepUntil, microseconds
      case after, afterWall, afterItem, timerSource, scheduledTimer, timer, thread, detachedThread
      case task, detachedTask, mainTask
      case async, asyncBarrier, asyncItem, asyncInGroup, notify, notifyItem, itemNotify, itemNotifyItem
      case operation, blockOperation, operations, barrierBlock
      case signalSource, readSource, writeSource, addSource, orSource, replaceSource
      case read, write, readFile, writeFile, readability, runLoop, runLoopInModes

      func call() {
        switch self {
        case .date: _ = Date()
        case .dateNow: _ = Date.now
        case .dateFromNow: _ = Date(timeIntervalSinceNow: 60)
        case .secondsFromNow: _ = Date.distantPast.timeIntervalSinceNow
        case .continuousClock: _ = ContinuousClock.now
        case .suspendingClock: _ = SuspendingClock().now
        case .anyClock:
          let clock: any Clock<Duration> = ContinuousClock()
          func read(_ clock: some Clock<Duration>) { _ = clock.now }
          read(clock)
        case .uptime: _ = ProcessInfo.processInfo.systemUptime
        case .systemClock:
          var time = timespec()
          clock_gettime(CLOCK_MONOTONIC, &time)
        case .timeOfDay:
          var time = timeval()
          gettimeofday(&time, nil)
        case .time: _ = Glibc.time(nil)
        case .dispatchTime: _ = DispatchTime.now().uptimeNanoseconds
        case .laterTime: _ = DispatchTime.now() > .distantFuture
        case .laterWallTime: _ = DispatchWallTime.now() > .distantFuture
        case .semaphore: _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.01)
        case .group:
          let group = DispatchGroup()
          group.enter()
          _ = group.wait(timeout: .now() + 0.01)
          group.leave()
        case .workItem: _ = DispatchWorkItem {}.wait(timeout: .now() + 0.01)
        case .systemSemaphore:
          var semaphore = sem_t()
          sem_init(&semaphore, 0, 0)
          var time = timespec(tv_sec: 1, tv_nsec: 0)
          sem_timedwait(&semaphore, &time)
        case .condition:
          let condition = NSCondition()
          condition.lock()
          _ = condition.wait(until: RealTimeWatch.outside { Date(timeIntervalSinceNow: 0.01) })
          condition.unlock()
        case .lock:
          let lock = NSLock()
          lock.lock()
          _ = lock.lock(before: RealTimeWatch.outside { Date(timeIntervalSinceNow: 0.01) })
        case .poll: _ = Glibc.poll(nil, 0, 1)
        case .select:
          var time = timeval(tv_sec: 0, tv_usec: 1)
          _ = Glibc.select(0, nil, nil, nil, &time)
        case .threadSleep: Thread.sleep(forTimeInterval: 3_600)
        case .sleepUntil: Thread.sleep(until: .distantFuture)
        case .microseconds: usleep(1_000_000_000)
        // What comes when the run may be over: the run would not have waited for it.
        case .after: DispatchQueue.global().asyncAfter(deadline: .now() + 60) {}
        case .afterWall: DispatchQueue.global().asyncAfter(wallDeadline: .now() + 60) {}
        case .afterItem: DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: DispatchWorkItem {})
        case .timerSource: DispatchSource.makeTimerSource().activate()
        case .scheduledTimer: _ = Timer.scheduledTimer(withTimeInterval: 60, repeats: false) { _ in }
        case .timer: _ = Timer(timeInterval: 60, repeats: false) { _ in }
        case .thread: Thread {}.start()
        case .detachedThread: Thread.detachNewThread {}
        case .task: Task {}
        case .detachedTask: Task.detached {}
        case .mainTask: Task { @MainActor in }
        case .async: DispatchQueue.global().async {}
        case .asyncBarrier: DispatchQueue.global().async(group: nil, qos: .utility, flags: .barrier) {}
        case .asyncItem: DispatchQueue.main.async(execute: DispatchWorkItem {})
        case .asyncInGroup: DispatchQueue.global().async(group: DispatchGroup(), execute: DispatchWorkItem {})
        case .notify: DispatchGroup().notify(queue: .global()) {}
        case .notifyItem: DispatchGroup().notify(queue: .global(), work: DispatchWorkItem {})
        case .itemNotify: DispatchWorkItem {}.notify(queue: .global()) {}
        case .itemNotifyItem: DispatchWorkItem {}.notify(queue: .global(), execute: DispatchWorkItem {})
        case .operation: OperationQueue().addOperation(BlockOperation {})
        case .blockOperation: OperationQueue().addOperation {}
        case .operations: OperationQueue().addOperations([BlockOperation {}], waitUntilFinished: false)
        case .barrierBlock: OperationQueue().addBarrierBlock {}
        case .signalSource: DispatchSource.makeSignalSource(signal: SIGUSR1).activate()
        case .readSource:
          DispatchSource.makeReadSource(fileDescriptor: pipe.fileHandleForReading.fileDescriptor).activate()
        case .writeSource:
          DispatchSource.makeWriteSource(fileDescriptor: pipe.fileHandleForWriting.fileDescriptor).activate()
        case .addSource: DispatchSource.makeUserDataAddSource().activate()
        case .orSource: DispatchSource.makeUserDataOrSource().activate()
        case .replaceSource: DispatchSource.makeUserDataReplaceSource().activate()
        case .read: channel.read(offset: 0, length: 1, queue: .global()) { _, _, _ in }
        case .write: channel.write(offset: 0, data: .empty, queue: .global()) { _, _, _ in }
        case .readFile: DispatchIO.read(fromFileDescriptor: 0, maxLength: 0, runningHandlerOn: .global()) { _, _ in }
        case .writeFile: DispatchIO.write(toFileDescriptor: 1, data: .empty, runningHandlerOn: .global()) { _, _ in }
        case .readability: Pipe().fileHandleForReading.readabilityHandler = { _ in }
        case .runLoop: RunLoop.main.perform {}
        case .runLoopInModes: RunLoop.main.perform(inModes: [.default]) {}
        }
      }
    }

    /// A pipe that stays open, since who watches it may do so for a while.
    private static let pipe = Pipe()
    private static let channel = DispatchIO(
      type: .stream, fileDescriptor: pipe.fileHandleForReading.fileDescriptor, queue: .global()
    ) { _ in }

    @Test(arguments: RealTime.allCases)
    func `who asks what time it is, or has a thread wait, ends the run, and is told where`(_ time: RealTime)
      async throws
    {
      let error = await #expect(throws: SimulationError.self) {
        try await Simulation("3G", seed: 1) { _ in time.call() }
      }
      let text = try #require(error).description
      #expect(text.contains("goes by real time, at ") && text.contains("ForeignThreadTests.swift:"), "\(text)")
    }

    @Test(arguments: [RealTime.date, .continuousClock, .anyClock, .systemClock, .threadSleep])
    func `so does a completion handler that goes by real time`(_ time: RealTime) async throws {
      let error = await #expect(throws: SimulationError.self) {
        try await Simulation("3G", seed: 1) { network in
          network.stub("/feed", with: .text("x"))
          await withCheckedContinuation { (end: CheckedContinuation<Void, Never>) in
            let task = network.session.dataTask(with: Self.feed) { _, _, _ in
              time.call()
              end.resume()
            }
            task.resume()
          }
        }
      }
      #expect(try #require(error).description.contains("goes by real time"))
    }

    /// The ways in which a client waits for its completion handler, and blocks the very thread on which that is called.
    enum Blocking: String, CaseIterable {
      case semaphore, group, workItem, condition, systemSemaphore

      func load(_ load: (@escaping @Sendable () -> Void) -> Void) {
        switch self {
        case .semaphore:
          let semaphore = DispatchSemaphore(value: 0)
          load { semaphore.signal() }
          semaphore.wait()
        case .group:
          let group = DispatchGroup()
          group.enter()
          load { group.leave() }
          group.wait()
        case .workItem:
          nonisolated(unsafe) let item = DispatchWorkItem {}
          load { item.perform() }
          item.wait()
        case .condition:
          let condition = NSCondition()
          condition.lock()
          load { condition.withLock { condition.signal() } }
          condition.wait()
          condition.unlock()
        case .systemSemaphore:
          // Never freed: who is refused stays in it.
          nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
          sem_init(semaphore, 0, 0)
          load { sem_post(semaphore) }
          sem_wait(semaphore)
        }
      }
    }

    @Test(arguments: Blocking.allCases)
    func `who blocks the thread on which his request is answered is told where`(
      _ way: Blocking
    ) async throws {
      let error = await #expect(throws: SimulationError.self) {
        try await Simulation("3G", seed: 1) { network in
          network.stub("/feed", with: .text("x"))
          way.load { isOver in network.session.dataTask(with: Self.feed) { _, _, _ in isOver() }.resume() }
        }
      }
      let text = try #require(error).description
      #expect(text.contains("blocks the thread") && text.contains("ForeignThreadTests.swift:"), "\(text)")
    }

    @Test func `who blocks a thread for work that the network has no part in takes no time`() async throws {
      let run = try await Simulation("3G", seed: 1) { network in
        network.stub("/feed", with: .text("x"))
        async let load = network.session.data(from: Self.feed).0.count
        for _ in 0..<100 {
          let semaphore = DispatchSemaphore(value: 0)
          RealTimeWatch.outside { DispatchQueue.global().async { semaphore.signal() } }
          semaphore.wait()
        }
        return try await load
      }
      #expect(run.value == 1)
    }

    @Test func `the place in the client's code is named`() async throws {
      let error = await #expect(throws: SimulationError.self) {
        try await Simulation("3G", seed: 1) { network in try await Stranger.resumesOnQueue.come(to: network) }
      }
      let text = try #require(error).description
      #expect(text.contains("DispatchQueue.async") && text.contains("ForeignThreadTests.swift:"), "\(text)")
    }

    @Test func `a task that comes back from the main actor is told where it goes on`() async throws {
      let error = await #expect(throws: SimulationError.self) {
        try await Simulation("3G", seed: 1) { _ in await Self.goToMainActor() }
      }
      let text = try #require(error).description
      #expect(text.contains("A task went on from a thread") && text.contains("ForeignThreadTests.swift:"), "\(text)")
    }

    private static func goToMainActor() async { await MainActor.run {} }

    /// The ways in which somebody who is no part of a simulation stops what its client has under way.
    enum Stop: String, CaseIterable {
      case cancel, cancelDownload, suspend, invalidate

      func stop(_ task: URLSessionTask, in session: URLSession) {
        switch self {
        case .cancel: task.cancel()
        case .cancelDownload: (task as? URLSessionDownloadTask)?.cancel { _ in }
        case .suspend: task.suspend()
        case .invalidate: session.invalidateAndCancel()
        }
      }
    }

    @Test(arguments: Stop.allCases)
    func `who stops a request from elsewhere ends the run, and is told where`(_ way: Stop) async throws {
      let error = await #expect(throws: SimulationError.self) {
        try await Simulation("3G", seed: 1) { network in
          network.stub("/feed", with: .text("x").after(.seconds(1)))
          await withCheckedContinuation { (end: CheckedContinuation<Void, Never>) in
            let session = network.session
            let task = session.downloadTask(with: Self.feed) { _, _, _ in end.resume() }
            task.resume()
            RealTimeWatch.outside {
              let isDone = DispatchSemaphore(value: 0)
              Thread {
                way.stop(task, in: session)
                isDone.signal()
              }.start()
              isDone.wait()
            }
          }
        }
      }
      let text = try #require(error).description
      #expect(text.contains("from a thread") && text.contains("ForeignThreadTests.swift:"), "\(text)")
    }

    @Test func `a semaphore that need not be waited for takes no time, and a look at a file none`() async throws {
      let run = try await Simulation("3G", seed: 1) { _ in
        let semaphore = DispatchSemaphore(value: 0)
        semaphore.signal()
        _ = poll(nil, 0, 0)
        return semaphore.wait(timeout: .now() + 60)
      }
      #expect(run.value == .success)
    }
  #endif

  @Test func `a chain of completion handlers takes one course`() async throws {
    var courses: Set<String> = []
    for _ in 0..<50 {
      let run = try await Simulation("tunnel", seed: 1) { network in
        network.stub("/feed", with: .bytes(count: 2_000))
        await withCheckedContinuation { (end: CheckedContinuation<Void, Never>) in
          @Sendable func load(_ left: Int) {
            guard left > 0 else { return end.resume() }
            network.session.dataTask(with: Self.feed) { _, _, _ in load(left - 1) }.resume()
          }
          load(12)
        }
      }
      courses.insert("\(run.elapsed) \(run.traceHash)")
    }
    #expect(courses.count == 1)
  }
}
