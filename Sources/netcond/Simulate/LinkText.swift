import Internals
import NetworkConditions

/// The text of a network for `--link`: `down 780 kbit/s, up 330 kbit/s, rtt 200 ms, loss 1 %, queue 100 packets`.
///
/// The parts may come in any order. Missing parts are unlimited or none. Delay, loss, jitter and queue are the same in
/// both directions, with half of the round trip in each.
enum LinkText {
  private struct Part: Sendable {
    let name: String
    let example: String
    let read: @Sendable (Substring, inout Draft) throws -> Void
  }

  /// The parts of a link description read so far; a burst needs a loss, and a gap needs a reordering.
  private struct Draft {
    var conditions = PathConditions.unlimited
    var loss: Probability?
    var burst: Double?
    var reordering: Probability?
    var gap: Int?

    mutating func both(_ change: (inout LinkConditions) -> Void) {
      change(&conditions.down)
      change(&conditions.up)
    }
  }

  private static let parts =
    [
      Part(name: "down", example: "780 kbit/s") { $1.conditions.down.rate = try rate($0) },
      Part(name: "up", example: "330 kbit/s") { $1.conditions.up.rate = try rate($0) },
      Part(name: "rtt", example: "200 ms") { text, draft in
        let nanoseconds = try Duration(parsing: String(text)).wholeNanoseconds
        draft.conditions.down.delay = .nanoseconds(nanoseconds / 2)
        draft.conditions.up.delay = .nanoseconds(nanoseconds - nanoseconds / 2)
      },
    ]
    + ImpairmentKind.allCases.reversed().flatMap(parts) + [
      Part(name: "queue", example: "100 packets") { text, draft in
        let queue = try Int(packets: String(text))
        draft.both { $0.queue = queue }
      }
    ]

  private static func parts(of kind: ImpairmentKind) -> [Part] {
    switch kind {
    case .loss:
      [
        Part(name: "loss", example: "1 %") { $1.loss = try Probability(parsing: String($0)) },
        Part(name: "burst", example: "4 packets") { $1.burst = try burst($0) },
      ]
    case .corruption: [share("corruption", "0.1 %") { $0.corruption = $1 }]
    case .duplication: [share("duplication", "1 %") { $0.duplication = $1 }]
    case .reordering:
      [
        Part(name: "reordering", example: "25 %") { $1.reordering = try Probability(parsing: String($0)) },
        Part(name: "gap", example: "5 packets") { $1.gap = try Int(packets: String($0)) },
      ]
    case .jitter:
      [
        Part(name: "jitter", example: "8 ms") { text, draft in
          let jitter = try jitter(text)
          draft.both { $0.jitter = jitter }
        }
      ]
    }
  }

  private static func share(
    _ name: String, _ example: String, _ set: @escaping @Sendable (inout LinkConditions, Probability) -> Void
  ) -> Part {
    Part(name: name, example: example) { text, draft in
      let share = try Probability(parsing: String(text))
      draft.both { set(&$0, share) }
    }
  }

  static let summary = parts.map { "\($0.name) \($0.example)" }.joined(separator: ", ")

  static func conditions(_ text: String) throws -> PathConditions {
    var draft = Draft()
    var given: Set<String> = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      let piece = piece.trimmed
      let name = piece.prefix { $0 != " " }
      guard !name.isEmpty else { throw UsageError("--link: \"\(text)\" has an empty part; the parts are \(summary)") }
      guard let part = parts.first(where: { $0.name == name.lowercased() }) else {
        let near = NearNames.question(NearNames.find(String(name), among: parts.map(\.name), atMost: 3))
        throw UsageError("--link: \"\(piece)\" is not part of a link\(near ?? "; the parts are \(summary)")")
      }
      guard given.insert(part.name).inserted else { throw UsageError("--link: \(part.name) is given twice") }
      let value = piece.dropFirst(name.count).trimmed
      guard !value.isEmpty else {
        throw UsageError("--link: \(part.name) has no value; write for example \"\(part.name) \(part.example)\"")
      }
      do {
        try part.read(value, &draft)
      } catch let error as ProfileError {
        throw UsageError("--link: \(part.name): \(error)")
      }
    }
    return try finished(draft)
  }

  private static func finished(_ draft: Draft) throws -> PathConditions {
    var draft = draft
    if let share = draft.reordering {
      let gap = draft.gap ?? 1
      guard gap >= 1 else {
        throw UsageError("--link: gap: 0 is not a gap; write for example \"gap 5 packets\"")
      }
      draft.both { $0.reorder(share, gap: gap) }
    } else if draft.gap != nil {
      throw UsageError("--link: gap: it has no effect without reordering; write for example \"reordering 25 %\"")
    }
    guard let mean = draft.loss, mean > .zero else {
      guard draft.burst == nil else {
        throw UsageError("--link: burst: it has no effect without loss; write for example \"loss 1 %\"")
      }
      return draft.conditions
    }
    guard let burst = draft.burst else {
      draft.both { $0.loss = .independent(mean) }
      return draft.conditions
    }
    guard let chain = GilbertElliott(mean: mean, burst: burst) else {
      throw UsageError(
        "--link: burst: bursts of \(burst.shortDescription) cannot lose \(mean) of the packets; write longer ones")
    }
    draft.both { $0.loss = .bursts(chain) }
    return draft.conditions
  }

  private static func rate(_ text: Substring) throws -> Bandwidth? {
    text == "unlimited" ? nil : try Bandwidth(parsing: String(text))
  }

  /// Reads a mean number of packets, which need not be whole.
  private static func burst(_ text: Substring) throws -> Double {
    let words = text.split(separator: " ")
    let isNamed = words.count == 1 || (words.count == 2 && ["packet", "packets"].contains(words[1]))
    guard isNamed, let number = words.first.flatMap({ Double($0) }), number >= 1, number <= 1e6 else {
      throw UsageError(
        "--link: burst: \"\(text)\" is not a mean number of packets lost in a row, from 1 to 1000000; "
          + "write for example \"4 packets\"")
    }
    return number
  }

  /// Reads a jitter; without a named distribution it is the standard deviation of a normal one.
  private static func jitter(_ text: Substring) throws -> Jitter? {
    let word = text.prefix { $0 != " " }
    guard word.first?.isLetter == true else { return Jitter(.normal, spread: try Duration(parsing: String(text))) }
    let shapes = Jitter.Distribution.allCases
    guard let shape = shapes.first(where: { $0.rawValue.lowercased() == word.lowercased() }) else {
      let names = shapes.map(\.rawValue).joined(separator: ", ")
      throw UsageError(
        "--link: jitter: \"\(word)\" is not a distribution, one of \(names); write for example \"normal 8 ms\"")
    }
    let rest = text.dropFirst(word.count).trimmed
    guard !rest.isEmpty else {
      throw UsageError("--link: jitter: \"\(text)\" has no spread; write for example \"\(shape.rawValue) 8 ms\"")
    }
    return Jitter(shape, spread: try Duration(parsing: String(rest)))
  }
}

extension Substring {
  var trimmed: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
