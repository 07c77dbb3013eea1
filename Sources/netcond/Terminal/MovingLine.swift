import Internals

/// A line on standard error that is redrawn until it is removed.
struct MovingLine: Sendable {
  private let painter: Task<Void, Never>

  private static let clear = "\r\u{1B}[2K"
  private static let (hideCursor, showCursor) = ("\u{1B}[?25l", "\u{1B}[?25h")

  /// Draws `line` at once and after each pause; with `isPatient` first after one pause, so short work draws nothing.
  init(
    on console: Console, every pause: Duration, isPatient: Bool = false, _ line: @escaping @Sendable (Int) -> String
  ) {
    // The priority lets it run while the work that it shows keeps every thread busy.
    painter = Task(priority: .high) {
      if isPatient { try? await Task.sleep(for: pause) } else { console.error(Self.hideCursor) }
      var frame = 0
      while !Task.isCancelled {
        console.error(Self.clear + line(frame))
        frame += 1
        try? await Task.sleep(for: pause)
      }
      console.error(Self.clear + (isPatient ? "" : Self.showCursor))
    }
  }

  func stop() async {
    painter.cancel()
    await painter.value
  }
}

/// Shows on standard error how many runs are done and, at the end, how long all took.
struct RunProgress {
  let done = Locked(0)
  private let start = ContinuousClock.now
  private let console: Console
  private let line: MovingLine?

  init(of total: Int, on console: Console) {
    self.console = console
    let done = done
    line =
      console.isLive
      ? MovingLine(on: console, every: .milliseconds(200), isPatient: true) { _ in
        Self.line(done.value, of: total, console)
      } : nil
  }

  func stop() async { await line?.stop() }

  func tell(_ count: String) {
    console.error(console.errorStyle(.faint, "\(count) in \(Amounts.time(ContinuousClock.now - start))") + "\n")
  }

  private static func line(_ done: Int, of total: Int, _ console: Console) -> String {
    let text = "  \(done) of \(total)"
    let room = min(40, console.width - 1 - text.count)
    guard room >= 4 else { return text }
    return Blocks.gauge(Double(done) / Double(max(1, total)), width: room, .down, console.errorStyle)
      + console.errorStyle(.faint, text)
  }
}
