import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

@testable import NetworkProxy

struct ToxicTests {
  private func toxic(_ json: String) throws -> Toxic {
    try Toxic(try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)))
  }

  @Test func `a toxic works downstream unless its stream is upstream`() throws {
    #expect(try toxic(#"{"type": "latency"}"#).direction == .down)
    #expect(try toxic(#"{"type": "latency", "stream": "downstream"}"#).direction == .down)
    #expect(try toxic(#"{"type": "latency", "stream": "upstream"}"#).direction == .up)
  }

  @Test func `a toxicity outside 0 to 1 is refused`() throws {
    for share in ["0", "0.5", "1"] {
      #expect(try toxic(#"{"type": "noop", "toxicity": \#(share)}"#).toxicity == Double(share))
    }
    for share in ["-0.1", "1.01", "1.5"] {
      #expect(throws: ControlError.self) { try toxic(#"{"type": "noop", "toxicity": \#(share)}"#) }
    }
  }

  @Test func `an attribute of a toxic is refused with the numbers that it may have`() {
    for number in ["-1", "1e13"] {
      let error = #expect(throws: ControlError.self) {
        try toxic(#"{"type": "latency", "attributes": {"latency": \#(number)}}"#)
      }
      #expect(error?.sentence == "bad request body: latency must be a number from 0 to 10^12")
    }
  }

  @Test func `the smaller of two limit_data toxics applies`() throws {
    let limits = try [30, 10].map { try toxic(#"{"type": "limit_data", "attributes": {"bytes": \#($0)}}"#) }
    for toxics in [limits, limits.reversed()] {
      let effects = ToxicEffects(toxics, passed: 4)
      #expect(effects.limit == 10 && effects.allowance(at: .zero, KeyedRandom(seed: 0)) == 6)
    }
  }

  @Test func `the delays of two slow_close toxics add up`() throws {
    let delays = try [30, 10].map { try toxic(#"{"type": "slow_close", "attributes": {"delay": \#($0)}}"#) }
    #expect(ToxicEffects(delays, passed: 0).closeDelay == .milliseconds(40))
  }

  @Test func `slice sizes cover the average plus and minus the variation`() throws {
    let slicer = try toxic(#"{"type": "slicer", "attributes": {"average_size": 10, "size_variation": 3}}"#)
    let sizes = Set(
      (0..<500).map { passed in
        ToxicEffects([slicer], passed: Int64(passed)).allowance(at: .zero, KeyedRandom(seed: 1))
      })
    #expect(sizes == Set(7...13))
  }

  @Test func `a toxic that is added again applies to the same connections as before`() throws {
    let some = try toxic(#"{"name": "some", "type": "limit_data", "toxicity": 0.5, "attributes": {"bytes": 10}}"#)
    let all = try toxic(#"{"name": "all", "type": "limit_data", "attributes": {"bytes": 30}}"#)
    var struck = 0
    for number in 0..<100 {
      var toxics = ConnectionToxics(chance: KeyedRandom(seed: 1).keyed(by: UInt64(number)))
      let (always, first, repeated) = (
        toxics.draw(from: [all]), toxics.draw(from: [all, some]), toxics.draw(from: [all, some])
      )
      #expect(always == [all] && repeated.isEmpty)
      #expect(toxics.allowance(.down, at: .zero) == (first.isEmpty ? 30 : 10))
      let (none, again) = (toxics.draw(from: []), toxics.draw(from: [some]))
      #expect(none.isEmpty && again == first)
      struck += first.count
    }
    #expect((35...65).contains(struck))
  }

  @Test func `changing toxics does not reset the count of passed bytes`() throws {
    let limits = try [10, 30].map { try toxic(#"{"type": "limit_data", "attributes": {"bytes": \#($0)}}"#) }
    var toxics = ConnectionToxics()
    _ = toxics.draw(from: [limits[0]])
    toxics.effects[.down]?.passed = 4
    #expect(toxics.allowance(.down, at: .zero) == 6)
    _ = toxics.draw(from: [limits[1]])
    #expect(toxics.allowance(.down, at: .zero) == 26)
  }

  @Test func `toxics with equal toxicity are drawn independently`() throws {
    let both = try ["a", "b"].map { try toxic(#"{"name": "\#($0)", "type": "noop", "toxicity": 0.5}"#) }
    let counts = (0..<100).map { number in
      var toxics = ConnectionToxics(chance: KeyedRandom(seed: 1).keyed(by: UInt64(number)))
      return toxics.draw(from: both).count
    }
    #expect((35...65).contains(counts.count { $0 == 1 }))
  }

  @Test(arguments: [
    #"{"rate": 1}"#, #"{"latency": -1}"#, #"{"latency": 1000000000001}"#, #"{"latency": "5"}"#, #"{"latency": null}"#,
    "[]",
  ])
  func `a toxic's attributes must be those of its kind, and numbers from 0 to a million million`(attributes: String) {
    #expect(throws: ControlError.self) { try toxic(#"{"type": "latency", "attributes": \#(attributes)}"#) }
  }

  @Test func `latencies add up and the lowest bandwidth applies, separately in each direction`() throws {
    let late = #"{"type": "latency", "stream": "upstream", "attributes": {"latency": 5, "jitter": 2}}"#
    let narrow = try [10, 5, 7].map { try toxic(#"{"type": "bandwidth", "attributes": {"rate": \#($0)}}"#) }
    var conditions = PathConditions()
    for toxic in try [toxic(late), toxic(late)] + narrow { toxic.apply(to: &conditions) }
    #expect(
      conditions.up == LinkConditions(delay: .milliseconds(10), jitter: Jitter(.uniform, spread: .milliseconds(2))))
    #expect(conditions.down == LinkConditions(rate: .kilobitsPerSecond(40)))
    try toxic(#"{"type": "bandwidth", "stream": "upstream", "attributes": {"rate": 1000000000000}}"#).apply(
      to: &conditions)
    #expect(conditions.up.rate.map { $0 <= .maximum && $0 > .megabitsPerSecond(1_000_000) } == true)
    try toxic(#"{"type": "noop"}"#).apply(to: &conditions)
    #expect(conditions.down.delay == .zero)
  }
}
