import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Clients that use threads, run loops and the C library.

/// A request that blocks its thread until the response or a timeout.
final class BlockingCall {
  private let condition = NSCondition()
  private var outcome: Result<Data, Error>?

  func get(_ session: URLSession, _ url: URL, within seconds: TimeInterval) -> String {
    let limit = Date().addingTimeInterval(seconds)
    let task = session.dataTask(with: request(url)) { [self] data, response, error in
      condition.lock()
      outcome = result(data, response, error)
      condition.signal()
      condition.unlock()
    }
    task.resume()
    condition.lock()
    defer { condition.unlock() }
    while outcome == nil {
      if !condition.wait(until: limit) {
        task.cancel()
        return "timed out"
      }
    }
    switch outcome! {
    case .success(let data): return "\(data.count)"
    case .failure(let error): return short(error)
    }
  }
}

/// A token store that holds its lock while it waits for the network, as "synchronized" code does.
final class LockedTokens {
  private let lock = NSLock()
  private var token: String?
  private(set) var refreshes = 0
  let session: URLSession
  let base: URL
  init(session: URLSession, base: URL) { (self.session, self.base) = (session, base) }
  func current() -> String {
    lock.lock()
    defer { lock.unlock() }
    if let token { return token }
    refreshes += 1
    var size = 0
    let semaphore = DispatchSemaphore(value: 0)
    session.dataTask(with: request(base.appendingPathComponent("items/3"))) { data, _, _ in
      size = data?.count ?? -1
      semaphore.signal()
    }.resume()
    semaphore.wait()
    token = "token of \(size)"
    return token!
  }
}

/// Runs the thread's run loop until the response; returns its size, the number of turns and the milliseconds.
private func turnRunLoop(_ s: ClientSurroundings) -> (size: Int, turns: Int, time: Int) {
  let start = Date()
  var size: Int?
  var turns = 0
  s.session.dataTask(with: request(s.base.appendingPathComponent("items/7"))) { data, _, _ in
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.4) { size = data?.count ?? -1 }
  }.resume()
  let limit = Date().addingTimeInterval(20)
  while size == nil, Date() < limit {
    RunLoop.current.run(until: Date().addingTimeInterval(0.1))
    turns += 1
  }
  return (size ?? -2, turns, ms(start))
}

