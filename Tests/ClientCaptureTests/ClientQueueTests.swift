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
