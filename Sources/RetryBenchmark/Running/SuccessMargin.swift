/// The least difference in success that matters to a decision.
///
/// Without one it depends on how many requests fail. It is a point of a hundred. Where the better policy fails in fewer than
/// two of a hundred requests, it is half of those failures, and never less than one request in a thousand: beside a policy that
/// fails once in 250 requests, one that fails twice as often is worse, though by 0.4 points only.
public enum SuccessMargin: Hashable, Sendable, Codable {
  /// So many thousandths of a point of a hundred.
  case points(thousandths: Int)
  /// So many times the failures of the better policy, in thousandths: 1500 is half as many more.
  ///
  /// It is never less than one request in ten thousand.
  case failures(thousandths: Int)

  /// The margin in words, as `--margin` reads it.
  package var text: String {
    switch self {
    case .points(let count): "\(Self.decimal(count)) point\(count == 1_000 ? "" : "s")"
    case .failures(let count): "\(Self.decimal(count)) times"
    }
  }

  /// Reads `0.5 points` or `1.5 times`; `nil` for anything else, and for a margin of nothing.
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

  /// The least difference that matters between policies of which the better one fails in this share of all requests.
  static func least(_ margin: SuccessMargin?, failing share: Double) -> Double {
    switch margin {
    case nil: max(0.001, min(Verdict.point, share / 2))
    case .points(let count): Double(count) / 100_000
    case .failures(let count): max(0.0001, share * (Double(count) / 1_000 - 1))
    }
  }

  private static func decimal(_ thousandths: Int) -> String {
    let text = String(1_000 + thousandths % 1_000).dropFirst()
    let digits = text.reversed().drop { $0 == "0" }.reversed()
    return "\(thousandths / 1_000)\(digits.isEmpty ? "" : ".\(String(digits))")"
  }
}
