#if os(Linux)
  import Glibc
  import Interposition

  extension Answers {
    static func addClocks(to answers: inout interposition_functions) {
      answers.clock_gettime = { clock, time in
        guard let thread = ClientThread.current, let time,
          let beginning = thread.scheduler.beginning(of: clock)
        else { return interposition_real.clock_gettime(clock, time) }
        time.pointee = ClientTime.timespec(beginning + thread.look())
        return 0
      }
      answers.gettimeofday = { time, zone in
        guard let thread = ClientThread.current, let time else { return interposition_real.gettimeofday(time, zone) }
        let reading = thread.scheduler.date + thread.look()
        time.pointee = timeval(tv_sec: Int(reading / 1_000_000_000), tv_usec: Int(reading % 1_000_000_000 / 1000))
        return 0
      }
      answers.time = { time in
        guard let thread = ClientThread.current else { return interposition_real.time(time) }
        let seconds = time_t((thread.scheduler.date + thread.look()) / 1_000_000_000)
        time?.pointee = seconds
        return seconds
      }
      answers.timespec_get = { time, base in
        guard base == TIME_UTC, let thread = ClientThread.current, let time else {
          return interposition_real.timespec_get(time, base)
        }
        time.pointee = ClientTime.timespec(thread.scheduler.date + thread.look())
        return base
      }
      answers.nanosleep = { time, left in
        guard let thread = ClientThread.current, let time, ClientTime.isValid(time.pointee) else {
          return interposition_real.nanosleep(time, left)
        }
        // `Thread.sleep` sleeps for what is left of its time until nothing is, and rounds that down.
        Answers.sleep("nanosleep", thread, for: max(ClientTime.nanoseconds(time.pointee), 1))
        return 0
      }
      answers.clock_nanosleep = { clock, flags, time, left in
        guard let thread = ClientThread.current, let time, ClientTime.isValid(time.pointee) else {
          return interposition_real.clock_nanosleep(clock, flags, time, left)
        }
        let end = flags & TIMER_ABSTIME != 0 ? thread.scheduler.instant(time.pointee) : nil
        let asked = end.map { $0 - thread.scheduler.now } ?? ClientTime.nanoseconds(time.pointee)
        Answers.sleep("clock_nanosleep", thread, for: asked)
        return 0
      }
      answers.usleep = { microseconds in
        guard let thread = ClientThread.current else { return interposition_real.usleep(microseconds) }
        Answers.sleep("usleep", thread, for: Int64(microseconds) * 1000)
        return 0
      }
      answers.sleep = { seconds in
        guard let thread = ClientThread.current else { return interposition_real.sleep(seconds) }
        if seconds == 0, thread.spins() { return 0 }
        Answers.sleep("sleep", thread, for: Int64(seconds) * 1_000_000_000)
        return 0
      }
      answers.sched_yield = {
        guard let thread = ClientThread.current else { return interposition_real.sched_yield() }
        thread.giveWay("a loop of sched_yield")
        return 0
      }
    }

    private static func sleep(_ call: StaticString, _ thread: ClientThread, for nanoseconds: Int64) {
      if nanoseconds <= 0 { return thread.giveWay(call) }
      thread.atWork { scheduler in
        _ = scheduler.wait(call, until: scheduler.now &+ nanoseconds, isSleep: true) { false }
      }
    }
  }
#endif
