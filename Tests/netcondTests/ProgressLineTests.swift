import Internals
import LinkSimulator
import NetworkConditions
import Testing

@testable import netcond

struct ProgressLineTests {
  static func at(_ milliseconds: Int64) -> SimulatedInstant { SimulatedInstant(nanoseconds: milliseconds * 1_000_000) }

  /// The state of a transfer after these events.
  static func state(_ events: [(Int64, NetworkEvent.Kind)]) -> TransferState {
    var state = TransferState()
    for (time, kind) in events { state.apply(NetworkEvent(time: at(time), transfer: 0, kind: kind)) }
    return state
  }

  static let begun: [(Int64, NetworkEvent.Kind)] = [
    (0, .started(method: "GET", url: "https://netcond.example/demo")), (100, .resolved(cached: false)),
    (200, .connected(reused: false)), (300, .secured), (300, .requestSent),
  ]
  static let receiving =
    begun + [
      (500, .response(status: 200)), (1000, .received(bytes: 50_000, of: 200_000)),
      (1500, .received(bytes: 100_000, of: 200_000)),
    ]

  @Test func `the progress line goes through the stages of a request in order`() {
    let stages = (1...Self.begun.count).map { Self.state(Array(Self.begun.prefix($0))).stage }
    #expect(stages == [.resolve, .connect, .secure, .send, .wait])
    #expect(Self.state(Self.receiving).stage == .receive)
  }

  @Test func `the progress bar is half full when half of the bytes have arrived`() {
    let state = Self.state(Self.receiving)
    #expect(state.share == 0.5)
    // 100 kB in the second since the head are 800 kbit/s; another 100 kB remain.
    #expect(state.rate(at: Self.at(1500)) == 800_000)
    #expect(state.secondsLeft(at: Self.at(1500)) == 1)
    let line = ProgressLine(state: state, now: Self.at(1500)).text(width: 80, style: .none)
    #expect(line.hasPrefix("receive  ██"))
    #expect(line.hasSuffix("100 kB of 200 kB  800 kbit/s  0:01 left"))
  }

  @Test(arguments: 20...140)
  func `the progress line fits terminals of any width`(width: Int) {
    var state = Self.state(Self.receiving + [(1600, .packetLost(.down, .link)), (1700, .retransmitted(.down, .fast))])
    state.phase = "a phase with a long name"
    for out in [false, true] {
      let line = ProgressLine(state: state, now: Self.at(1800), isOut: out).text(width: width, style: .none)
      #expect(line.count <= max(width, 28), "\(line)")
    }
  }

  @Test func `the progress bar moves before the first byte arrives`() {
    let state = Self.state(Array(Self.begun.prefix(1)))
    let lines = (0..<3).map { ProgressLine(state: state, now: Self.at(50), frame: $0).text(width: 60, style: .none) }
    #expect(Set(lines).count == 3)
    #expect(lines[0].hasPrefix("resolve  ███···"))
  }

  @Test func `until an answer comes, the progress line shows the bytes sent and the time since the start`() {
    let started: [(Int64, NetworkEvent.Kind)] = [(400, .started(method: "PUT", url: "http://a.example/"))]
    func tail(_ events: [(Int64, NetworkEvent.Kind)]) -> String {
      let line = ProgressLine(state: Self.state(started + events), now: Self.at(1650)).text(width: 60, style: .none)
      return String(line.split { "·█".contains($0) }.last ?? "")
    }
    #expect(tail([(500, .connected(reused: false))]) == "  1.2 s")
    #expect(tail([(500, .connected(reused: false)), (600, .requestSent)]) == "  1.2 s")
    let uploading = tail([(500, .connected(reused: false)), (1000, .uploaded(bytes: 50_000, of: 200_000))])
    #expect(uploading.hasPrefix("  50 kB of 200 kB  "), "\(uploading)")
  }

  @Test func `the progress line shows a stall after a silence, or an outage`() {
    let state = Self.state(Self.receiving)
    // The last bytes arrived at 1.5 s; another 1.5 s of silence are not yet a stall.
    let now = Self.at(3000)
    #expect(ProgressLine(state: state, now: now).text(width: 80, style: .none).hasPrefix("receive"))
    let later = now.advanced(by: .milliseconds(1))
    #expect(ProgressLine(state: state, now: later).text(width: 80, style: .none).hasPrefix("stalled"))
    #expect(ProgressLine(state: state, now: later, isOut: true).text(width: 80, style: .none).hasPrefix("outage"))
  }

  @Test func `the progress line shows a stalled upload, but a response that is late is no stall`() {
    func line(_ events: [(Int64, NetworkEvent.Kind)]) -> String {
      ProgressLine(state: Self.state(events), now: Self.at(9_000)).text(width: 80, style: .none)
    }
    let sending = Self.begun.dropLast() + [(400, .uploaded(bytes: 50_000, of: 200_000))]
    #expect(line(Array(sending)).hasPrefix("stalled"))
    #expect(line(Self.begun).hasPrefix("wait"))
  }

  @Test(arguments: [(80, "0 lost"), (120, "0 lost, 1 resent")])
  func `the progress line shows a retransmission without a loss`(width: Int, words: String) {
    let state = Self.state(Self.receiving + [(1500, .retransmitted(.down, .fast))])
    let line = ProgressLine(state: state, now: Self.at(1500)).text(width: width, style: .none)
    #expect(line.contains("  \(words)  "))
  }

  @Test func `after a redirect the progress line starts again but keeps its count of losses`() {
    let state = Self.state(
      Self.receiving + [(1600, .packetLost(.down, .link)), (1700, .started(method: "GET", url: "http://127.0.0.1/2"))])
    #expect(state.received == 0)
    #expect(state.lost == 1)
    #expect(state.started == Self.at(0))
    #expect(state.stage == .resolve)
  }
}
