#if os(Linux)
  import ClientCapture
  import Foundation
  import NetworkConditions
  import Testing

  /// The device's calendar clock is set while a captured client runs.
  @Suite(.enabled(if: CaptureMode.obstacle == nil)) struct ClockJumpTests {
    @Test(arguments: [3_600, -3_600])
    func `a clock jump changes Date but neither durations nor waits`(_ jump: Int) async throws {
      let schedule = try FaultSchedule(
        "3G", faults: [ScheduledFault(.clockJump(by: .seconds(jump), at: .seconds(10)))])
      let run = try await Simulation(replaying: schedule) { _ in
        let (date, instant, uptime) = (Date(), ContinuousClock.now, DispatchTime.now())
        try await Task.sleep(for: .seconds(20))
        let read = Date().timeIntervalSince(date)
        #expect(read == 20 + Double(jump))
        #expect(ContinuousClock.now - instant == .seconds(20))
        #expect(DispatchTime.now().uptimeNanoseconds - uptime.uptimeNanoseconds == 20_000_000_000)
        // Waits until a date use the present setting of the clock.
        await withCheckedContinuation { done in
          Thread.detachNewThread {
            let condition = NSCondition()
            condition.withLock { _ = condition.wait(until: Date(timeIntervalSinceNow: 5)) }
            _ = DispatchSemaphore(value: 0).wait(wallTimeout: .now() + 5)
            done.resume()
          }
        }
        #expect(ContinuousClock.now - instant == .seconds(30))
      }
      #expect(run.elapsed == .seconds(30))
      #expect(run.unusedFaults.isEmpty)
      #expect(try FaultSchedule(json: Data(schedule.formatText.utf8)) == schedule)
      let way = jump < 0 ? "back" : "ahead"
      #expect(schedule.faults[0].description == "at 10 s: the device's clock jumps 3600 s \(way)")
    }

    @Test func `two clock jumps add up`() async throws {
      let schedule = try FaultSchedule(
        "3G", faults: [3_600, -600].map { ScheduledFault(.clockJump(by: .seconds($0), at: .seconds(10))) })
      let run = try await Simulation(replaying: schedule) { _ in
        let date = Date()
        try await Task.sleep(for: .seconds(20))
        return Date().timeIntervalSince(date)
      }
      #expect(run.value == 3_020)
    }

    @Test func `a clock jump to just before daylight saving time lets a run see the change`() async throws {
      let start = Date(timeIntervalSince1970: 1_767_225_600)
      let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
      let change = try #require(zone.nextDaylightSavingTimeTransition(after: start))
      let jump = Duration.seconds(change.timeIntervalSince(start) - 60)
      let schedule = try FaultSchedule("3G", faults: [ScheduledFault(.clockJump(by: jump, at: .zero))])
      let run = try await Simulation(replaying: schedule) { _ in
        try await Task.sleep(for: .seconds(59))
        let before = zone.secondsFromGMT(for: Date())
        try await Task.sleep(for: .seconds(2))
        return (before, zone.secondsFromGMT(for: Date()))
      }
      #expect(run.value == (3_600, 7_200))
    }

    @Test func `a clock jump stays unused when the client is not captured`() async throws {
      let schedule = try FaultSchedule("3G", faults: [ScheduledFault(.clockJump(by: .seconds(9), at: .zero))])
      let run = try await Simulation(replaying: schedule, capturing: .nothing) { _ in }
      #expect(run.unusedFaults == schedule.faults)
    }
  }

  /// Tasks and threads that still run after the end of their simulation.
  @Suite(.enabled(if: CaptureMode.obstacle == nil)) struct LeftBehindTests {
    @Test func `a sleep that outlasts its run takes exactly its duration on the task's own clock`()
      async throws
    {
      let (readings, reading) = AsyncStream<(UInt64, UInt64)>.makeStream()
      for _ in 0..<2 {
        _ = try await Simulation("3G") { _ in
          Task.detached {
            let start = DispatchTime.now().uptimeNanoseconds
            try? await Task.sleep(for: .seconds(7))
            let end = DispatchTime.now().uptimeNanoseconds
            // In real time: the test continues outside of the simulation.
            RealTime.run { _ = reading.yield((start, end)) }
          }
          Thread.detachNewThread {
            let start = DispatchTime.now().uptimeNanoseconds
            Thread.sleep(forTimeInterval: 7)
            let end = DispatchTime.now().uptimeNanoseconds
            // In real time: the test continues outside of the simulation.
            RealTime.run { _ = reading.yield((start, end)) }
          }
          try await Task.sleep(for: .seconds(1))
        }
      }
      for await (start, end) in readings.prefix(4) { #expect(end == start + 7_000_000_000) }
    }

    @Test func `after a run's end, the clock of a task that goes on never moves back`() async throws {
      let (ticks, tick) = AsyncStream<UInt64>.makeStream()
      _ = try await Simulation("3G") { _ in
        Task.detached {
          while true {
            try? await Task.sleep(for: .seconds(1))
            let now = DispatchTime.now().uptimeNanoseconds
            RealTime.run { _ = tick.yield(now) }
          }
        }
        try await Task.sleep(for: .seconds(1))
      }
      var last: UInt64 = 0
      var count = 0
      for await time in ticks.prefix(100) {
        #expect(time > last)
        (last, count) = (time, count + 1)
      }
      #expect(count == 100)
    }
  }
#endif
