import Internals
import LinkSimulator
import NetworkConditions
import NetworkProxy

struct ProxyActivity: Sendable {
  struct Row: Sendable {
    let number: Int
    let name: String
    let started: SimulatedInstant
    var up: Int64 = 0
    var down: Int64 = 0
    var expected: Int64?
    var status: Int?
    var end: (kind: NetworkEvent.Kind, time: SimulatedInstant)?
    var lost = 0
    var faults: [String] = []

    func line(_ style: Style) -> String {
      guard let end else { return "" }
      let took = Amounts.time(started.duration(to: end.time))
      var parts = [took.padded(to: 8, right: true), status.map { "\($0)" } ?? "   ", name.printable]
      parts.append("\(Amounts.bytes(down)) down, \(Amounts.bytes(up)) up")
      if lost > 0 { parts.append(style(.warning, "\(lost) lost")) }
      for fault in faults { parts.append(style(.bad, fault.printable)) }
      if case .failed(let code) = end.kind {
        parts.append(style(.bad, "failed (\(Failure.name(of: code)))"))
      } else if end.kind != .finished {
        parts.append(style(.bad, "\(end.kind)"))
      }
      return parts.joined(separator: "  ")
    }

    func bar(width: Int, at now: SimulatedInstant, _ style: Style) -> String {
      let amount = Amounts.bytes(down) + (expected.map { " of \(Amounts.bytes($0))" } ?? "")
      let tail = "  \(amount)  \(Amounts.time(started.duration(to: max(now, started))))"
      let room = max(8, min(24, width / 4))
      let share = expected.map { $0 > 0 ? Double(down) / Double($0) : 1 }
      let left = max(8, width - room - tail.count - 2)
      return Blocks.gauge(share, width: room, .down, style) + "  " + name.printable.shortened(to: left)
        + style(.faint, tail)
    }
  }

  private(set) var running: [Int: Row] = [:]
  /// A line to print once: for a transfer that has ended, or for changed conditions.
  enum News: Sendable {
    case ended(Row)
    case changed(to: String, at: SimulatedInstant)

    func line(_ style: Style) -> String {
      switch self {
      case .ended(let row): return row.line(style)
      case .changed(let name, let time):
        let moment = Amounts.time(SimulatedInstant.zero.duration(to: time))
        return "at \(moment)".padded(to: 13) + style(.strong, "the network is now \(name.printable)")
      }
    }
  }

  private var news: [News] = []

  mutating func apply(_ event: NetworkEvent) {
    guard let number = event.transfer else {
      if case .conditionsChanged(let name) = event.kind { note(.changed(to: name, at: event.time)) }
      return
    }
    if case .started(let method, let url) = event.kind {
      running[number] = Row(number: number, name: "\(method) \(url)", started: event.time)
      return
    }
    guard var row = running[number] else { return }
    switch event.kind {
    case .uploaded(let bytes, _): row.up = bytes
    case .received(let bytes, let expected): (row.down, row.expected) = (bytes, expected)
    case .response(let status): row.status = status
    case .packetLost: row.lost += 1
    case .fault(let words): row.faults.append(words)
    default: break
    }
    running[number] = row
    guard event.kind.isEnd else { return }
    row.end = (event.kind, event.time)
    running[number] = nil
    note(.ended(row))
  }

  private mutating func note(_ event: News) {
    // A limit, in case nobody takes the news.
    if news.count < 1_000 { news.append(event) }
  }

  mutating func takeNews() -> [News] {
    defer { news = [] }
    return news
  }
}

/// Shows a proxy's activity on standard error.
///
/// It prints a line for each finished transfer and each change of the network. On a terminal it also draws a bar for
/// each transfer that is under way.
struct ProxyDisplay: Sendable {
  private static let mostBars = 16
  private let painter: Task<Void, Never>

  init(_ activity: Locked<ProxyActivity>, of proxy: NetworkProxy, on console: Console) {
    painter = Task(priority: .high) {
      var height = 0
      var isLast = false
      while !isLast {
        isLast = Task.isCancelled
        let (news, running) = activity.withLock { activity in
          (activity.takeNews(), activity.running.values.sorted { $0.number < $1.number })
        }
        var text = height > 0 ? "\u{1B}[\(height)A\u{1B}[J" : ""
        for event in news { text += event.line(console.errorStyle) + "\n" }
        height = 0
        if console.isLive, !isLast, let (now, conditionName) = proxy.moment {
          let width = console.width - 1
          for row in running.prefix(Self.mostBars) { text += row.bar(width: width, at: now, console.errorStyle) + "\n" }
          if running.count > Self.mostBars { text += "… and \(running.count - Self.mostBars) more\n" }
          text += console.errorStyle(.faint, "\(conditionName.printable), \(running.count) open") + "\n"
          height = min(running.count, Self.mostBars) + (running.count > Self.mostBars ? 2 : 1)
        }
        if !text.isEmpty { console.error(text) }
        if !isLast { try? await Task.sleep(for: .milliseconds(console.isLive ? 100 : 250)) }
      }
    }
  }

  func stop() async {
    painter.cancel()
    await painter.value
  }
}
