import Foundation
import NetworkConditions

/// What came of one run of an exploration.
struct ExploredCourse: Sendable {
  /// What the client did, as others see it: its requests, how each ended, and whether it failed.
  let behaviour: String
  let failure: SearchCourse.Failure?
  /// How much of the client's time it took, in nanoseconds.
  let elapsed: Int64
  /// What it still offers to another fault, where that was asked for.
  var list: PointList?

  /// - Parameter usual: how many bytes each request's body has without a fault.
  init(_ course: SearchCourse, usual: [String: Int64]) {
    failure = course.failure
    elapsed = SimulatedInstant.zero.duration(to: course.timeline.time).wholeNanoseconds
    var steps: [(text: String, count: Int)] = []
    for transfer in course.timeline.transfers {
      let text = "\(Self.name(of: transfer)): \(Self.end(of: transfer, usual: usual))"
      if let last = steps.indices.last, steps[last].text == text {
        steps[last].count += 1
      } else {
        steps.append((text, 1))
      }
    }
    let words = steps.map { $0.count == 1 ? $0.text : "\($0.text), \($0.count) times" }
    let end = course.failure.map { ["fails: \($0.fingerprint)"] } ?? []
    behaviour = ((words.isEmpty ? ["no request"] : words) + end).joined(separator: "; ")
  }

  /// A run that could not be carried to its end.
  init(_ error: SimulationError) {
    let message = "\(error)"
    failure = SearchCourse.Failure(
      fingerprint: Fingerprint(error: FailureText.label(of: error)), message: message,
      details: nil)
    behaviour = "fails: \(FailureText.label(of: error))"
    elapsed = 0
  }

  /// The size of each body, by its request.
  static func sizes(in timeline: Timeline) -> [String: Int64] {
    Dictionary(timeline.transfers.map { (key(of: $0), $0.bytesReceived) }) { first, _ in first }
  }

  private static func key(of transfer: Transfer) -> String {
    "\(transfer.method) \(transfer.shownURL) \(transfer.occurrence) \(transfer.status ?? 0)"
  }

  private static func name(of transfer: Transfer) -> String {
    let path = URL(string: transfer.shownURL)?.path ?? transfer.shownURL
    let name = "\(transfer.method) \(path.isEmpty ? "/" : path)"
    return transfer.client.map { "client \($0), \(name)" } ?? name
  }

  private static func end(of transfer: Transfer, usual: [String: Int64]) -> String {
    switch transfer.outcome {
    case .running: return "under way"
    case .finished:
      let isShort = usual[key(of: transfer)].map { transfer.bytesReceived < $0 } ?? false
      return "\(transfer.status.map { "\($0)" } ?? "done")\(isShort ? ", cut short" : "")"
    case .failed(let code): return URLErrorNames.name(of: code)
    case .cancelled: return "cancelled"
    }
  }
}

/// The client's time is over.
struct HorizonPassed: Error, CustomStringConvertible {
  let limit: Duration
  var description: String { "It has not ended after \(limit.formatText) of its time." }
}
