import Foundation
import NetworkConditions
import Testing

@testable import ClientCapture

@Suite(.enabled(if: CaptureMode.obstacle == nil)) struct ClientPlaceTests {
  // The runtime never frees the debugging information that it keeps for each thread.
  @Test func `one thread looks up the source places for all threads`() async {
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

  @Test func `a place is the file and line of the call`() {
    let line = #line + 1
    let place = ClientPlace.current
    #expect(place.text == "\(#filePath):\(line)")
  }
}
