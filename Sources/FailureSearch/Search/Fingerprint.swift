public import NetworkConditions
import URLLoading

/// The mark of a failure: the error, the place where it was noticed, and for errors of transfers the last transfer's end.
///
/// Numbers in an error's text do not count, so that "19 of 20 items" and "3 of 20 items" are one failure.
public struct Fingerprint: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The error's text without its numbers.
  public let error: String
  /// The place of the failed expectation, such as a file and line, or those where a hanging client waits, if known.
  public let place: String?
  /// The last finished transfer, for errors of transfers and hangs without a place; for errors also how it ended.
  public let lastEvent: String?

  /// The parts of the fingerprint, one after another.
  public var description: String {
    [error, place.map { "at \($0)" }, lastEvent.map { "after \($0)" }].compactMap { $0 }.joined(separator: ", ")
  }

  var isHang: Bool { error == FailureText.hang }

  /// Whether the failure is an endless run; each such run takes the whole time limit.
  var isEndless: Bool { error == FailureText.endless }

  /// Whether a run that fails in this way takes real time or ends its process.
  var isSlow: Bool { isHang || isEndless || error == FailureText.memory || error.hasPrefix(FailureText.end) }

  init(error: String, place: String? = nil, lastEvent: String? = nil) {
    (self.error, self.place, self.lastEvent) = (error, place, lastEvent)
  }

  init(of error: any Error, in timeline: Timeline) {
    place = (error as? any DescribedFailure)?.place ?? (error as? SimulationError)?.placesOfWaits
    self.error = timeline.redaction.text(FailureText.label(of: error))
    let isHang = self.error == FailureText.hang
    let isOfTransfer = place == nil && (isHang || self.error.contains("URLError."))
    lastEvent =
      !isOfTransfer
      ? nil
      : timeline.events.last { $0.kind.isEnd }.map { event in
        let transfer = event.transfer.flatMap { number in timeline.transfers.first { $0.number == number } }
        let name =
          transfer.map { "\($0.method) \(URL(string: $0.shownURL)?.path(percentEncoded: false) ?? $0.shownURL)" }
          ?? "a transfer"
        // A client that waits for ever has dropped the answer, whatever it was.
        return isHang ? name : "\(name) \(Self.withoutNumbers(event.kind.end))"
      }
  }

  static func withoutNumbers(_ text: String) -> String {
    text.replacing(/#?[0-9]+/.matchingSemantics(.unicodeScalar), with: "#")
  }
}

/// An error that tells more about a failure than its description.
public protocol DescribedFailure: LabelledError {
  /// Where the failure was noticed, such as `FeedTests.swift:31`; a part of its ``Fingerprint``.
  var place: String? { get }
  /// Further text for reports, printed below the description.
  var details: String? { get }
}

extension DescribedFailure {
  /// The error's type and its description without numbers.
  ///
  /// Where the description may differ from run to run, the error's contents stand in its place.
  public var label: String { ErrorMeaning.contents(of: self, shortening: Fingerprint.withoutNumbers) }
}

package enum FailureText {
  static let hang = "deadlock"
  /// The label of a run that never ends, or whose thread never returns.
  static let endless = "a run without an end"
  /// The beginning of the label of a run in which the client ended its process.
  static let end = "the end of the process"
  static let memory = "too much memory"
  /// Rates, delays and a lasting outage of the profile are no faults.
  static let withoutFault =
    "It fails without any fault: look at the client, the test and the profile's steady conditions."
  /// What to do if two runs of one seed differ.
  static let unsteady = """
    Look for what outlives a run, such as a static object or a file: one seed draws the same `UUID()` in each run, so it \
    finds the folder of that name again. Where clients are not captured, look for the time and random numbers, too.
    """

  /// The rank of a failure, the worst first: 0 ends the app, 1 hangs it, 2 is an error.
  static func rank(of label: String) -> Int {
    if [end, memory].contains(where: label.hasPrefix) { return 0 }
    return [hang, endless].contains(where: label.hasPrefix) ? 1 : 2
  }

  /// Returns an error's text without the parts that differ from run to run.
  package static func label(of error: any Error) -> String {
    switch error {
    case let error as SimulationError where error.isHang: hang
    case let error as SimulationError where error.holdsThread: endless
    case SimulationError.unending: endless
    default: ErrorMeaning.text(of: error, shortening: Fingerprint.withoutNumbers)
    }
  }

  /// The error's message and its further details, without secrets.
  static func words(of error: any Error, _ redaction: Redaction) -> (message: String, details: String?) {
    // A simulation's own errors contain no secrets. They may contain a token, which redaction would remove.
    (
      error is SimulationError ? "\(error)" : redaction.text(message(of: error)),
      (error as? any DescribedFailure)?.details.map(redaction.text)
    )
  }

  private static func message(of error: any Error) -> String {
    switch error {
    case is SimulationError, is any LabelledError: "\(error)"
    case let error where ErrorMeaning.foundationError(in: error) != nil:
      "\(ErrorMeaning.text(of: error)): \(error.localizedDescription)"
    default: ErrorMeaning.text(of: error)
    }
  }
}

extension SimulationError {
  /// The files and lines at which a hanging client waits; `nil` if it names none.
  fileprivate var placesOfWaits: String? {
    guard case .deadlock(_, let waiting, let blocked) = self else { return nil }
    let places = Set((waiting + blocked).compactMap { $0.firstMatch(of: /, at .*?([^\/]+:\d+)$/)?.output.1 })
    return places.isEmpty ? nil : places.sorted().joined(separator: ", ")
  }
}

extension NetworkEvent.Kind {
  fileprivate var end: String {
    switch self {
    case .failed(let code): "failed (\(URLErrorNames.name(of: code)))"
    default: description
    }
  }
}
