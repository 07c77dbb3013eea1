import NetworkConditions

/// Which names someone may have meant.
enum NearNames {
  /// The names that are a few slips of the keyboard away from `name` or begin with it, nearest first, three at most.
  static func of(_ name: String, among names: [String]) -> [String] {
    let wanted = name.lowercased()
    guard !wanted.isEmpty else { return [] }
    let ranked = names.enumerated().compactMap { index, candidate -> (Int, Int, String)? in
      let other = candidate.lowercased()
      if wanted.count > 1, other.hasPrefix(wanted) { return (0, index, candidate) }
      let distance = EditDistance.between(Array(wanted), Array(other))
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
}
