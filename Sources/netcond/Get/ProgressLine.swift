import Internals
import NetworkConditions

struct ProgressLine {
  var state: TransferState
  var now: SimulatedInstant
  /// The profile's name; a phase of the same name is not shown.
  var profile = ""
  var isOut = false
  /// How many times the line was drawn; it moves the bar while the progress is unknown.
  var frame = 0

  /// How long nothing may arrive before the line shows "stalled".
  static let patience = Duration.milliseconds(1500)

  func text(width: Int, style: Style) -> String {
    let stage = (stageName.text.padded(to: 8), stageName.role)
    var fields = fields(isWide: width >= 100)
    var room = width - stage.0.count - 1
    func taken() -> Int { fields.reduce(0) { $0 + $1.text.count + 2 } }
    // The least important field is removed first.
    for rank in [4, 3, 2, 1] where room - taken() < 8 { fields.removeAll { $0.rank == rank } }
    room -= taken()
    let bar = room >= 4 ? bar(width: min(room, 40), style: style) : ""
    let tail = fields.map { style($0.role, $0.text) }
    return ([style(stage.1, stage.0) + " " + bar] + tail).joined(separator: "  ")
  }

  private struct Field {
    var text: String
    var role = Style.Role.plain
    var rank: Int
  }

  private var elapsed: Duration { state.isRunning ? state.started.duration(to: max(now, state.started)) : .zero }

  private var isStalled: Bool {
    state.isRunning && state.lastProgress.duration(to: now) > Self.patience && [.send, .receive].contains(state.stage)
  }

  private var stageName: (text: String, role: Style.Role) {
    if isOut { return ("outage", .bad) }
    if isStalled { return ("stalled", .warning) }
    return (state.stage.rawValue, .strong)
  }

  private func fields(isWide: Bool) -> [Field] {
    var fields: [Field] = []
    switch state.stage {
    case .receive:
      let total = state.expected.map { " of \(Amounts.bytes($0))" } ?? ""
      fields.append(Field(text: (Amounts.bytes(state.received) + total).padded(to: 16), rank: 0))
      fields.append(Field(text: FigureText.rate(state.rate(at: now)).padded(to: 10, right: true), rank: 1))
    case .send, .wait:
      guard state.sent > 0 else { break }
      let total = state.toSend.map { " of \(Amounts.bytes($0))" } ?? ""
      fields.append(Field(text: Amounts.bytes(state.sent) + total, rank: 0))
    default: break
    }
    if !state.phase.isEmpty, state.phase != profile {
      let phase = state.phase.printable.shortened(to: isWide ? 16 : 12)
      fields.append(Field(text: phase, role: .faint, rank: 4))
    }
    if state.lost > 0 || state.retransmitted > 0 {
      let resent = isWide && state.retransmitted > 0 ? ", \(state.retransmitted) resent" : ""
      fields.append(Field(text: "\(state.lost) lost\(resent)", role: .warning, rank: 3))
    }
    if let left = state.secondsLeft(at: now) {
      fields.append(Field(text: "\(Amounts.clock(left)) left", rank: 2))
    } else {
      let tenths = elapsed.wholeNanoseconds / 100_000_000
      fields.append(
        Field(text: "\(DecimalText.of(tenths, places: 1, keepsZeros: true)) s", role: .faint, rank: 2))
    }
    return fields
  }

  private func bar(width: Int, style: Style) -> String {
    let role: Style.Role = isOut ? .bad : isStalled ? .warning : state.stage == .receive ? .down : .up
    if let share = state.share { return Blocks.gauge(share, width: width, role, style) }
    // The progress is unknown, so a short bar moves to and fro.
    let piece = 3
    let span = max(1, width - piece)
    let step = frame % (2 * span)
    let position = step < span ? step : 2 * span - step
    let right = max(0, width - piece - position)
    return style(.faint, String(repeating: "·", count: position)) + style(role, String(repeating: "█", count: piece))
      + style(.faint, String(repeating: "·", count: right))
  }
}

/// Draws the progress line of a network's transfer ten times a second.
struct LiveProgress {
  private let observation: Task<Void, Never>
  private let line: MovingLine

  init(_ network: SimulatedNetwork, on console: Console) {
    let state = Locked(TransferState())
    let events = network.events
    observation = Task { for await event in events { state.withLock { $0.apply(event) } } }
    line = MovingLine(on: console, every: .milliseconds(100)) { frame in
      ProgressLine(
        state: state.value, now: network.now, profile: network.profile.name, isOut: ProfileFacts.isOut(network),
        frame: frame
      ).text(width: console.width - 1, style: console.errorStyle)
    }
  }

  func stop() async {
    observation.cancel()
    await line.stop()
  }
}
