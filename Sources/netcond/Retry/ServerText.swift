import NetworkConditions
import RetryBenchmark

/// Reads a server as `--server` writes it, such as `20 ms, 4 at once, queue 10, 503 after 2 s`.
///
/// The service time comes first. The rest follows in any order: how many requests it serves at once, how many may wait (by
/// default all) or for how long, the status of refused requests with their `Retry-After`, and how long it remembers an
/// `Idempotency-Key`.
enum ServerText {
  static let example = "20 ms, 4 at once, queue 10, 503 after 2 s"

  static func server(_ text: String) throws -> ServerModel {
    let pieces = pieces(text)
    var server = ServerModel()
    server.serviceTime = try distribution(pieces[0], of: "server")
    var given: Set<String> = []
    for piece in pieces.dropFirst() {
      let kind = try read(piece, into: &server)
      guard given.insert(kind).inserted else { throw UsageError("--server: \(kind) is given twice") }
    }
    given.remove("the time of keys")
    guard server.capacity != nil || given.isEmpty else {
      throw UsageError(
        "--server: without a number \"at once\", no request ever waits; write for example \"\(example)\"")
    }
    if given == ["the number at once"] { server.overload = .queue }
    if case .queue = server.overload, given.contains("a status") {
      throw UsageError("--server: a status has no effect if all requests may wait; leave the status out")
    }
    return server
  }

  /// Parses one part, and returns its kind in words.
  private static func read(_ piece: String, into server: inout ServerModel) throws -> String {
    let words = piece.split(separator: " ").map(String.init)
    if words.count == 3, words[1...] == ["at", "once"], let count = Int(words[0]), count > 0 {
      server.capacity = count
      return "the number at once"
    }
    if words.first == "keys", words.count > 1 {
      server.keyMemory = try time(words[1...].joined(separator: " "), of: "server")
      return "the time of keys"
    }
    if words.first == "queue", words.count > 1 {
      if words.count == 2, let count = Int(words[1]), count >= 0 {
        server.queueLength = count
        return "the queue"
      }
      server.overload = .queue
      if words[1...] != ["all"] { server.queueTime = try time(words[1...].joined(separator: " "), of: "server") }
      return "the queue"
    }
    if let first = words.first, let status = Int(first), (400...599).contains(status) {
      // If all requests wait, none is refused; the caller rejects this status later.
      if case .queue = server.overload { return "a status" }
      if words.count == 1 {
        server.overload = .reject(status: status, retryAfter: nil)
        return "a status"
      }
      if words[1] == "after", words.count > 2 {
        let wait = try time(words[2...].joined(separator: " "), of: "server")
        server.overload = .reject(status: status, retryAfter: wait)
        return "a status"
      }
    }
    throw UsageError("--server: \"\(piece)\" is not part of a server; write for example \"\(example)\"")
  }

  /// Parses `20 ms`, `exponential 20 ms`, `log-normal 20 ms x2.5`, `pareto 20 ms ^1.5`, or
  /// `measured 10 ms 90 times; 1 s 10 times`.
  static func distribution(_ text: String, of option: String) throws -> TimeDistribution {
    let example =
      "write for example 20 ms, exponential 20 ms, log-normal 20 ms x2.5, pareto 20 ms ^1.5, or "
      + "measured 10 ms 90 times; 1 s 10 times"
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return .constant(try time(text, of: option)) }
    func scaled(_ mark: Character) throws -> (Duration, Int) {
      let sides = parts[1].split(separator: mark, maxSplits: 1).map { String($0.trimmed) }
      guard sides.count == 2, let factor = Double(sides[1]), (0.1...1_000).contains(factor) else {
        throw UsageError("--\(option): \"\(text)\" is not a time; \(example)")
      }
      return (try time(sides[0], of: option), Int((factor * 1_000).rounded()))
    }
    switch parts[0] {
    case "exponential": return .exponential(mean: try time(parts[1], of: option))
    case "log-normal":
      let (median, spread) = try scaled("x")
      return .logNormal(median: median, spread: spread)
    case "pareto":
      let (least, shape) = try scaled("^")
      return .pareto(least: least, shape: shape)
    case "measured":
      return .histogram(
        try parts[1].split(separator: ";").map { piece in
          let words = piece.split(separator: " ").map(String.init)
          guard words.count >= 3, words.last == "times", let weight = Int(words[words.count - 2]) else {
            throw UsageError("--\(option): \"\(piece.trimmed)\" is not a bin; \(example)")
          }
          return TimeDistribution.Bin(try time(words.dropLast(2).joined(separator: " "), of: option), weight: weight)
        })
    default: return .constant(try time(text, of: option))
    }
  }

  /// Parses brown-outs such as `3 s..10 s x5, 20 s..30 s x2`.
  static func brownOuts(_ text: String) throws -> [ServerModel.BrownOut] {
    try pieces(text).map { piece in
      let sides = piece.split(separator: "x", maxSplits: 1).map { String($0.trimmed) }
      guard sides.count == 2, let factor = Int(sides[1]) else {
        throw UsageError("--brown-out: \"\(piece)\" is not a brown-out; write for example \"3 s..10 s x5\"")
      }
      return ServerModel.BrownOut(try span(sides[0], of: "brown-out"), factor: factor)
    }
  }

  /// Parses outages such as `3 s..10 s, 20 s..21 s`.
  static func outages(_ text: String) throws -> [Range<Duration>] {
    try pieces(text).map { try span($0, of: "outage") }
  }

  private static func pieces(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmed) }
  }

  /// Parses a time range such as `3 s..10 s`.
  private static func span(_ text: String, of option: String) throws -> Range<Duration> {
    guard let dots = text.firstRange(of: "..") else {
      throw UsageError("--\(option): \"\(text)\" is not a time range; write for example \"3 s..10 s\"")
    }
    let begin = try time(String(text[..<dots.lowerBound].trimmed), of: option)
    let end = try time(String(text[dots.upperBound...].trimmed), of: option)
    guard begin < end else { throw UsageError("--\(option): \"\(text)\" ends before it begins") }
    return begin..<end
  }

  static func time(_ text: String, of option: String) throws -> Duration {
    try UsageError.naming(option) { try Duration(parsing: text) }
  }
}
