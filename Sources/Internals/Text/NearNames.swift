/// Suggests known names that are similar to a misspelled one.
package enum NearNames {
  /// Returns the names nearest to `wanted`, nearest first, ignoring case.
  ///
  /// A name is near if one is a prefix of the other, if it contains `wanted`, or if at most a third of its letters
  /// differ. In a short name one letter may differ, as in "6G" and "5G".
  package static func find(_ wanted: String, among names: [String], atMost limit: Int = 5) -> [String] {
    let wanted = letters(of: wanted)
    guard !wanted.isEmpty else { return [] }
    var ranked: [(rank: Int, index: Int)] = []
    for (index, name) in names.enumerated() {
      let letters = letters(of: name)
      guard !letters.isEmpty else { continue }
      let distance = EditDistance.between(wanted, letters)
      let longer = max(wanted.count, letters.count)
      if distance <= max(longer / 3, 1), distance < longer {
        ranked.append((distance, index))
      } else if letters.starts(with: wanted) || (letters.count > 1 && wanted.starts(with: letters)) {
        ranked.append((100 + distance, index))
      } else if wanted.count > 1, letters.contains(wanted) {
        ranked.append((200 + distance, index))
      }
    }
    return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.prefix(limit).map { names[$0.index] }
  }

  /// The end of an error message, such as `; did you mean --profile?`; `nil` without names.
  package static func question(_ names: [String]) -> String? {
    guard let last = names.last else { return nil }
    let others = names.dropLast().joined(separator: ", ")
    return "; did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
  }

  /// The first 80 scalars of a name in lower case; a single character may be as long as a text.
  private static func letters(of name: String) -> [Unicode.Scalar] {
    Array(String(String.UnicodeScalarView(name.unicodeScalars.prefix(80))).lowercased().unicodeScalars)
  }
}

package enum EditDistance {
  /// How many letters must be changed, added, removed or swapped with a neighbour (optimal string alignment).
  package static func between<Letter: Equatable>(_ one: [Letter], _ other: [Letter]) -> Int {
    var before: [Int] = []
    var last = Array(0...other.count)
    for i in one.indices {
      var row = [i + 1]
      for j in other.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (one[i] == other[j] ? 0 : 1))
        if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] { cost = min(cost, before[j - 1] + 1) }
        row.append(cost)
      }
      before = last
      last = row
    }
    return last[other.count]
  }
}
