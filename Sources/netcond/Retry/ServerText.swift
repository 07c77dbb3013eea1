import NetworkConditions
import RetryBenchmark

/// A server as `--server` writes it, such as `20 ms, 4 at once, queue 10, 503 after 2 s`.
///
/// First how long it works on a request; then, in any order, how many it works on at once, how many may wait or
/// `queue all`, and the status of those that may not, with the time of its `Retry-After`.
enum ServerText {
  static let example = "20 ms, 4 at once, queue 10, 503 after 2 s"

  /// Reads a server; throws a ``UsageError`` that names the part and what would be right.
  static func server(_ text: String) throws -> ServerModel {
    let pieces = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmed) }
    var server = ServerModel()
    server.serviceTime = try distribution(pieces[0], of: "server")
    var given: Set<String> = []
    for piece in pieces.dropFirst() {
      let kind = try read(piece, into: &server)
      guard given.insert(kind).inserted else { throw UsageError("--server: \(kind) is given twice") }
    }
    guard server.capacity != nil || given.isEmpty else {
      throw UsageError("--server: without a number \"at once\" nothing ever waits; write for example \"\(example)\"")
    }
    if case .queue = server.overload, given.contains("a status") {
      throw UsageError("--server: with \"queue all\" nobody is turned away; leave the status out")
    }
    return server
  }

  /// Reads one part, and says which it was.
  private static func read(_ piece: String, into server: inout ServerModel) throws -> String {
    let words = piece.split(separator: " ").map(String.init)
    if words.count == 3, words[1...] == ["at", "once"], let count = Int(words[0]), count > 0 {
      server.capacity = count
      return "the number at once"
    }
    if words.first == "queue", words.count == 2 {
      if words[1] == "all" {
        server.overload = .queue
        return "the queue"
      }
      if let count = Int(words[1]), count >= 0 {
        server.queueLength = count
        return "the queue"
      }
    }
    if let first = words.first, let status = Int(first), (400...599).contains(status) {
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
    throw UsageError("--server: \"\(piece)\" is no part of a server; write for example \"\(example)\"")
  }

  /// Reads `20 ms`, `exponential 20 ms`, `log-normal 20 ms x2.5`, `pareto 20 ms ^1.5`, or `measured 10 ms 90 times; 1 s 10
  /// times`.
  static func distribution(_ text: String, of option: String) throws -> TimeDistribution {
    let example =
      "write for example 20 ms, exponential 20 ms, log-normal 20 ms x2.5, pareto 20 ms ^1.5, or "
      + "measured 10 ms 90 times; 1 s 10 times"
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return .constant(try time(text, of: option)) }
    func scaled(_ mark: Character) throws -> (Duration, Int) {
      let sides = parts[1].split(separator: mark, maxSplits: 1).map { String($0.trimmed) }
      guard sides.count == 2, let factor = Double(sides[1]), (0.1...1_000).contains(factor) else {
        throw UsageError("--\(option): \"\(text)\" is no time; \(example)")
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
            throw UsageError("--\(option): \"\(piece.trimmed)\" is no bin; \(example)")
          }
          return TimeDistribution.Bin(try time(words.dropLast(2).joined(separator: " "), of: option), weight: weight)
        })
    default: return .constant(try time(text, of: option))
    }
  }

  /// Reads brown-outs such as `3 s..10 s x5`.
  static func brownOuts(_ text: String) throws -> [ServerModel.BrownOut] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { piece in
      let sides = piece.split(separator: "x", maxSplits: 1).map { String($0.trimmed) }
      guard sides.count == 2, let factor = Int(sides[1]), let dots = sides[0].firstRange(of: "..") else {
        throw UsageError("--brown-out: \"\(piece.trimmed)\" is none; write for example \"3 s..10 s x5\"")
      }
      let begin = try time(String(sides[0][..<dots.lowerBound].trimmed), of: "brown-out")
      let end = try time(String(sides[0][dots.upperBound...].trimmed), of: "brown-out")
      guard begin < end else { throw UsageError("--brown-out: \"\(piece.trimmed)\" ends before it begins") }
      return ServerModel.BrownOut(begin..<end, factor: factor)
    }
  }

  /// Reads outages such as `3 s..10 s, 20 s..21 s`.
  static func outages(_ text: String) throws -> [Range<Duration>] {
    var outages: [Range<Duration>] = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let dots = piece.firstRange(of: "..") else {
        throw UsageError("--outage: \"\(piece.trimmed)\" is no stretch of time; write for example \"3 s..10 s\"")
      }
      let begin = try time(String(piece[..<dots.lowerBound].trimmed), of: "outage")
      let end = try time(String(piece[dots.upperBound...].trimmed), of: "outage")
      guard begin < end, outages.last.map({ $0.upperBound <= begin }) ?? true else {
        throw UsageError("--outage: \"\(piece.trimmed)\" ends before it begins, or is out of order")
      }
      outages.append(begin..<end)
    }
    return outages
  }

  /// Reads a time.
  static func time(_ text: String, of option: String) throws -> Duration {
    try UsageError.naming(option) { try Duration(parsing: text) }
  }
}
