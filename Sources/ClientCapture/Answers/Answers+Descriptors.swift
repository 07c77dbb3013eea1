#if os(Linux)
  import Glibc
  import Internals
  import Interposition

  extension Answers {
    static func addDescriptors(to answers: inout interposition_functions) {
      answers.epoll_wait = { set, events, count, timeout in
        Answers.wait("epoll_wait", milliseconds: timeout) { interposition_real.epoll_wait(set, events, count, $0) }
      }
      answers.epoll_pwait = { set, events, count, timeout, mask in
        Answers.wait("epoll_pwait", milliseconds: timeout) {
          interposition_real.epoll_pwait(set, events, count, $0, mask)
        }
      }
      answers.poll = { descriptors, count, timeout in
        Answers.wait("poll", milliseconds: timeout) { interposition_real.poll(descriptors, count, $0) }
      }
      answers.ppoll = { descriptors, count, timeout, mask in
        guard let thread = ClientThread.current else {
          return interposition_real.ppoll(descriptors, count, timeout, mask)
        }
        return Answers.wait("ppoll", thread, for: timeout.map { ClientTime.nanoseconds($0.pointee) }) {
          interposition_real.poll(descriptors, count, 0)
        }
      }
      answers.select = { count, readable, writable, broken, timeout in
        let limit = timeout.map {
          ClientTime.nanoseconds(timespec(tv_sec: $0.pointee.tv_sec, tv_nsec: $0.pointee.tv_usec &* 1000))
        }
        guard let thread = ClientThread.current, limit != 0 else {
          return interposition_real.select(count, readable, writable, broken, timeout)
        }
        return Answers.select("select", thread, for: limit, count, readable, writable, broken)
      }
      answers.pselect = { count, readable, writable, broken, timeout, mask in
        let limit = timeout.map { ClientTime.nanoseconds($0.pointee) }
        guard let thread = ClientThread.current, limit != 0 else {
          return interposition_real.pselect(count, readable, writable, broken, timeout, mask)
        }
        return Answers.select("pselect", thread, for: limit, count, readable, writable, broken)
      }
      answers.setsockopt = { socket, level, name, value, size in
        if level == SOL_SOCKET, name == SO_RCVTIMEO || name == SO_SNDTIMEO {
          // Such a time limit passes in real time.
          ClientThread.current?.atWork { $0.refuse("A socket's timeout (SO_RCVTIMEO, SO_SNDTIMEO)") }
        }
        return interposition_real.setsockopt(socket, level, name, value, size)
      }
      answers.timerfd_settime = { timer, flags, value, former in
        Answers.setTimer(timer, flags, value, former)
          ?? interposition_real.timerfd_settime(timer, flags, value, former)
      }
    }

    /// Sets a timer that is read from a descriptor; `nil` outside of simulations.
    private static func setTimer(
      _ timer: Int32, _ flags: Int32, _ value: UnsafePointer<itimerspec>?, _ former: UnsafeMutablePointer<itimerspec>?
    ) -> Int32? {
      guard let thread = ClientThread.current, let value else { return nil }
      return thread.atWork { scheduler in
        if let call = scheduler.later.descriptors.removeValue(forKey: timer) { scheduler.cancel(call) }
        var never = itimerspec()
        let result = interposition_real.timerfd_settime(timer, 0, &never, former)
        let asked = ClientTime.nanoseconds(value.pointee.it_value)
        guard result == 0, asked > 0 else { return result }
        let start = flags & 1 != 0 ? scheduler.instant(value.pointee.it_value) : scheduler.now &+ asked
        expire(timer, at: start, every: ClientTime.nanoseconds(value.pointee.it_interval), in: scheduler)
        return 0
      }
    }

    /// Makes a timer's descriptor readable when it is due: sets the real timer to the system's next nanosecond.
    ///
    /// This resets the timer's count. So the client must read a repeating timer before it is due again.
    private static func expire(
      _ timer: Int32, at time: Int64, every interval: Int64, in scheduler: ClientScheduler
    ) {
      scheduler.later.descriptors[timer] = scheduler.call(at: time) { [weak scheduler] in
        guard let scheduler else { return }
        var descriptor = pollfd(fd: timer, events: Int16(POLLIN), revents: 0)
        if interval > 0, interposition_real.poll(&descriptor, 1, 0) == 1, descriptor.revents & Int16(POLLIN) != 0 {
          return scheduler.refuse("A timer of timerfd_create() that was due twice and not read between")
        }
        var now = itimerspec(it_interval: timespec(), it_value: timespec(tv_sec: 0, tv_nsec: 1))
        // The client may have closed it.
        guard interposition_real.timerfd_settime(timer, 0, &now, nil) == 0 else { return }
        _ = interposition_real.poll(&descriptor, 1, 1000)
        if interval > 0 { expire(timer, at: time &+ interval, every: interval, in: scheduler) }
      }
    }

    private static func select(
      _ call: StaticString, _ thread: ClientThread, for limit: Int64?, _ count: Int32,
      _ readable: UnsafeMutablePointer<fd_set>?, _ writable: UnsafeMutablePointer<fd_set>?,
      _ broken: UnsafeMutablePointer<fd_set>?
    ) -> Int32 {
      // Each poll leaves only the ready descriptors in the sets. A set's length depends on its descriptors, not on its
      // type: CoreFoundation's sets are shorter.
      let words = (max(0, Int(count)) + UInt.bitWidth - 1) / UInt.bitWidth
      let sets = [readable, writable, broken].compactMap { set -> (UnsafeMutablePointer<UInt>, [UInt])? in
        let start = UnsafeMutableRawPointer(set)?.assumingMemoryBound(to: UInt.self)
        return start.map { ($0, Array(UnsafeBufferPointer(start: $0, count: words))) }
      }
      return wait(call, thread, for: limit) {
        var now = timeval()
        for (start, wanted) in sets { start.update(from: wanted, count: words) }
        return interposition_real.select(count, readable, writable, broken, &now)
      }
    }

    static func addReceiving(to answers: inout interposition_functions) {
      answers.readv = { descriptor, pieces, count in
        Answers.receive("readv", descriptor) { interposition_real.readv(descriptor, pieces, count) }
      }
      answers.recv = { socket, memory, count, flags in
        Answers.receive("recv", socket, flags) { interposition_real.recv(socket, memory, count, flags) }
      }
      answers.recvfrom = { socket, memory, count, flags, address, size in
        Answers.receive("recvfrom", socket, flags) {
          interposition_real.recvfrom(socket, memory, count, flags, address, size)
        }
      }
      answers.recvmsg = { socket, message, flags in
        Answers.receive("recvmsg", socket, flags) { interposition_real.recvmsg(socket, message, flags) }
      }
      answers.accept = { socket, address, size in
        Answers.receive("accept", socket) { interposition_real.accept(socket, address, size) }
      }
      answers.accept4 = { socket, address, size, flags in
        Answers.receive("accept4", socket) { interposition_real.accept4(socket, address, size, flags) }
      }
      answers.flock = { descriptor, operation in
        Answers.noting("flock") { interposition_real.flock(descriptor, operation) }
      }
    }

    /// Receives from a pipe or socket; waits in virtual time if this process is at its other end, else in real time.
    static func receive<Result>(
      _ call: StaticString, _ descriptor: Int32, _ flags: Int32 = 0, _ body: () -> Result
    ) -> Result {
      guard ClientThread.current != nil, flags & Int32(MSG_DONTWAIT) == 0 else { return body() }
      if interposition_kind_of(descriptor) == Int32(interposition_pipe) {
        _ = wait(call, milliseconds: -1) { timeout in
          var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
          return interposition_real.poll(&descriptor, 1, timeout)
        }
        return body()
      }
      return noting(call, body)
    }

    /// Makes a call that may block in real time; records its place for the error, in case the run gets stuck.
    private static func noting<Result>(_ call: StaticString, _ body: () -> Result) -> Result {
      guard let thread = ClientThread.current else { return body() }
      let place = ClientPlace.current
      return thread.atWork { scheduler in
        scheduler.blockingCall.withLock { $0 = (call, place) }
        defer { scheduler.blockingCall.withLock { $0 = nil } }
        return body()
      }
    }

    private static func wait(
      _ call: StaticString, milliseconds timeout: Int32, _ ask: @escaping (Int32) -> Int32
    ) -> Int32 {
      guard let thread = ClientThread.current, timeout != 0 else { return ask(timeout) }
      return wait(call, thread, for: timeout < 0 ? nil : Int64(timeout) * 1_000_000) { ask(0) }
    }

    /// Waits for a descriptor; meanwhile the stand-in for the main thread runs the work in its queue, as a run loop
    /// does.
    private static func wait(
      _ call: StaticString, _ thread: ClientThread, for nanoseconds: Int64?, _ ask: @escaping () -> Int32
    ) -> Int32 {
      thread.atWork { scheduler in
        let deadline = nanoseconds.map { scheduler.now &+ $0 }
        var result: Int32 = 0
        while true {
          let outcome = scheduler.wait(call, until: deadline) {
            if thread.isMain, scheduler.hasMainWork { return true }
            result = ask()
            return result != 0
          }
          switch outcome {
          case .over where result != 0: return result
          case .over: scheduler.runMainQueue()
          case .expired: return 0
          case .released:
            if thread.isMain { MainLoop.stop() }
            return 0
          }
        }
      }
    }
  }
#endif