let threadShapes: [ClientShape] = [
  ClientShape("threadCondition", expected: ["timed out@2000"]) { s in
    await waiting { done in
      let thread = Thread {
        let start = Date()
        var texts: [String] = []
        for name in ["items/0", "slow", "items/3"] {
          let url = s.base.appendingPathComponent(name)
          let begin = Date()
          texts.append("\(BlockingCall().get(s.session, url, within: 2))@\(ms(begin))")
        }
        done("\(texts.joined(separator: " ")), \(ms(start)) ms")
      }
      thread.name = "client"
      thread.start()
    }
  },
  ClientShape("threadSleepLoop") { s in
    await waiting { done in
      Thread.detachNewThread {
        let start = Date()
        var state = ""
        for attempt in 1...10 {
          let semaphore = DispatchSemaphore(value: 0)
          s.session.dataTask(with: request(s.base.appendingPathComponent("poll"))) { _, response, _ in
            if (response as? HTTPURLResponse)?.statusCode == 200 { state = "ready at attempt \(attempt)" }
            semaphore.signal()
          }.resume()
          semaphore.wait()
          if !state.isEmpty { break }
          Thread.sleep(forTimeInterval: 0.75)
        }
        done("\(state), \(ms(start)) ms")
      }
    }
  },
  ClientShape("usleepPolling") { s in
    await waiting { done in
      DispatchQueue.global().async {
        let start = Date()
        let lock = NSLock()
        var size: Int?
        s.session.dataTask(with: request(s.base.appendingPathComponent("items/6"))) { data, _, _ in
          lock.withLock { size = data?.count ?? -1 }
        }.resume()
        var polls = 0
        while lock.withLock({ size }) == nil, polls < 2000 {
          usleep(10_000)
          polls += 1
        }
        done("\(size ?? -2) after \(polls) polls, \(ms(start)) ms")
      }
    }
  },
  ClientShape("sleepAndNanosleep", expected: ["slept 2550 ms"]) { s in
    await waiting { done in
      Thread.detachNewThread {
        let start = Date()
        sleep(2)
        var wanted = timespec(tv_sec: 0, tv_nsec: 550_000_000)
        nanosleep(&wanted, nil)
        let slept = ms(start)
        s.session.dataTask(with: request(s.base.appendingPathComponent("items/0"))) { data, _, _ in
          done("slept \(slept) ms, \(data?.count ?? -1) at \(ms(start)) ms")
        }.resume()
      }
    }
  },
  ClientShape("lockAcrossWait") { s in
    await waiting { done in
      let tokens = LockedTokens(session: s.session, base: s.base)
      let group = DispatchGroup()
      let start = Date()
      let lock = NSLock()
      var texts: [String] = []
      for index in 0..<3 {
        DispatchQueue.global().async(group: group) {
          Thread.sleep(forTimeInterval: 0.01 * Double(index))
          let token = tokens.current()
          lock.withLock { texts.append("\(index):\(token)@\(ms(start))") }
        }
      }
      group.notify(queue: .main) { done("\(texts.sorted().joined(separator: " ")), \(tokens.refreshes) refreshes") }
    }
  },
  ClientShape("conditionLock") { s in
    await waiting { done in
      let lock = NSConditionLock(condition: 0)
      var size = 0
      let start = Date()
      s.session.dataTask(with: request(s.base.appendingPathComponent("items/4"))) { data, _, _ in
        lock.lock()
        size = data?.count ?? -1
        lock.unlock(withCondition: 1)
      }.resume()
      Thread.detachNewThread {
        let isEarly = lock.lock(whenCondition: 1, before: Date().addingTimeInterval(0.01))
        if isEarly { lock.unlock() }
        let first = ms(start)
        // Not lock(whenCondition:): on Linux Foundation traps there (a deadline in the distant future).
        guard lock.lock(whenCondition: 1, before: Date().addingTimeInterval(600)) else { return done("gave up") }
        let text = "\(isEarly) at \(first), \(size) at \(ms(start))"
        lock.unlock()
        done(text)
      }
    }
  },
  ClientShape("runLoopRun") { s in
    // Old synchronous code: runs the run loop of its thread until the response arrives.
    await waiting { done in
      Thread.detachNewThread {
        let keepAlive = Timer(timeInterval: 3600, repeats: true) { _ in }
        RunLoop.current.add(keepAlive, forMode: .default)
        let (size, turns, time) = turnRunLoop(s)
        keepAlive.invalidate()
        done("\(size) after \(turns) turns, \(time) ms")
      }
    }
  },
  ClientShape("runLoopSpin") { s in
    // The same with an empty run loop, which returns at once: the thread spins on Date().
    await waiting { done in
      Thread.detachNewThread {
        let (size, _, time) = turnRunLoop(s)
        done("\(size), \(time) ms")
      }
    }
  },
  ClientShape("timerOnThread") { s in
    await waiting { done in
      Thread.detachNewThread {
        let start = Date()
        var left = 3
        var texts: [String] = []
        let timer = Timer(timeInterval: 0.6, repeats: true) { timer in
          let url = s.base.appendingPathComponent("items/\(left)")
          s.session.dataTask(with: request(url)) { data, _, _ in
            DispatchQueue.main.async { texts.append("\(data?.count ?? -1)@\(ms(start))") }
          }.resume()
          left -= 1
          if left == 0 { timer.invalidate() }
        }
        RunLoop.current.add(timer, forMode: .default)
        while left > 0, RunLoop.current.run(mode: .default, before: .distantFuture) {}
        Thread.sleep(forTimeInterval: 3)
        DispatchQueue.main.async { done("\(texts.joined(separator: " ")), \(ms(start)) ms") }
      }
    }
  },
  ClientShape("busyWait") { s in
    await waiting { done in
      DispatchQueue.global().async {
        let start = Date()
        let end = Date().addingTimeInterval(0.05)
        var spins = 0
        while Date() < end { spins += 1 }
        s.session.dataTask(with: request(s.base.appendingPathComponent("items/0"))) { data, _, _ in
          done("\(data?.count ?? -1), \(ms(start)) ms")
        }.resume()
      }
    }
  },
  ClientShape("uptimeThrottle") { s in
    var last = -Double.infinity
    var sent: [Int] = []
    let start = ProcessInfo.processInfo.systemUptime
    for _ in 0..<12 {
      let now = ProcessInfo.processInfo.systemUptime
      if now - last >= 1 {
        last = now
        _ = try await s.session.data(for: request(s.base.appendingPathComponent("items/0")))
        sent.append(Int(((now - start) * 1000).rounded()))
      }
      try await Task.sleep(nanoseconds: 300_000_000)
    }
    return "\(sent)"
  },
  ClientShape("absoluteTime") { s in
    // Reads CoreFoundation's clock, gettimeofday and time, as old code does.
    func now() -> [Double] {
      var tv = timeval()
      gettimeofday(&tv, nil)
      return [
        Date.timeIntervalSinceReferenceDate, Double(tv.tv_sec) + Double(tv.tv_usec) / 1e6, Double(time(nil)),
        Double(DispatchTime.now().uptimeNanoseconds) / 1e9, Double(clock_gettime_nsec()) / 1e9,
      ]
    }
    let before = now()
    _ = try await fetchWithSleeps(s.session, s.base.appendingPathComponent("items/5"))
    try await Task.sleep(nanoseconds: 2_000_000_000)
    let after = now()
    return zip(after, before).enumerated().map { index, pair in
      index == 2 ? "\(pair.0 - pair.1 >= 2)" : "\(Int(((pair.0 - pair.1) * 1000).rounded()))"
    }.joined(separator: " ")
  },
]

func clock_gettime_nsec() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
