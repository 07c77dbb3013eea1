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
    server.serviceTime = try time(pieces[0], of: "server")
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
