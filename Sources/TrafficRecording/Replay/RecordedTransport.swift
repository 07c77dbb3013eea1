import Internals
public import NetworkConditions
import URLLoading

/// A transport that answers from a recorded archive.
///
/// ```swift
/// let network = SimulatedNetwork("3G", seed: 1, transport: try RecordedTransport(contentsOf: file))
/// ```
///
/// The `n`-th of equal requests gets the `n`-th of equal entries, in the order of their dates. Archives contain bodies
/// without chunks, so `Content-Length` is that of the served body. A compressed body takes the time of its bytes on the
/// wire, and the client gets it decoded. A HEAD that was not recorded gets the head of the GET.
///
/// Entries that failed fail again, with the recorded error, after the recorded bytes. An entry without its body, and a
/// request that the recording lacks, fail with `URLError(.resourceUnavailable)`. Its `localizedDescription` tells why,
/// and names the nearest entries.
public final class RecordedTransport: Transport {
  /// How long the simulated server waits before it answers.
  public enum ServerTime: Hashable, Sendable {
    /// No time: only the profile decides how long an exchange takes.
    case none
    /// As long as the recorded wait for the first byte (`timings.wait`), in virtual time.
    ///
    /// That is too long by one round trip of the recorded network, which an archive does not separate.
    case recorded
  }

  /// A flaw of an entry: it cannot be served as it was recorded.
  public struct Note: Hashable, Sendable, CustomStringConvertible {
    /// The index of the entry in its archive, from 0.
    public let entry: Int
    /// The entry's method and URL.
    public let request: String
    /// The flaw of the entry, and what is served instead.
    public let text: String

    /// The note in one line: `log.entries[3] GET https://example.com/: its body of 12 bytes was not recorded; …`.
    public var description: String { "log.entries[\(entry)] \(request): \(text)" }
  }

  private let recording: Recording
  private let end: StubResponse.SequenceEnd
  private let serverTime: ServerTime
  /// How many requests have come so far, for each group of equal requests.
  private let counts: Mutex<[Int]>

  /// The flaws of responses that cannot be served as recorded, in the order of the entries; empty when there are none.
  public var notes: [Note] { recording.notes }

  /// The different requests of the recording in their order, such as `GET https://example.com/`.
  public var requests: [String] { recording.lines.map { "\($0.method) \(Redaction.standard.url($0.url))" } }

  /// Creates a transport from an archive's file.
  ///
  /// - Parameters:
  ///   - url: the archive's file.
  ///   - matching: which requests count as equal.
  ///   - end: how requests are answered after the last of equal entries.
  ///   - serverTime: how long the server takes before it answers.
  /// - Throws: an error that names the place, the value and its correction, also for a body's file outside of the
  ///   archive's folder.
  public convenience init(
    contentsOf url: URL, matching: RequestMatching = .standard, then end: StubResponse.SequenceEnd = .repeatLast,
    serverTime: ServerTime = .none
  ) throws(ProfileError) {
    try self.init(HTTPArchive(contentsOf: url), matching: matching, then: end, serverTime: serverTime)
  }

  /// Creates a transport from an archive.
  public convenience init(
    _ archive: HTTPArchive, matching: RequestMatching = .standard, then end: StubResponse.SequenceEnd = .repeatLast,
    serverTime: ServerTime = .none
  ) throws(ProfileError) {
    self.init(try Recording(archive, matching: matching), end, serverTime)
  }

  private init(_ recording: Recording, _ end: StubResponse.SequenceEnd, _ serverTime: ServerTime) {
    self.recording = recording
    self.end = end
    self.serverTime = serverTime
    counts = Mutex(Array(repeating: 0, count: recording.groups.count))
  }

  /// Returns the same recording from its beginning, for the next of several runs; costs a few bytes for each entry.
  public func rewound() -> RecordedTransport {
    RecordedTransport(recording, end, serverTime)
  }

  /// Answers with the next of the entries that match the request.
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
