import Internals
import Synchronization
import URLLoading

/// A stub's answer, with everything prepared that does not depend on the request: head, lengths, cut.
struct PreparedAnswer: Sendable {
  enum Body: Sendable {
    /// The decoded bytes, and their size on the wire if it differs.
    case data(Data, encodedCount: Int64? = nil)
    case generated(Int64)
    case stream([(Duration, Data)])
  }

  indirect enum Action: Sendable {
    case message(ResponseHead, Body, URLError?)
    case failure(URLError)
    /// The stub is wrong: its requests fail, and a simulation ends.
    case mistake(URLError)
    case silence
    case sequence([PreparedAnswer], StubResponse.SequenceEnd, SequencePosition)
    case handler(@Sendable (TransportRequest) throws -> StubResponse, StubResponse)
    case asyncHandler(@Sendable (TransportRequest) async throws -> StubResponse, StubResponse)
  }

  /// The position in a sequence of answers; each route has its own position.
  final class SequencePosition: Sendable {
    private let taken = Atomic<Int>(0)

    func next() -> Int { taken.wrappingAdd(1, ordering: .relaxed).oldValue }

    var upcoming: Int { taken.load(ordering: .relaxed) }

    /// Claims this answer's number; returns `false` if another request has claimed it.
    func take(_ number: Int) -> Bool {
      taken.compareExchange(expected: number, desired: number + 1, ordering: .relaxed).exchanged
    }
  }

  private(set) var delay: Duration
  let action: Action
  /// After how many bytes of the request's body the answer begins; `nil` means after the whole request.
  let early: Int64?
  let problem: String?

  init(_ response: StubResponse) {
    delay = response.delay
    early = response.early
    var problem: String?
    switch response.content {
    case .data(let data):
      action = Self.message(response, .data(data), count: Int64(data.count))
    case .generated(let count):
      action = Self.message(response, .generated(count), count: count)
    case .stream(let pieces):
      let length = response.framing == .length ? pieces.reduce(0) { $0 + Int64($1.1.count) } : nil
      action = Self.message(response, .stream(pieces), count: length)
    case .nothing:
      action = .failure(response.failure?.error ?? URLError(.unknown))
    case .silence:
      action = .silence
    case .sequence(let responses, let end):
      let answers = responses.map { PreparedAnswer($0.changed(as: response)) }
      problem = answers.lazy.compactMap(\.problem).first
      action = .sequence(answers, end, SequencePosition())
    case .handler(let handler):
      action = .handler(handler, response)
    case .asyncHandler(let handler):
      action = .asyncHandler(handler, response)
    case .unusable(let why):
      problem = why
      action = Self.unusable(why)
    }
    self.problem = problem
  }

  private init(problem: String?) {
    self.problem = problem
    delay = .zero
    early = nil
    action = .failure(URLError(.cancelled))
  }

  /// Whether the answer, or a sequence's next one, is early.
  private var isEarly: Bool {
    guard case .sequence(let answers, let end, let position) = action else { return early != nil }
    return end.place(of: position.upcoming, among: answers.count).map { answers[$0].isEarly } ?? false
  }

  /// Takes the answer, or a sequence's next one, if it is early.
  func takeEarly() -> (afterBytes: Int64, answer: PreparedAnswer)? {
    guard case .sequence(let answers, let end, let position) = action else { return early.map { ($0, self) } }
    while true {
      let number = position.upcoming
      guard let place = end.place(of: number, among: answers.count), answers[place].isEarly else { return nil }
      guard position.take(number) else { continue }
      guard var taken = answers[place].takeEarly() else { return nil }
      taken.answer.delay = taken.answer.delay.saturatingAdd(delay)
      return taken
    }
  }

  /// What remains of the answer after the network's end: only the problem, for `verify()`.
  var spent: PreparedAnswer { PreparedAnswer(problem: problem) }

