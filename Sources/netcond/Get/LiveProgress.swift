import Internals
import NetworkConditions

/// Draws the line that moves, ten times a second, on standard error.
final class LiveProgress: Sendable {
  private let observation: NetworkObservation
  private let painter: Task<Void, Never>

  private static let hideCursor = "\u{1B}[?25l"
  private static let showCursor = "\u{1B}[?25h"
  private static let clearLine = "\r\u{1B}[2K"

  init(_ network: SimulatedNetwork, on console: Console) {
    let box = StateBox()
    observation = network.observe { event in box.state.withLock { $0.apply(event) } }
    painter = Task {
      console.error(Self.hideCursor)
      var frame = 0
      while !Task.isCancelled {
        let line = ProgressLine(
          state: box.state.withLock { $0 }, now: network.now, profile: network.profile.name,
          isOut: ProfileFacts.isOut(network), frame: frame)
        console.error(Self.clearLine + line.text(width: console.width - 1, style: console.errorStyle))
        frame += 1
        try? await Task.sleep(for: .milliseconds(100))
      }
      console.error(Self.clearLine + Self.showCursor)
    }
  }

  /// Takes the line away and gives the cursor back.
  func stop() async {
    observation.cancel()
    painter.cancel()
    await painter.value
  }
}

/// The state that the network's queue writes and the painter reads.
private final class StateBox: Sendable {
  let state = Mutex(TransferState())
}
