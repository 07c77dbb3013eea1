import Testing

@testable import ClientCapture

/// A loop that waits comes back to the same states; a computation does not.
@Suite struct LoopDetectorTests {
  private static func isLoop(samples: Int, stack: (Int) -> UInt = { _ in 1000 }, state: (Int) -> UInt64) -> Bool {
    var detector = LoopDetector()
    for sample in 0..<samples { detector.add(state(sample), stack: stack(sample)) }
    return detector.isLoop
  }

  @Test func `a few states that come again and again are a loop`() {
    #expect(Self.isLoop(samples: 1200) { UInt64($0 % 30) })
    #expect(!Self.isLoop(samples: 1199) { UInt64($0 % 30) })
  }

  @Test func `one new state in 50 means a computation and no loop`() {
    #expect(!Self.isLoop(samples: 40_000) { $0 % 50 == 0 ? UInt64($0) : 1 })
    #expect(Self.isLoop(samples: 40_000) { $0 % 200 == 0 ? UInt64($0) : 1 })
  }

  @Test func `counting starts again when the stack is less deep than before`() {
    #expect(!Self.isLoop(samples: 1600, stack: { $0 < 500 ? 1000 : 2000 }) { UInt64($0 % 30) })
    #expect(Self.isLoop(samples: 1700, stack: { $0 < 500 ? 1000 : 2000 }) { UInt64($0 % 30) })
  }

  @Test func `the shallowest sample of a block is known, whatever was seen in the blocks before`() {
    var detector = LoopDetector()
    let stacks: [UInt] = [3000] + Array(repeating: 1000, count: 399) + [1000, 900, 2000, 1500]
    let shallowest = stacks.map { stack in
      detector.add(1, stack: stack)
      return detector.isShallowest
    }
    #expect(shallowest.indices.filter { shallowest[$0] } == [0, 400, 402])
  }
}
