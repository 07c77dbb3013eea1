import Foundation
import NetworkConditions

extension Transfer {
  /// Whether a person would call it a failure: an error, or a status of 400 or above.
  var isFailure: Bool {
    if case .failed = outcome { return true }
    return outcome == .finished && (status ?? 0) >= 400
  }

  /// How it ended, as one word.
  var outcomeWord: String {
    switch outcome {
    case .running: "running"
    case .finished: "finished"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }

  /// The name of the error that it failed with; empty when it did not.
  var errorName: String {
    guard case .failed(let code) = outcome else { return "" }
    return URLErrorNames.known(code) ?? "\(code.rawValue)"
  }
}
