import Testing

@testable import ClientCapture

/// A loop that waits returns to the same states; a computation does not.
struct LoopDetectorTests {
  private static func isLoop(samples: Int, stack: (Int) -> UInt = { _ in 1000 }, state: (Int) -> UInt64) -> Bool {
    var detector = LoopDetector()
    for sample in 0..<samples { detector.add(state(sample), stack: stack(sample)) }
    return detector.isLoop
  }

  @Test func `a few states that repeat for 1200 samples count as a loop`() {
    #expect(Self.isLoop(samples: 1200) { UInt64($0 % 30) })
    #expect(!Self.isLoop(samples: 1199) { UInt64($0 % 30) })
  }

  @Test func `a new state in every 50th sample means a computation, not a loop`() {
    #expect(!Self.isLoop(samples: 40_000) { $0 % 50 == 0 ? UInt64($0) : 1 })
    #expect(Self.isLoop(samples: 40_000) { $0 % 100 == 0 ? UInt64($0) : 1 })
  }

  @Test func `the detector starts counting again when the stack becomes shallower`() {
    #expect(!Self.isLoop(samples: 1600, stack: { $0 < 500 ? 1000 : 2000 }) { UInt64($0 % 30) })
    #expect(Self.isLoop(samples: 1700, stack: { $0 < 500 ? 1000 : 2000 }) { UInt64($0 % 30) })
  }

  @Test func `the detector finds the shallowest stack of each block of samples separately`() {
    var detector = LoopDetector()
    let stacks: [UInt] = [3000] + Array(repeating: 1000, count: 399) + [1000, 900, 2000, 1500]
    let shallowest = stacks.map { stack in
      detector.add(1, stack: stack)
      return detector.isShallowest
    }
    #expect(shallowest.indices.filter { shallowest[$0] } == [0, 400, 402])
  }
}