  private static func unusable(_ why: String) -> Action {
    .mistake(URLError(.badServerResponse, Explanation.unusableStub.ending("The stub's answer is unusable: \(why).")))
  }

  /// Prepares head and body; with a `count` of `nil` the head does not announce the length.
  private static func message(_ response: StubResponse, _ body: Body, count: Int64?) -> Action {
    var head = ResponseHead(status: response.status ?? 200)
    let hasBody = head.status >= 200 && head.status != 204 && head.status != 304
    if hasBody {
      if let type = response.contentType { head.set(HeaderField("Content-Type", type)) }
      if let count { head.set(HeaderField("Content-Length", String(count))) }
      head.frame(response.framing)
    }
    head.set(response.headers)
    guard hasBody else { return .message(head, .data(Data()), response.failure?.error) }
    var body = body
    if head.isEncoded {
      do {
        if case .data(let data, _) = body, let unpacked = try Self.unpacked(data, under: head) {
          body = .data(unpacked, encodedCount: Int64(data.count))
        } else if !response.headers.contains(where: { ASCII.equalIgnoringCase($0.name, "Content-Length") }) {
          // The body's size on the wire is unknown.
          head.remove("Content-Length")
        }
      } catch {
        let what = "The stub's body is gzip that cannot be unpacked: \(error)."
        return .mistake(URLError(.cannotDecodeRawData, Explanation.unusableStub.ending(what)))
      }
    }
    guard let failure = response.failure else { return .message(head, body, nil) }
    guard let cut = failure.afterBytes else { return .failure(failure.error) }
    switch body {
    case .data(let data, let encodedCount?):
      let count = min(cut, encodedCount)
      let part = data.prefix(Int(CarriedBody.share(count, of: encodedCount, in: Int64(data.count))))
      return .message(head, .data(part, encodedCount: count), failure.error)
    case .data(let data, nil): return .message(head, .data(data.prefix(Int(clamping: cut))), failure.error)
    case .generated(let count): return .message(head, .generated(min(count, cut)), failure.error)
    case .stream(let pieces):
      var left = Int(clamping: cut)
      var kept: [(Duration, Data)] = []
      for (delay, data) in pieces where left > 0 {
        kept.append((delay, data.prefix(left)))
        left -= min(left, data.count)
      }
      return .message(head, .stream(kept), failure.error)
    }
  }

  /// Unpacks a gzip body, as every session does for its client; `nil` if the body is not packed.
  private static func unpacked(_ data: Data, under head: ResponseHead) throws(InflaterError) -> Data? {
    guard ["gzip", "x-gzip"].contains(head["Content-Encoding"]?.lowercased()), data.starts(with: [0x1F, 0x8B]),
      // Another length means that the data is the decoded body already.
      [nil, "\(data.count)"].contains(head["Content-Length"])
    else { return nil }
    return Data(try Inflater.unpack([UInt8](data)))
  }
}

extension ResponseHead {
  /// Changes what marks the body's end; without the length as marker, the head does not announce it.
  mutating func frame(_ framing: BodyFraming?) {
    guard let framing, framing != .length else { return }
    remove("Content-Length")
    endsWithConnection = framing == .untilClose
  }
}

extension StubResponse.SequenceEnd {
  /// The index of the answer to a request's number; `nil` after the sequence's end.
  func place(of number: Int, among count: Int) -> Int? {
    switch self {
    case _ where number < count: number
    case .repeatLast: count - 1
    case .cycle: number % count
    case .fail: nil
    }
  }
}

extension StubResponse {
  /// This response, changed by the modifiers of `other`, except its delay.
  func changed(as other: StubResponse) -> StubResponse {
    var copy = self
    if let status = other.status { copy.status = status }
    copy.headers += other.headers
    if let failure = other.failure { copy.failure = failure }
    if let framing = other.framing { copy.framing = framing }
    if let early = other.early { copy.early = early }
    return copy
  }
}
