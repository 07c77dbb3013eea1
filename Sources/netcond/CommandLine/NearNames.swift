/// Which names someone may have meant.
enum NearNames {
  /// The names that are a few slips of the keyboard away from `name` or begin with it, nearest first, three at most.
  static func of(_ name: String, among names: [String]) -> [String] {
    let wanted = name.lowercased()
    guard !wanted.isEmpty else { return [] }
    let ranked = names.enumerated().compactMap { index, candidate -> (Int, Int, String)? in
      let other = candidate.lowercased()
      if wanted.count > 1, other.hasPrefix(wanted) { return (0, index, candidate) }
      let distance = distance(Array(wanted), Array(other))
      return distance <= max(1, wanted.count / 3) ? (distance, index, candidate) : nil
    }
    return ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(3).map(\.2)
  }

  /// The end of an error's line, such as `; did you mean --profile?`.
  static func question(_ names: [String]) -> String? {
    guard let last = names.last else { return nil }
    let others = names.dropLast().joined(separator: ", ")
    return "; did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
  }

  /// How many insertions, deletions, replacements and swaps of neighbours lie between two words.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for (i, left) in a.enumerated() {
      var row = [i + 1]
      for (j, right) in b.enumerated() {
        var best = min(last[j] + (left == right ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, left == b[j - 1], a[i - 1] == right { best = min(best, beforeLast[j - 1] + 1) }
        row.append(best)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
