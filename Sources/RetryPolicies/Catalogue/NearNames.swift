/// Finds the names that somebody may have meant.
enum NearNames {
  /// Up to five names that share a part with the one that was written, or are at most a third of its letters away.
  static func find(_ wanted: String, among names: [String]) -> [String] {
    let wanted = Array(wanted.lowercased().prefix(80))
    guard !wanted.isEmpty else { return [] }
    let ranked = names.enumerated().compactMap { index, name -> (rank: Int, index: Int)? in
      let letters = Array(name)
      let distance = distance(wanted, letters)
      if distance <= max(1, max(wanted.count, letters.count) / 3) { return (distance, index) }
      let sharesPart = wanted.count > 2 && (name.contains(String(wanted)) || String(wanted).contains(name))
      return sharesPart ? (100 + distance, index) : nil
    }
    return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.prefix(5).map { names[$0.index] }
  }

  /// How many letters must be changed, added or dropped (Levenshtein).
  private static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var last = Array(0...other.count)
    for i in one.indices {
      var row = [i + 1]
      for j in other.indices {
        row.append(min(last[j + 1] + 1, row[j] + 1, last[j] + (one[i] == other[j] ? 0 : 1)))
      }
      last = row
    }
    return last[other.count]
  }
}
