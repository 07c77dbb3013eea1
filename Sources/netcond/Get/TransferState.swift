import NetworkConditions

/// The state of a transfer that is under way, computed from the network's events.
struct TransferState: Equatable {
  enum Stage: String {
    case resolve, connect, secure, send, wait, receive
  }

  private(set) var stage = Stage.connect
  private(set) var isRunning = false
  private(set) var started = SimulatedInstant.zero
  private(set) var received: Int64 = 0
  private(set) var expected: Int64?
  private(set) var sent: Int64 = 0
  private(set) var toSend: Int64?
  private(set) var lost = 0
  private(set) var retransmitted = 0
  var phase = ""
  private(set) var lastProgress = SimulatedInstant.zero
  private var samples: [Sample] = []
  private var isSecure = false

  private struct Sample: Equatable {
    var time: SimulatedInstant
    var total: Int64
  }

  static let window = Duration.seconds(2)

  mutating func apply(_ event: NetworkEvent) {
    switch event.kind {
    case .started(_, let url):
      self = TransferState(continuing: self, url: url, at: event.time)
      return
    case .resolved: stage = .connect
    case .connected: stage = isSecure ? .secure : .send
    case .secured: stage = .send
    case .requestSent: stage = .wait
    case .uploaded(let bytes, let total):
      sent = bytes
      toSend = total
      note(bytes, at: event.time)
    case .response:
      stage = .receive
      samples = [Sample(time: event.time, total: received)]
    case .received(let bytes, let total):
      stage = .receive
      received = bytes
      expected = total
      note(bytes, at: event.time)
    case .packetLost: lost += 1
    case .retransmitted: retransmitted += 1
    case .phaseEntered(let name): phase = name
    default: break
    }
    switch event.kind {
    case .packetLost, .retransmitted, .stalled: break
    default: if event.transfer != nil { lastProgress = event.time }
    }
  }

  init() {}

  /// The state at the beginning of the call's next transfer; start time, phase and loss counts continue.
  private init(continuing other: TransferState, url: String, at time: SimulatedInstant) {
    isRunning = true
    started = other.isRunning ? other.started : time
    lastProgress = time
    lost = other.lost
    retransmitted = other.retransmitted
    phase = other.phase
    isSecure = url.lowercased().hasPrefix("https:")
    stage = .resolve
  }

  /// The current rate of the response's body, or before it of the request's body, in bits per second.
  func rate(at now: SimulatedInstant) -> Double {
    rate(since: now.advanced(by: .zero - Self.window), until: now)
  }

  private func rate(since begin: SimulatedInstant, until now: SimulatedInstant) -> Double {
    guard let first = samples.last(where: { $0.time <= begin }) ?? samples.first, let last = samples.last else {
      return 0
    }
    let seconds = max(first.time, begin).duration(to: max(now, last.time)) / .seconds(1)
    return seconds > 0.05 ? Double(last.total - first.total) * 8 / seconds : 0
  }

  /// The transferred share of the current body, from 0 to 1; `nil` when its size is unknown.
  var share: Double? {
    switch stage {
    case .receive: expected.map { $0 > 0 ? Double(received) / Double($0) : 1 }
    case .send, .wait: sent > 0 ? toSend.map { $0 > 0 ? Double(sent) / Double($0) : 1 } : nil
    default: nil
    }
  }

  /// The remaining seconds at the mean rate since the head; the current rate would make the figure jump.
  func secondsLeft(at now: SimulatedInstant) -> Double? {
    guard stage == .receive, let expected else { return nil }
    let rate = rate(since: .zero, until: now)
    return rate > 0 ? Double(expected - received) * 8 / rate : nil
  }

  private mutating func note(_ total: Int64, at time: SimulatedInstant) {
    samples.append(Sample(time: time, total: total))
    // The first sample is kept for the mean rate, and one before the window, so that the window is covered.
    let begin = time.advanced(by: .zero - Self.window)
    if samples.count > 512, let keep = samples.lastIndex(where: { $0.time <= begin }), keep > 1 {
      samples.removeSubrange(1..<keep)
    }
  }
}
