/// A source file with all of its mutations, each behind a switch.
struct MutatedSource {
  /// The text, in which `isMutant(17)` selects a mutation.
  private(set) var text: String
  /// The mutations that cannot be made, with reasons.
  private(set) var mistakes: [String] = []
  /// The line of each mutation.
  private(set) var lines: [Int: Int] = [:]

  init(_ source: String, _ mutations: [Mutation]) {
    text = source
    var places: [(range: Range<String.Index>, mutations: [Mutation])] = []
    for mutation in mutations {
      let found = source.ranges(of: mutation.original)
      guard found.count == 1, let range = found.first else {
        mistakes.append(
          "\(mutation.name): \(mutation.path) contains \"\(mutation.original)\" \(found.count) times, not once. "
            + "Bring the list up to date.")
        continue
      }
      lines[mutation.number] = source[..<range.lowerBound].count { $0.isNewline } + 1
      if let same = places.firstIndex(where: { $0.range == range }) {
        places[same].mutations.append(mutation)
      } else if let other = places.first(where: { $0.range.overlaps(range) }) {
        mistakes.append(
          "\(mutation.name): \"\(mutation.original)\" overlaps \(other.mutations[0].name). Write the same text in both."
        )
      } else {
        places.append((range, [mutation]))
      }
    }
    for place in places.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      text.replaceSubrange(place.range, with: Self.switched(place.mutations))
    }
  }

  private static func switched(_ mutations: [Mutation]) -> String {
    var text = mutations[0].original
    for mutation in mutations.reversed() {
      text =
        mutation.isStatement
        ? "if isMutant(\(mutation.number)) { \(mutation.mutated) } else { \(text) }"
        : "(isMutant(\(mutation.number)) ? (\(mutation.mutated)) : (\(text)))"
    }
    return text
  }

  /// The source file that each module needs beside its mutated ones; it imports nothing, as some modules require.
  static func support(module: String) -> String {
    """
    @_silgen_name("getenv")
    private func environment(_ name: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?

    private let activeMutant: Int = {
      let parts = environment("\(variable)").map { String(cString: $0) }?.split(separator: ":") ?? []
      return parts.count == 2 && parts[0] == "\(module)" ? Int(parts[1]) ?? 0 : 0
    }()

    func isMutant(_ number: Int) -> Bool { activeMutant == number }

    """
  }

  /// The environment variable that names the mutation to run, such as `LinkSimulator:17`.
  static let variable = "NETCOND_MUTANT"
}
