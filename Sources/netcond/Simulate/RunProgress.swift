/// A line on standard error that says how many runs are done, while it takes long enough to ask.
struct RunProgress {
  let done = DoneCount()
  private let painter: Task<Void, Never>?

  private static let clearLine = "\r\u{1B}[2K"

  /// Begins to draw, on a terminal only.
  init(of total: Int, on console: Console) {
    guard console.isLive else {
      painter = nil
      return
    }
    let done = done
    // Before the runs, which keep every thread busy.
    painter = Task(priority: .high) {
      while (try? await Task.sleep(for: .milliseconds(200))) != nil {
        console.error(Self.clearLine + Self.line(done.value, of: total, console))
      }
      console.error(Self.clearLine)
    }
  }

  /// Takes the line away.
  func stop() async {
    painter?.cancel()
    await painter?.value
  }

  private static func line(_ done: Int, of total: Int, _ console: Console) -> String {
    let text = "  \(done) of \(total)"
    let room = min(40, console.width - 1 - text.count)
    guard room >= 4 else { return text }
    let bar = Blocks.bar(Double(done) / Double(max(1, total)), width: room)
    let rest = String(repeating: "·", count: max(0, room - bar.count))
    return console.errorStyle(.down, bar) + console.errorStyle(.faint, rest + text)
  }
}
