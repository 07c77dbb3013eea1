import Foundation
import Internals
import LinkSimulator
import NetworkConditions

/// What an exploration keeps of a run: the client's behaviour, its failure, and where a further fault can strike.
struct ExploredRun: Sendable {
  let behaviour: String
  let failure: SearchRun.Failure?
  /// How long the run took in virtual time, in nanoseconds.
  let elapsed: Int64
  var waits: Set<Duration> = []
  /// The classes of points at which a further fault can strike this run, if they were listed.
  var offers: [Offer]?

  struct Offer: Sendable {
    let key: PointClass.Key
    let count: Int
  }

  init(_ verdict: Verdict, usual: [String: Int64]) {
    failure = verdict.failure
    elapsed = verdict.length.wholeNanoseconds
    var steps: [(text: String, count: Int)] = []
    for transfer in verdict.transfers {
      let isShort =
        transfer.isFinished && !transfer.isReplaced && (usual[transfer.key].map { transfer.bytes < $0 } ?? false)
      let text = "\(transfer.name): \(transfer.end)\(isShort ? ", cut short" : "")"
      if let last = steps.indices.last, steps[last].text == text {
        steps[last].count += 1
      } else {
        steps.append((text, 1))
      }
    }
    let words = steps.map { $0.count == 1 ? $0.text : "\($0.text), \($0.count) times" }
    let end = failure.map { ["fails: \($0.fingerprint)"] } ?? []
    behaviour = ((words.isEmpty ? ["no request"] : words) + end).joined(separator: "; ")
  }
}

struct HorizonPassed: LabelledError, CustomStringConvertible {
  let limit: Duration
  let label = "HorizonPassed"
  var description: String {
    "The client has not ended after \(FigureText.time(nanoseconds: limit.wholeNanoseconds)) of its time."
  }
}
