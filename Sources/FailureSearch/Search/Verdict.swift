import Foundation
import NetworkConditions

/// The facts about a run that a search needs; small, because a worker process sends them.
struct Verdict: Codable, Sendable {
  var failure: SearchRun.Failure?
  let hasMetFault: Bool
  let length: Duration
  let transfers: [Step]
  var schedule: FaultSchedule?
  var written: WrittenTimeline?
  /// The signal that ended the run's process, such as `SIGILL`, or another reason; `nil` if the process continued.
  var ending: String?

  struct Step: Codable, Sendable {
    private let client: Int?
    private let method: String
    private let url: String
    private let occurrence: Int
    private let status: Int?
    let end: String
    let isFinished: Bool
    /// Whether a fault replaced the server's answer, so that the answer's length has no meaning.
    let isReplaced: Bool
    let bytes: Int64
  }

  /// A timeline as text, from the process that made the run.
  struct WrittenTimeline: Codable, Sendable {
    let drawing: String
    let text: String
    let trace: [String]

    init(_ timeline: Timeline, faults: [ScheduledFault]) {
      (drawing, text) = (
        "\(TimelineDrawing(timeline, faults: faults, width: 80))", TimelineText.text(timeline, faults: faults)
      )
      trace = timeline.trace
    }
  }

  init(_ run: SearchRun) {
    self.init(run.timeline, under: run.profile)
    failure = run.failure
    // A closure that has not returned may never do so. Its run is described here and not made again elsewhere.
    guard failure != nil, !run.hasReturned else { return }
    schedule = run.schedule
    written = WrittenTimeline(run.timeline, faults: schedule?.faults ?? [])
  }

  /// The verdict on a run about which nothing is known.
  static let nothing = Verdict()

  private init() { (hasMetFault, length, transfers) = (false, .zero, []) }

  init(_ timeline: Timeline, under profile: NetworkProfile) {
    hasMetFault = timeline.hasFault(under: profile)
    length = SimulatedInstant.zero.duration(to: timeline.time)
    let replaced = timeline.events.compactMap { event -> Int? in
      if case .fault(let words) = event.kind, ["status ", "stale "].contains(where: words.hasPrefix) {
        event.transfer
      } else {
        nil
      }
    }
    transfers = timeline.transfers.map { Step($0, isReplaced: replaced.contains($0.number)) }
  }
}

extension Verdict.Step {
  init(_ transfer: Transfer, isReplaced: Bool) {
    self.isReplaced = isReplaced
    (client, method, url) = (transfer.client, transfer.method, transfer.shownURL)
    (occurrence, status) = (transfer.occurrence, transfer.status)
    bytes = transfer.bytesReceived
    isFinished = transfer.outcome == .finished
    end = transfer.ending
  }

  var name: String {
    let path = URL(string: url)?.path(percentEncoded: false) ?? url
    let call = "\(method) \(path.isEmpty ? "/" : path)"
    return client.map { "client \($0), \(call)" } ?? call
  }

  /// A key of method, URL, occurrence and status, which finds the same transfer in another run.
  var key: String { "\(method) \(url) \(occurrence) \(status ?? 0)" }
}

extension Timeline {
  /// The events in words, without phases: a benign phase is no fault, and a replay has none.
  var trace: [String] {
    events.filter { event in
      switch event.kind {
      case .phaseEntered: false
      default: true
      }
    }.map(\.description)
  }

  /// Whether a request met a fault, a lost packet, an outage, or a phase unlike the base conditions.
  fileprivate func hasFault(under profile: NetworkProfile) -> Bool {
    events.contains { event in
      switch event.kind {
      case .fault, .packetLost(_, .link), .packetLost(_, .outage): true
      default: false
      }
    } || transfers.contains { profile.isAdverse(from: $0.started, to: $0.ended ?? time) }
  }
}
