import LinkSimulator

/// The least difference between two success rates that matters to a decision.
///
/// The default margin is one percentage point. Where the better policy fails in fewer than 2 % of its requests, it is
/// half of that failure rate, but at least 0.1 points. So against a policy that fails once in 250 requests, one that
/// fails twice as often is worse, though by 0.4 points only.
public enum SuccessMargin: Hashable, Sendable, Codable {
  /// A difference in success rate, in thousandths of a percentage point.
  case points(thousandths: Int)
  /// A multiple of the better policy's failures, in thousandths: 1500 is half as many more.
  ///
  /// The margin is at least one request in ten thousand.
  case failures(thousandths: Int)

  /// The margin as `--margin` reads it, such as `0.5 points`.
  package var text: String {
    switch self {
    case .points(let count): "\(DecimalText.of(count, places: 3)) point\(count == 1_000 ? "" : "s")"
    case .failures(let count): "\(DecimalText.of(count, places: 3)) times"
    }
  }

  /// Reads `0.5 points` or `1.5 times`; `nil` for other text, and for a margin of zero.
  package init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, let number = Double(words[0]), number.isFinite, (0.001...1_000).contains(number) else {
      return nil
    }
    let count = Int((number * 1_000).rounded())
    switch words[1] {
    case "point" where number <= 100, "points" where number <= 100: self = .points(thousandths: count)
    case "times" where count > 1_000: self = .failures(thousandths: count)
    default: return nil
    }
  }

  /// The margin as a share of all requests, when the better policy fails in `share` of them.
  static func least(_ margin: SuccessMargin?, failing share: Double) -> Double {
    switch margin {
    case nil: max(0.001, min(Ranking.point, share / 2))
    case .points(let count): Double(count) / 100_000
    case .failures(let count): max(0.0001, share * (Double(count) / 1_000 - 1))
    }
  }
}
