import Internals
import NetworkConditions
import Testing
import URLLoading

#if os(Linux)
  /// A captured client's queues keep libdispatch's guarantees.
  @Suite(.enabled(if: CaptureMode.obstacle == nil)) struct ClientQueueTests {
    /// Runs pieces of work that take a second each, and returns when each began, in seconds.
    private static func starts(
      in queue: DispatchQueue, barrier number: Int? = nil, of count: Int
    ) async throws -> [Int: Duration] {
      let starts = Locked<[Int: Duration]>([:])
      _ = try await Simulation("unlimited", seed: 1) { network in
        let group = DispatchGroup()
        for place in 0..<count {
          queue.async(group: group, flags: place == number ? .barrier : []) {
            starts.withLock { $0[place] = SimulatedInstant.zero.duration(to: network.now) }
            Thread.sleep(forTimeInterval: 1)
          }
        }
        await withCheckedContinuation { continuation in
          group.notify(queue: .global()) { continuation.resume() }
        }
      }
      return starts.value
    }

    @Test func `a queue's label can be read, also by work in another queue`() async throws {
      _ = try await Simulation("unlimited", seed: 1) { _ in
        let (one, other) = (DispatchQueue(label: "one"), DispatchQueue(label: "other"))
        #expect(one.sync { [one.label, other.label] } == ["one", "other"])
        #expect(one.sync { other.sync { [one.label, other.label] } } == ["one", "other"])
      }
    }

    @Test func `work knows its own queue, which gets to a serial queue by way of another`() async throws {
      let serial = DispatchQueue(label: "serial")
      let middle = DispatchQueue(label: "middle", attributes: .concurrent, target: serial)
      let own = DispatchQueue(label: "own", attributes: .concurrent, target: middle)
      let name = DispatchSpecificKey<String>()
      own.setSpecific(key: name, value: "own")
      let run = try await Simulation("unlimited", seed: 1) { _ in
        await withCheckedContinuation { continuation in
          own.async { continuation.resume(returning: DispatchQueue.getSpecific(key: name)) }
        }
      }
      #expect(run.value == "own")
    }

    @Test func `a serial queue runs one work item at a time, in order`() async throws {
      let starts = try await Self.starts(in: DispatchQueue(label: "serial"), of: 3)
      #expect(starts == [0: .zero, 1: .seconds(1), 2: .seconds(2)])
    }

    @Test func `a concurrent queue runs its work items at the same time`() async throws {
      let starts = try await Self.starts(in: DispatchQueue(label: "wide", attributes: .concurrent), of: 3)
      #expect(starts == [0: .zero, 1: .zero, 2: .zero])
    }

    @Test func `a barrier waits for earlier work, and later work waits for the barrier`() async throws {
      let queue = DispatchQueue(label: "wide", attributes: .concurrent)
      let starts = try await Self.starts(in: queue, barrier: 2, of: 5)
      #expect(starts == [0: .zero, 1: .zero, 2: .seconds(1), 3: .seconds(2), 4: .seconds(2)])
    }

    @Test(arguments: [false, true])
    func `work waits while another thread is in its queue by sync`(isConcurrent: Bool) async throws {
      let run = try await Simulation("unlimited", seed: 1) { network in
        let queue = DispatchQueue(label: "own", attributes: isConcurrent ? .concurrent : [])
        Thread { queue.sync(flags: .barrier) { Thread.sleep(forTimeInterval: 1) } }.start()
        try await Task.sleep(for: .milliseconds(500))
        return await withCheckedContinuation { done in
          queue.async { done.resume(returning: SimulatedInstant.zero.duration(to: network.now)) }
        }
      }
      #expect(run.value == .seconds(1))
    }

    @Test func `a work item with a delay of 0 runs before later work`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        let (queue, order) = (DispatchQueue(label: "serial"), Locked<[Int]>([]))
        queue.sync {
          queue.asyncAfter(deadline: .now()) { order.withLock { $0.append(1) } }
          queue.async { order.withLock { $0.append(2) } }
        }
        return queue.sync { order.value }
      }
      #expect(run.value == [1, 2])
    }

    @Test func `work waits while the concurrent queue that its queue targets is suspended`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { network in
        let target = DispatchQueue(label: "target", attributes: .concurrent)
        let queue = DispatchQueue(label: "wide", attributes: .concurrent, target: target)
        target.suspend()
        DispatchQueue.global().asyncAfter(deadline: .now() + 2) { target.resume() }
        return await withCheckedContinuation { done in queue.async { done.resume(returning: network.now) } }
      }
      #expect(run.value == .zero.advanced(by: .seconds(2)))
    }

    @Test func `work on a queue that the run left suspended runs when the queue resumes after the run`() async throws {
      final class Token: Sendable {}
      let (ran, group) = (Locked<[String]>([]), DispatchGroup())
      let run = try await Simulation("unlimited", seed: 1) { _ in
        let (queue, token) = (DispatchQueue(label: "suspended"), Token())
        queue.suspend()
        queue.async { withExtendedLifetime(token) { ran.withLock { $0.append("work") } } }
        queue.async(group: group) { ran.withLock { $0.append("grouped work") } }
        return (queue: queue, token: WeakReference(token))
      }
      #expect(ran.value.isEmpty && group.wait(timeout: .now()) == .timedOut)
      run.value.queue.resume()
      run.value.queue.sync {}
      #expect(ran.value == ["work", "grouped work"] && group.wait(timeout: .now()) == .success)
      #expect(run.value.token.object == nil)
    }

    @Test func `the order of two queues' work depends on the seed`() async throws {
      var orders: [UInt64: [Int]] = [:]
      for seed in UInt64(0)..<8 {
        orders[seed] = try await Simulation("unlimited", seed: seed) { _ in
          let (group, order) = (DispatchGroup(), Locked<[Int]>([]))
          for number in [1, 2] {
            DispatchQueue(label: "\(number)").async(group: group) { order.withLock { $0.append(number) } }
          }
          await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
          return order.value
        }.value
      }
      #expect(Set(orders.values) == [[1, 2], [2, 1]])
    }

    @Test func `concurrentPerform returns when its last call has ended`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in
        let count = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 3) { number in
          Thread.sleep(forTimeInterval: Double(number))
          count.withLock { $0 += 1 }
        }
        return count.value
      }
      #expect(run.value == 3 && run.elapsed == .seconds(2))
    }

    @Test func `a task that a run leaves behind wakes from a hundred sleeps, and never from the next`() async throws {
      let sleeps = Locked(0)
      let run = try await Simulation("unlimited", seed: 1) { _ in
        _ = Task.detached {
          while true {
            try await Task.sleep(for: .seconds(1))
            sleeps.withLock { $0 += 1 }
          }
        }
      }
      #expect(sleeps.value == 100 && run.elapsed == .zero)
    }

    @Test func `only the work of the main queue runs on the main thread`() async throws {
      let run = try await Simulation("unlimited", seed: 1) { _ in Self.mainThreads() }
      #expect(run.value == [true, false, false])
    }

    private static func mainThreads() -> [Bool] {
      [DispatchQueue.main.sync { Thread.isMainThread }, DispatchQueue.global().sync { Thread.isMainThread }]
        + [Thread.isMainThread]
    }

    @Test func `a timer of the main run loop fires on the main queue and the main actor`() async throws {
      let key = DispatchSpecificKey<Int>()
      DispatchQueue.main.setSpecific(key: key, value: 7)
      defer { DispatchQueue.main.setSpecific(key: key, value: nil) }
      let run = try await Simulation("unlimited", seed: 1) { _ in
        await withCheckedContinuation { (fired: CheckedContinuation<Int?, Never>) in
          let timer = Timer(fire: Date(timeIntervalSinceNow: 2), interval: 0, repeats: false) { _ in
            dispatchPrecondition(condition: .onQueue(.main))
            MainActor.assumeIsolated { fired.resume(returning: DispatchQueue.getSpecific(key: key)) }
          }
          RunLoop.main.add(timer, forMode: .default)
        }
      }
      #expect(run.value == 7 && run.elapsed == .seconds(2))
    }
  }
#endif
