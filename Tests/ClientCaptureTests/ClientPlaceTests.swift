import Foundation
import Testing

@testable import ClientCapture
@testable import NetworkConditions

@Suite(.enabled(if: CaptureMode.obstacle == nil)) struct ClientPlaceTests {
  // The runtime never frees the debugging information that it keeps for each thread.
  @Test func `one thread looks up the source lines for all threads`() async {
    var isSame: [Bool] = []
    for _ in 0..<3 {
      let isKnown = await withCheckedContinuation { answer in
        Thread.detachNewThread {
          ClientPlace.current.read { _ in
            let marks = Thread.current.threadDictionary
            answer.resume(returning: marks["mark"] != nil)
            marks["mark"] = true
          }
        }
      }
      isSame.append(isKnown)
    }
    #expect(isSame.dropFirst() == [true, true])
  }

  @Test func `a place in an error is the file and line of the call`() {
    let line = #line + 1
    let place = ClientPlace.current
    #expect(place.text == "\(#filePath):\(line)")
  }

  @Test func `the thread sanitizer's own functions are not a client's`() {
    #expect(!ClientPlace.isClients("_ZN6__tsanL22dispatch_callback_wrapEPv"))
    #expect(ClientPlace.isClients("_ZN6Client4loadEv"))
  }

  // libdispatch's function for Swift keeps no frame, so a walk along frames does not find its caller.
  @Test func `a refused dispatch source has the place of the async closure that makes it`() async {
    let line = #line + 2
    let client: @Sendable (SimulatedNetwork) async throws -> Void = { _ in
      _ = DispatchSource.makeReadSource(fileDescriptor: 0, queue: nil)
    }
    let error = await #expect(throws: SimulationError.self) { try await Simulation("3G", client) }
    guard case .notCaptured(_, let place, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(place == "\(#filePath):\(line)")
  }

  @Test func `a thread that runs at an unknown place is not called blocked`() {
    let nowhere = ClientPlace(ofTask: nil)
    let error = SimulationError.standstill(.runs(nowhere), at: .zero, after: .seconds(1), waiting: [], in: nil)
    #expect("\(error)".contains("A thread runs without waiting, at a place that is not known: "), "\(error)")
  }

  @Test func `a deadlock names the continuation that nobody resumes`() async throws {
    let waiting = try await Self.waiting { await Device().answer() }
    #expect(waiting == ["a continuation, at \(#filePath):\(Device.line)"])
  }

  @Test(arguments: [false, true])
  func `a deadlock names the loop over a stream that never ends`(throws: Bool) async throws {
    let line = #line + 5
    let waiting = try await Self.waiting {
      let (texts, input) = AsyncThrowingStream.makeStream(of: String.self)
      let (numbers, output) = AsyncStream.makeStream(of: Int.self)
      if `throws` {
        for try await text in texts { _ = text }
      } else {
        for await number in numbers { _ = number }
      }
      withExtendedLifetime((input, output)) {}
    }
    #expect(waiting == ["a continuation, at \(#filePath):\(line + (`throws` ? 0 : 2))"])
  }

  @Test func `a deadlock names no continuation that was resumed`() async throws {
    let waiting = try await Self.waiting {
      let value = await withCheckedContinuation { $0.resume(returning: 1) }
      let child = Task {
        try await Task.sleep(for: .seconds(value))
        return await withCheckedContinuation { answer in DispatchQueue.global().async { answer.resume(returning: 2) } }
      }
      _ = try? await child.value
      // A thread that waits, so that the run ends in a deadlock.
      await Task.detached { Self.waitForEver() }.value
    }
    #expect(waiting == [])
  }

  private actor Device {
    static let line = #line + 2
    func answer() async {
      let child = Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
      await child.value
    }
  }

  private static func waitForEver() { DispatchSemaphore(value: 0).wait() }

  /// What a deadlocked client waits for, without its blocked threads.
  private static func waiting(_ client: @escaping @Sendable () async throws -> Void) async throws -> [String]? {
    let error = await #expect(throws: SimulationError.self) {
      try await Simulation("3G", seed: 1) { _ in try await client() }
    }
    guard case .deadlock(_, let waiting, _) = error else {
      Issue.record("\(String(describing: error))")
      return nil
    }
    return waiting
  }
}
