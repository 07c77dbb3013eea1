import Internals
import LinkSimulator
import NetworkConditions
import Testing

@testable import netcond

struct ProxyActivityTests {
  private static func lines(_ events: [(seconds: Double, transfer: Int?, kind: NetworkEvent.Kind)]) -> [String] {
    var activity = ProxyActivity()
    for event in events {
      let time = SimulatedInstant.zero.advanced(by: .seconds(event.seconds))
      activity.apply(NetworkEvent(time: time, transfer: event.transfer, kind: event.kind))
    }
    return activity.takeNews().map { $0.line(.none) }
  }

  @Test func `the proxy's log lists changes of conditions in order, with transfers between them`() {
    let lines = Self.lines([
      (1, nil, .conditionsChanged("offline (drop)")), (2, 0, .started(method: "db", url: "tcp://localhost:5432/")),
      (2.5, nil, .conditionsChanged("3G")), (3, 0, .finished),
    ])
    #expect(
      lines == [
        "at 1 s       the network is now offline (drop)", "at 2.5 s     the network is now 3G",
        "     1 s       db tcp://localhost:5432/  0 B down, 0 B up",
      ])
  }

  @Test func `the proxy's log gives a transfer's status, its bytes in each direction and its losses`() {
    let lines = Self.lines([
      (0, 0, .started(method: "PUT", url: "http://a.example/")), (1, 0, .uploaded(bytes: 7, of: 7)),
      (1, 0, .response(status: 201)), (1.5, 0, .packetLost(.down, .link)), (2, 0, .received(bytes: 40, of: 40)),
      (2, 0, .finished),
    ])
    #expect(lines == ["     2 s  201  PUT http://a.example/  40 B down, 7 B up  1 lost"])
  }

  @Test func `the proxy's log names the error of a failed transfer`() {
    let lines = Self.lines([
      (0, 0, .started(method: "GET", url: "http://a.example/")), (1, 0, .failed(.cannotFindHost)),
    ])
    #expect(lines == ["     1 s       GET http://a.example/  0 B down, 0 B up  failed (cannotFindHost)"])
  }

  @Test(arguments: [(40, 10), (80, 20), (200, 24)])
  func `the bar of a transfer shows its share, and its line is as wide as the terminal`(width: Int, room: Int) {
    var row = ProxyActivity.Row(number: 0, name: String(repeating: "x", count: 300), started: .zero)
    (row.down, row.expected) = (50, 100)
    let now = SimulatedInstant.zero.advanced(by: .seconds(2))
    let line = row.bar(width: width, at: now, .none)
    let half = room / 2
    #expect(
      line.hasPrefix(String(repeating: "█", count: half) + String(repeating: "·", count: half) + "  x"), "\(line)")
    #expect(line.hasSuffix("  50 B of 100 B  2 s") && line.count == width, "\(line)")
    row.expected = nil
    #expect(row.bar(width: width, at: now, .none).hasPrefix(String(repeating: "·", count: room) + "  x"))
  }

  @Test func `the bar of an empty response is full, and a transfer that begins later has taken no time`() {
    var row = ProxyActivity.Row(number: 0, name: "a", started: .zero.advanced(by: .seconds(5)))
    row.expected = 0
    let moments = [3, 5, 6].map { row.bar(width: 80, at: .zero.advanced(by: .seconds($0)), .none) }
    #expect(moments[0] == moments[1] && moments[2].hasSuffix("  0 B of 0 B  1 s"))
    #expect(moments[0].hasPrefix(String(repeating: "█", count: 20) + "  a"), "\(moments[0])")
  }

  @Test func `a transfer that has ended is no longer running, and only 1000 lines wait to be printed`() {
    var activity = ProxyActivity()
    for number in 0..<1_001 {
      activity.apply(NetworkEvent(time: .zero, transfer: number, kind: .started(method: "GET", url: "/\(number)")))
      if number == 0 { #expect(activity.running.count == 1) }
      activity.apply(NetworkEvent(time: .zero, transfer: number, kind: .finished))
    }
    #expect(activity.running.isEmpty && activity.takeNews().count == 1_000 && activity.takeNews().isEmpty)
  }
}
