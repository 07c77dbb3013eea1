import Internals
import NetworkConditions
import Testing
import URLLoading

#if os(Linux)
  import Glibc
  import Synchronization
  import SystemShapes

  /// C library calls of a captured client take virtual time, or end the run and are named in the error.
  @Suite(.enabled(if: CaptureMode.obstacle == nil)) struct AnswersTests {
    /// The ways in which a thread waits for another one, which arrives after 400 ms.
    enum Wait: CaseIterable {
      case readLock, writeLock, timedReadLock, timedWriteLock, timedMutex, timedSemaphore
      case pipe, vector, socket, datagram, message, connection

      /// Returns whether a call receives one byte.
      private static func receive(_ call: (UnsafeMutablePointer<iovec>) -> Int) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
          var vector = iovec(iov_base: byte.baseAddress, iov_len: 1)
          return call(&vector) == 1
        }
      }

      /// Waits; returns whether the wait succeeded.
      func wait() -> Bool {
        // Never freed: no owner knows when the lock is unused.
        let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        pthread_rwlock_init(lock, nil)
        pthread_mutex_init(mutex, nil)
        sem_init(semaphore, 0, 0)
        nonisolated(unsafe) let (other, otherMutex, otherSemaphore) = (lock, mutex, semaphore)
        let pipe = Pipe()
        var ends: [Int32] = [0, 0]
        socketpair(AF_UNIX, Int32(self == .datagram ? SOCK_DGRAM.rawValue : SOCK_STREAM.rawValue), 0, &ends)
        // The kernel chooses the name of a socket that is bound to none.
        let listener = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var (address, size) = (sockaddr_un(), socklen_t(MemoryLayout<sa_family_t>.size))
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address) { address in
          let address = address.baseAddress?.assumingMemoryBound(to: sockaddr.self)
          bind(listener, address, size)
          size = socklen_t(MemoryLayout<sockaddr_un>.size)
          getsockname(listener, address, &size)
        }
        listen(listener, 1)
        defer { for end in ends + [listener] { close(end) } }
        let (sender, name, length) = (ends[1], address, size)
        Thread {
          pthread_rwlock_wrlock(other)
          pthread_mutex_lock(otherMutex)
          Thread.sleep(forTimeInterval: 0.4)
          pipe.fileHandleForWriting.write(Data([1]))
          send(sender, "x", 1, 0)
          let caller = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
          withUnsafeBytes(of: name) { name in
            _ = connect(caller, name.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
          }
          close(caller)
          sem_post(otherSemaphore)
          pthread_mutex_unlock(otherMutex)
          pthread_rwlock_unlock(other)
        }.start()
        Thread.sleep(forTimeInterval: 0.1)
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += 2
        return switch self {
        case .readLock: pthread_rwlock_rdlock(lock) == 0
        case .writeLock: pthread_rwlock_wrlock(lock) == 0
        case .timedReadLock: pthread_rwlock_timedrdlock(lock, &end) == 0
        case .timedWriteLock: pthread_rwlock_timedwrlock(lock, &end) == 0
        case .timedMutex: pthread_mutex_timedlock(mutex, &end) == 0
        case .timedSemaphore: sem_timedwait(semaphore, &end) == 0
        case .pipe: pipe.fileHandleForReading.availableData.count == 1
        case .vector: Self.receive { readv(ends[0], $0, 1) }
        case .socket: Self.receive { recv(ends[0], $0.pointee.iov_base, 1, 0) }
        case .datagram: Self.receive { recvfrom(ends[0], $0.pointee.iov_base, 1, 0, nil, nil) }
        case .message:
          Self.receive { vector in
            var message = msghdr()
            (message.msg_iov, message.msg_iovlen) = (vector, 1)
            return recvmsg(ends[0], &message, 0)
          }
        case .connection: close(accept(listener, nil, nil)) == 0
        }
      }
    }

    @Test func `a time base that the C library does not know is refused, also in virtual time`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        var time = timespec()
        return [timespec_get(&time, 99), timespec_get(&time, TIME_UTC)]
      }
      #expect(run.value == [0, TIME_UTC])
    }

    @Test(arguments: Wait.allCases)
    func `a thread that waits for another thread resumes when that thread arrives`(_ wait: Wait)
      async throws
    {
      let run = try await Simulation("unlimited", seed: 1) { _ in wait.wait() }
      #expect(run.value && run.elapsed == .milliseconds(400))
    }

    private final class Count: Sendable {
      let value = Synchronization.Mutex(0)
    }

    @Test func `three threads that sleep while they hold a Mutex take turns`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        let (count, done) = (Count(), DispatchSemaphore(value: 0))
        for _ in 0..<3 {
          Thread {
            count.value.withLock {
              $0 += 1
              usleep(500_000)
            }
            done.signal()
          }.start()
        }
        for _ in 0..<3 { done.wait() }
        return count.value.withLock { $0 }
      }
      #expect(run.value == 3 && run.elapsed == .milliseconds(1_500))
    }

    @Test func `a thread sleeps for its time to within a nanosecond, whatever Foundation rounds`() async throws {
      let (times, clock) = ((1...60).map { Double($0) * 0.0371 }, ContinuousClock())
      let waits = try await Simulation("unlimited", seed: 1) { _ in
        times.map { time in clock.measure { Thread.sleep(forTimeInterval: time) } }
      }.value
      for (time, wait) in zip(times, waits) { #expect(abs(wait / .seconds(time) - 1) < 1e-7, "\(time): \(wait)") }
    }

    @Test(arguments: [(1_000, 0, 400), (100, ETIMEDOUT, 100)])
    func `a thread is joined when it ends, or the join times out in virtual time`(
      limit: Int32, result: Int32, end: Int
    ) async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in shape_timed_join(400, limit) }
      #expect(run.value == result && run.elapsed == .milliseconds(end))
    }

    @Test func `waiting for a signal or making a C timer ends the run with an error that names the call`() async throws
    {
      let calls: [(String, @Sendable () -> Void)] = [
        ("sigtimedwait()", Self.awaitSignal), ("timer_create()", Self.makeTimer), ("pause()", { pause() }),
        ("alarm()", { alarm(60) }), ("sigsuspend()", { sigsuspend([sigset_t()]) }),
      ]
      for (name, call) in calls {
        let error = await #expect(throws: SimulationError.self) {
          try await Simulation("unlimited", seed: 1) { _ in call() }
        }
        #expect(error?.description.contains(name) == true)
      }
    }

    private static let awaitSignal: @Sendable () -> Void = {
      var (signals, time) = (sigset_t(), timespec(tv_sec: 1, tv_nsec: 0))
      sigtimedwait(&signals, nil, &time)
    }

    private static let makeTimer: @Sendable () -> Void = {
      var (timer, event): (timer_t?, sigevent) = (nil, sigevent())
      event.sigev_notify = Int32(SIGEV_NONE)
      timer_create(CLOCK_REALTIME, &event, &timer)
    }

    /// The ways in which C code waits for 400 ms.
    private static let systemWaits: [(name: String, wait: @Sendable (Int32) -> Int32)] = [
      ("thrd_sleep", shape_thrd_sleep), ("pselect", shape_pselect), ("epoll_pwait", shape_epoll_pwait),
      ("syscall", shape_syscall_nanosleep), ("a thread of C11's", shape_c11_thread),
    ]

    @Test(arguments: systemWaits.indices) func `a wait in C code takes virtual time`(_ index: Int) async throws {
      let (name, wait) = Self.systemWaits[index]
      let run = try await Simulation("unlimited", seed: 1) { _ in
        let start = shape_syscall_uptime()
        return (result: wait(400), took: shape_syscall_uptime() - start)
      }
      #expect(run.value == (0, 400_000_000) && run.elapsed == .milliseconds(400), "\(name): \(run.value)")
    }

    @Test func `a repeating timerfd is due at each interval, and must be read in time`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in shape_timerfd(500, 3, 100) }
      #expect(run.value == 3 && run.elapsed == .milliseconds(1_600))
      let error = await #expect(throws: SimulationError.self) {
        try await Simulation("unlimited", seed: 1) { _ in shape_timerfd(500, 2, 1_100) }
      }
      #expect(try #require(error).description.hasPrefix("A timer of timerfd_create() that was due twice"))
    }

    @Test func `the socket option SO_RCVTIMEO ends the run with an error that names the option`() async throws {
      let error = await #expect(throws: SimulationError.self) {
        try await Simulation("unlimited", seed: 1) { _ in shape_socket_timeout() }
      }
      #expect(try #require(error).description.contains("SO_RCVTIMEO"))
    }

    @Test func `an endless loop of yielding tasks ends the run`() async throws {
      let error = await #expect(throws: SimulationError.self) {
        try await Simulation("unlimited", seed: 1) { _ in while true { await Task.yield() } }
      }
      switch error {
      // On a very busy machine, the network's patience ends first.
      case .endlessLoop, .stuck: break
      default: Issue.record("\(String(describing: error))")
      }
    }

    @Test func `a timed read lock that is never free returns ETIMEDOUT in virtual time`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        pthread_rwlock_init(lock, nil)
        pthread_rwlock_wrlock(lock)
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += 2
        return pthread_rwlock_timedrdlock(lock, &end)
      }
      #expect(run.value == ETIMEDOUT && run.elapsed == .seconds(2))
    }

    @Test func `a timed mutex lock that is never free returns ETIMEDOUT in virtual time`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in Self.lockHeldMutex() }
      #expect(run.value == ETIMEDOUT && run.elapsed == .seconds(3))
    }

    private static func lockHeldMutex() -> Int32 {
      nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      pthread_mutex_init(mutex, nil)
      Thread {
        pthread_mutex_lock(mutex)
        Thread.sleep(forTimeInterval: 60)
      }.start()
      Thread.sleep(forTimeInterval: 1)
      var end = timespec()
      clock_gettime(CLOCK_REALTIME, &end)
      end.tv_sec += 2
      return pthread_mutex_timedlock(mutex, &end)
    }

    @Test func `a wait with a timeout of 0 ends before other work can signal`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in Self.waitTwice() }
      #expect(run.value == [.timedOut, .success] && run.elapsed == .zero)
    }

    private static func waitTwice() -> [DispatchTimeoutResult] {
      let semaphore = DispatchSemaphore(value: 0)
      DispatchQueue.global().async { semaphore.signal() }
      return [semaphore.wait(timeout: .now()), semaphore.wait(timeout: .now() + 1)]
    }

    @Test(arguments: [false, true]) func `a signal wakes one waiting thread, and a broadcast wakes all`(_ all: Bool)
      async throws
    {
      let run = try await Simulation("unlimited", seed: 1) { _ in Self.wake(all: all) }
      #expect(run.value == (all ? 3 : 1) && run.elapsed == .seconds(all ? 2 : 5))
    }

    /// Wakes one or all of three threads, and returns how many have continued a second later.
    private static func wake(all: Bool) -> Int {
      let (condition, woken, group) = (NSCondition(), Locked(0), DispatchGroup())
      for _ in 0..<3 {
        group.enter()
        Thread {
          let isSignalled = condition.withLock { condition.wait(until: Date(timeIntervalSinceNow: 5)) }
          if isSignalled { woken.withLock { $0 += 1 } }
          group.leave()
        }.start()
      }
      Thread.sleep(forTimeInterval: 1)
      condition.withLock { all ? condition.broadcast() : condition.signal() }
      Thread.sleep(forTimeInterval: 1)
      defer { group.wait() }
      return woken.value
    }

    @Test func `usleep and a sleep until a clock time take virtual time, and gettimeofday shows it`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in Self.sleepTwice() }
      #expect(run.value == (250_007, 0) && run.elapsed == .microseconds(3_250_007))
    }

    private static func sleepTwice() -> (microseconds: Int, result: Int32) {
      usleep(250_007)
      var day = timeval()
      gettimeofday(&day, nil)
      var end = timespec()
      clock_gettime(CLOCK_MONOTONIC, &end)
      end.tv_sec += 3
      return (Int(day.tv_usec), clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nil))
    }

    @Test func `virtual time advances while a thread spins and yields`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        let isOver = Locked(false)
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.4) { isOver.withLock { $0 = true } }
        Self.spin(until: isOver)
      }
      #expect(run.elapsed >= .milliseconds(400) && run.elapsed <= .milliseconds(402))
    }

    private static func spin(until isOver: Locked<Bool>) { while !isOver.value { sched_yield() } }

    /// The kernel refuses to synchronise files of `/proc` and pipes.
    @Test func `in a simulation fsync succeeds at once for a file and fails for a pipe`() async throws {
      _ = try await Simulation("unlimited", seed: 1) { _ in
        let file = open("/proc/self/status", O_RDONLY)
        defer { close(file) }
        let pipe = Pipe()
        #expect(fsync(file) == 0 && fdatasync(file) == 0)
        #expect(fsync(pipe.fileHandleForWriting.fileDescriptor) == -1 && errno == EINVAL)
      }
    }

    @Test func `the C library's random numbers depend only on the seed`() async throws {
      func drawn(_ seed: UInt64) async throws -> [Double] {
        try await Simulation("unlimited", seed: seed) { _ in
          [Double(random()), Double(rand()), drand48(), Double(lrand48()), Double(mrand48())]
        }.value
      }
      let numbers = try await drawn(1)
      #expect(try await drawn(1) == numbers)
      #expect(try await drawn(2) != numbers)
      #expect(numbers[0] >= 0 && numbers[0] < 0x1p31 && (0..<1).contains(numbers[2]) && abs(numbers[4]) <= 0x1p31)
    }

    /// A word that a thread outside of the simulation sets to 1 when it is asked to.
    private struct OutsideWord: @unchecked Sendable {
      let word = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
      private let begun = DispatchSemaphore(value: 0)

      init(_ value: UInt32) {
        word.initialize(to: value)
        nonisolated(unsafe) let word = word
        let begun = begun
        Thread {
          begun.wait()
          Thread.sleep(forTimeInterval: 0.05)
          word.pointee = 1
        }.start()
      }
      func begin() { begun.signal() }
    }

    @Test func `a captured client can wait for a thread outside of the simulation`() async throws {
      let outside = OutsideWord(0)
      let run = try await Simulation("unlimited", seed: 1) { _ in
        outside.begin()
        return shape_futex(outside.word, 0, 0)
      }
      #expect(run.value == 0)
    }

    @Test func `virtual time stands still while an outside thread initialises a static value`() async throws {
      let outside = OutsideWord(0x10100)
      let run = try await Simulation("unlimited", seed: 1) { network in
        // A pending event to which time could advance.
        DispatchQueue.global().asyncAfter(deadline: .now() + 5) {}
        outside.begin()
        return (shape_futex(outside.word, 0x10100, 0), network.now)
      }
      #expect(run.value == (0, .zero))
    }

    @Test func `a futex wait with a timeout ends in virtual time`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        nonisolated(unsafe) let word = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
        word.initialize(to: 7)
        return shape_futex(word, 7, 400)
      }
      #expect(run.value == ETIMEDOUT && run.elapsed == .milliseconds(400))
    }

    @Test func `a captured client's random numbers cover their whole range`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        var bytes = [UInt8](repeating: 0, count: 256)
        getentropy(&bytes, bytes.count)
        return (fractions: (0..<200).map { _ in drand48() }, words: (0..<200).map { _ in arc4random() }, bytes: bytes)
      }
      let (fractions, words, bytes) = run.value
      #expect(
        fractions.allSatisfy((0..<1).contains) && fractions.contains { $0 < 0.5 } && fractions.contains { $0 > 0.5 })
      #expect(words.contains { $0 >> 31 == 1 } && words.contains { $0 >> 31 == 0 })
      #expect(bytes.count { $0 == 0 } < 16)
    }

    @Test func `a captured client gets the system's errors for an invalid sleep or too many random bytes`() async throws
    {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        var bytes = [UInt8](repeating: 0, count: 257)
        var time = timespec(tv_sec: 0, tv_nsec: 1_000_000_000)
        let entropy = (getentropy(&bytes, bytes.count), errno)
        let nanosleep = (nanosleep(&time, nil), errno)
        return [entropy.0, entropy.1, nanosleep.0, nanosleep.1, clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nil)]
      }
      #expect(run.value == [-1, EIO, -1, EINVAL, EINVAL] && run.elapsed == .zero)
    }

    @Test func `select leaves the memory behind its descriptor set unchanged`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        let pipe = Pipe()
        let descriptor = Int(pipe.fileHandleForReading.fileDescriptor)
        let word = descriptor / UInt.bitWidth
        nonisolated(unsafe) let set = UnsafeMutablePointer<UInt>.allocate(capacity: 16 + word)
        set.initialize(repeating: 0, count: 16 + word)
        set[word] = 1 << (descriptor % UInt.bitWidth)
        Thread {
          Thread.sleep(forTimeInterval: 0.4)
          set[word + 1] = 7
          pipe.fileHandleForWriting.write(Data([1]))
        }.start()
        let count = set.withMemoryRebound(to: fd_set.self, capacity: 1) {
          Glibc.select(Int32(descriptor + 1), $0, nil, nil, nil)
        }
        return (count, set[word] == 1 << (descriptor % UInt.bitWidth), set[word + 1])
      }
      #expect(run.value == (1, true, 7) && run.elapsed == .milliseconds(400))
    }

    @Test func `starting another process ends the run with an error that names posix_spawn`() async throws {
      let process = await #expect(throws: SimulationError.self) {
        try await Simulation("unlimited", seed: 1) { _ in try Self.beginProcess() }
      }
      let text = try #require(process).description
      #expect(text.contains("Another process (posix_spawn)") && text.contains("AnswersTests.swift:"), "\(text)")
    }

    private static func beginProcess() throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/true")
      try process.run()
    }

    @Test func `a thread that ends with pthread_exit gives its value to the thread that joins it`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in Self.joinedValue() }
      #expect(run.value == 7 && run.elapsed == .milliseconds(400))
    }

    private static func joinedValue() -> Int {
      var (thread, value) = (pthread_t(), UnsafeMutableRawPointer?.none)
      let work: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
        usleep(400_000)
        pthread_exit(UnsafeMutableRawPointer(bitPattern: 7))
      }
      pthread_create(&thread, nil, work, nil)
      pthread_join(thread, &value)
      return Int(bitPattern: value)
    }

    @Test func `a deadlock error names the blocking call and its source line`() async throws {
      let deadlock = await #expect(throws: SimulationError.self) {
        try await Simulation("3G", seed: 1) { network in
          network.stub("/feed", with: .text("x"))
          Self.waitForEver()
        }
      }
      let text = "\(try #require(deadlock))"
      #expect(text.contains("Nothing can happen any more") && text.contains("DispatchSemaphore.wait, at "), "\(text)")
      // Eight threads of ten are enough to find the mistake.
      #expect(text.contains("AnswersTests.swift:") && text.contains(" (7 times)"), "\(text)")
    }

    private static func waitForEver() {
      for _ in 0..<9 { Thread { DispatchSemaphore(value: 0).wait() }.start() }
      DispatchSemaphore(value: 0).wait()
    }

    @Test func `a thread that locks a lock twice ends the run at once with its place, unless the lock is recursive`()
      async throws
    {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        let lock = NSRecursiveLock()
        return lock.withLock { lock.withLock { 1 } }
      }
      #expect(run.value == 1)
      let error = await #expect(throws: SimulationError.self) {
        try await Simulation("unlimited", seed: 1) { _ in Self.lockTwice() }
      }
      let text = try #require(error).description
      #expect(text.contains("Nothing can happen any more") && text.contains("pthread_mutex_lock, at "), "\(text)")
      #expect(text.contains("AnswersTests.swift:"), "\(text)")
    }

    private static func lockTwice() {
      let lock = NSLock()
      lock.withLock { lock.withLock {} }
    }

    @Test func `a pthread barrier ends the run with an error that names the barrier's call`() async throws {
      let barrier = await #expect(throws: SimulationError.self) {
        try await Simulation("unlimited", seed: 1) { _ in Self.meet() }
      }
      let text = try #require(barrier).description
      #expect(text.contains("pthread_barrier_wait, at ") && text.contains("AnswersTests.swift:"), "\(text)")
    }

    // Not in a macro: places in macro expansions are unknown.
    private static func meet() {
      let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)
      pthread_barrier_init(barrier, nil, 1)
      pthread_barrier_wait(barrier)
    }
  }
#endif
