import Internals

/// The messages with which one expectation failed.
///
/// All failures of an expectation are one failure, since values such as times differ from run to run. Yet a few different
/// values may come from different bugs, so a report lists them. With more than ``most``, it lists none.
struct FailureForms: Codable, Hashable, Sendable {
  /// How many different messages are listed at most; more are taken for values that differ in each run.
  static let most = 12
  private static let shown = 3

  private struct Form: Codable, Hashable, Sendable {
    var count: Int
    var example: String
    var place: [Int]
  }

  /// The runs with each message; empty if there are too many messages.
  private var forms: [String: Form]

  /// The message of some runs, of which one is the example.
  init(_ message: String, _ count: Int, example: String, place: [Int]) {
    forms = [message: Form(count: count, example: example, place: place)]
  }

  mutating func add(_ other: FailureForms) {
    let isFull = forms.isEmpty || other.forms.isEmpty
    forms.merge(other.forms) { one, other in
      var form = one.place.precedes(other.place) ? one : other
      form.count = one.count + other.count
      return form
    }
    if isFull || forms.count > Self.most { forms = [:] }
  }

  /// The messages other than the given one, the most frequent first; `nil` if there are none, or too many.
  func text(besides message: String, counted: (Int) -> String) -> String? {
    let others = forms.filter { $0.key != message }.sorted { one, other in
      (other.value.count, one.key) < (one.value.count, other.key)
    }
    guard !others.isEmpty else { return nil }
    var lines = others.prefix(Self.shown).flatMap { message, form in
      ["  \(counted(form.count)): \(message.shortened(to: 120))", "    with \(form.example.shortened(to: 120))"]
    }
    if others.count > Self.shown { lines.append("  and \(others.count - Self.shown) more") }
    return (["With other values it failed, too:"] + lines).joined(separator: "\n")
  }
}
