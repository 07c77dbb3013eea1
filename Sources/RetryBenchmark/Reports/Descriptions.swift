import Internals
import LinkSimulator

// Printing a part of a benchmark shows a line or a screen, never the stored properties.

extension PolicyMetrics: CustomStringConvertible {
  /// One line, such as `full-jitter under 3G: 99.4 % of 1,000 requests succeed at 1.2 attempts each, 1,000 trials`.
  public var description: String {
    let share = success.rate.map {
      "\(FigureText.percent($0)) % of \(FigureText.grouped(success.total)) requests succeed"
    }
    let attempts = amplification.map { " at \(FigureText.digits($0)) attempt\($0 == 1 ? "" : "s") each" } ?? ""
    return "\(policy) under \(profile): \(share ?? "no request")\(attempts), \(FigureText.count(trials.count, "trial"))"
  }
}

extension TrialSummary: CustomStringConvertible {
  /// One line, such as `seed 7: 1 of 2 requests succeeded, 3 attempts`.
  public var description: String {
    "seed \(seed): \(successes) of \(FigureText.count(requests, "request")) succeeded, "
      + FigureText.count(attempts, "attempt")
  }
}

extension TrialRecord: CustomStringConvertible {
  /// The seed, then one line for each request, cut after the first ones.
  public var description: String {
    let lines = requests.map { request -> String in
      let tries = request.attempts.map { "\($0.outcome) at \(RetryReport.seconds($0.start))" }.joined(separator: ", ")
      return "  client \(request.client), \(RetryReport.seconds(request.start)): "
        + "\(request.isSuccess ? "succeeds" : "fails") at \(RetryReport.seconds(request.end)) (\(tries))"
    }
    return Excerpt.of(["seed \(seed): \(FigureText.count(requests.count, "request"))"] + lines, "request")
  }
}

extension NamedTrial: CustomStringConvertible {
  /// The profile and the policy, then one line for each request.
  public var description: String { "\(policy) under \(profile), \(trial)" }
}

extension RetryReport {
  fileprivate static func seconds(_ time: Duration) -> String { "\(FigureText.digits(time.inSeconds)) s" }
}

extension ServerModel: CustomStringConvertible {
  /// The server in words: ``text``.
  public var description: String { text }
}

extension CSVReport: CustomStringConvertible {
  /// The first rows; ``text`` has all rows.
  public var description: String { Excerpt.of(text: text) }
}

extension HTMLReport: CustomStringConvertible {
  /// The page's size in one line; ``text`` is the page.
  public var description: String { "a page of \(FigureText.bytes(Double(text.utf8.count))), to be written to a file" }
}

extension SVGReport: CustomStringConvertible {
  /// The picture's size in one line; ``text`` is the picture.
  public var description: String {
    "a picture of \(FigureText.bytes(Double(text.utf8.count))), to be written to a file"
  }
}
