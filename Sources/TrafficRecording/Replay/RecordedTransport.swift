import Internals
public import NetworkConditions
import URLLoading

/// A transport that answers with what an archive has recorded.
///
/// ```swift
/// let network = SimulatedNetwork("3G", seed: 1, transport: try RecordedTransport(contentsOf: file))
/// ```
///
/// The `n`-th of equal requests gets the `n`-th of equal entries, in the order of their dates. Header fields are made
/// to fit the body, which archives hold without chunks: `Content-Length` is that of what is served. A compressed body
/// takes the time of the bytes that it had on the wire, and the client gets it decoded. An entry whose body was not
/// recorded fails with `URLError(.resourceUnavailable)` and says why. A HEAD that was not recorded gets the head of the
/// GET. Entries that failed fail again, with the error that is recorded, after the bytes that had come. A request that
/// the recording lacks fails with `URLError(.resourceUnavailable)`, whose `localizedDescription` names the nearest.
public final class RecordedTransport: Transport {
  /// How long the server thinks before it answers.
  public enum ServerTime: Hashable, Sendable {
    /// Not at all: the profile alone decides how long an exchange takes.
    case none
    /// As long as the recording waited for the first byte (`timings.wait`), in the network's own time.
    ///
    /// That is too long by one round trip of the network on which it was recorded, which an archive does not tell apart.
    case recorded
  }

  /// Something about an entry that cannot be served as it is recorded.
  public struct Note: Hashable, Sendable, CustomStringConvertible {
    /// The number of the entry in its archive, from 0.
    public let entry: Int
    /// Its method and URL.
    public let request: String
    /// The flaw of the entry, and the answer that is served instead.
    public let text: String

    /// One line, such as `log.entries[3] GET https://example.com/: its body of 12 bytes was not recorded; …`.
    public var description: String { "log.entries[\(entry)] \(request): \(text)" }
  }

  private let recording: Recording
  private let end: StubResponse.SequenceEnd
  private let serverTime: ServerTime
  /// How many requests of each group have come.
  private let counts: Mutex<[Int]>

  /// The responses that cannot be served as they are recorded, in the order of the entries; empty when all is well.
  public var notes: [Note] { recording.notes }

  /// The requests of the recording without repetition, such as `GET https://example.com/`, in their order.
  public var requests: [String] { recording.lines.map { "\($0.method) \(Redaction.standard.url($0.url))" } }

  /// Creates a transport from an archive's file.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - matching: which requests count as equal.
  ///   - end: what comes after the last of equal entries.
  ///   - serverTime: how long the server thinks.
  /// - Throws: an error that names the place, the value and what would be right; so does a body's file that would lie
  ///   outside of the archive's folder.
  public convenience init(
    contentsOf url: URL, matching: RequestMatching = .standard, then end: StubResponse.SequenceEnd = .repeatLast,
    serverTime: ServerTime = .none
  ) throws(HTTPArchiveError) {
    try self.init(HTTPArchive(contentsOf: url), matching: matching, then: end, serverTime: serverTime)
  }

  /// Creates a transport from an archive.
  public convenience init(
    _ archive: HTTPArchive, matching: RequestMatching = .standard, then end: StubResponse.SequenceEnd = .repeatLast,
    serverTime: ServerTime = .none
  ) throws(HTTPArchiveError) {
    self.init(try Recording(archive, matching: matching), end, serverTime)
  }

  private init(_ recording: Recording, _ end: StubResponse.SequenceEnd, _ serverTime: ServerTime) {
    self.recording = recording
    self.end = end
    self.serverTime = serverTime
    counts = Mutex(Array(repeating: 0, count: recording.groups.count))
  }

  /// The same recording from its beginning, for the next of several runs; costs a few bytes for each entry.
  public func rewound() -> RecordedTransport {
    RecordedTransport(recording, end, serverTime)
  }

  /// Answers with the entry whose turn it is.
  public func respond(to request: TransportRequest, with reply: any TransportReply) {
    guard let group = recording.group(for: request) else {
      let text = NearestEntries(recording: recording, request: request).description
      return reply.fail(URLError(.resourceUnavailable, Explanation.noRecording.ending(text), url: request.request.url))
    }
    let number = counts.withLock { counts in
      counts[group] += 1
      return counts[group] - 1
    }
    let answers = recording.groups[group].answers
    let answer: RecordedAnswer
    switch end {
    case _ where number < answers.count: answer = answers[number]
    case .repeatLast: answer = answers[answers.count - 1]
    case .cycle: answer = answers[number % answers.count]
    case .fail:
      let line = "\(request.request.httpMethod ?? "GET") \(URLText(request.shownURL).shown)"
      let what =
        "\(recording.name) answers \(line) \(answers.count == 1 ? "once" : "\(answers.count) times"); this was request \(number + 1)."
      return reply.fail(URLError(.resourceUnavailable, Explanation.noRecording.ending(what), url: request.request.url))
    }
    let folder = recording.folder
    guard serverTime == .recorded, answer.wait > .zero else { return answer.send(to: request, in: folder, reply) }
    reply.after(answer.wait) { answer.send(to: request, in: folder, reply) }
  }
}
