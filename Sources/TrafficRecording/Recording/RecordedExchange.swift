import Internals
import NetworkConditions
import URLLoading

/// One exchange that is being recorded: passes the answer on, keeps a copy, and adds an entry at the end.
final class RecordedExchange: WrappingReply {
  private struct State {
    var head: ResponseHead?
    var body: BodyCapture
    /// How many bytes a compressed body was on the wire; `nil` when the transport does not report it.
    var encodedCount: Int64?
    var headTime: ContinuousClock.Instant?
    var isOver = false
  }

  private static let pieceSize = 256 << 10

  private let request: TransportRequest
  let wrapped: any TransportReply
  private let redaction: Redaction
  private let file: RecordingFile
  private let postData: HTTPArchive.PostData?
  private let started = Date()
  private let start = ContinuousClock.now
  private let state: Mutex<State>

  init(
    _ request: TransportRequest, reply: any TransportReply, requestBody: BodyCapture, responseBody: BodyCapture,
    redaction: Redaction, file: RecordingFile
  ) {
    self.request = request
    wrapped = reply
    self.redaction = redaction
    self.file = file
    state = Mutex(State(body: responseBody))
    do {
      postData = try Self.postData(of: request, into: requestBody)
    } catch {
      postData = nil
      file.note(error)
    }
  }

  private static func postData(
    of request: TransportRequest, into capture: BodyCapture
  ) throws -> HTTPArchive.PostData? {
    guard request.body.count > 0 else { return nil }
    var capture = capture
    let data = try request.body.load()
    for start in stride(from: data.startIndex, to: data.endIndex, by: pieceSize) {
      try capture.append(data[start..<min(start + pieceSize, data.endIndex)])
    }
    let type = request.request.value(forHTTPHeaderField: "Content-Type")
    let (file, text, encoding) = try capture.end(mediaType: type)
    return HTTPArchive.PostData(
      mimeType: type ?? "application/octet-stream", text: text, encoding: encoding, file: file)
  }

  // MARK: Handing the answer on

  func head(_ head: ResponseHead) {
    state.withLock { state in
      guard state.head == nil else { return }
      state.head = head
      state.headTime = .now
    }
    wrapped.head(head)
  }

  func body(_ data: Data, encodedCount: Int64?) {
    state.withLock { state in
      guard !state.isOver else { return }
      if let encodedCount { state.encodedCount = (state.encodedCount ?? 0) + encodedCount }
      do { try state.body.append(data) } catch { file.note(error) }
    }
    wrapped.body(data, encodedCount: encodedCount)
  }

  func finish() {
    record(nil)
    wrapped.finish()
  }

  func fail(_ error: URLError) {
    record(error.code)
    wrapped.fail(error)
  }

  // MARK: Recording the answer

  func record(_ failure: URLError.Code?) {
    let end = ContinuousClock.now
    // Under the lock: the end of a recording waits here for the entry.
    state.withLock { state in
      guard !state.isOver else { return }
      state.isOver = true
      do {
        var entry = try self.entry(&state, failure, end)
        var omissions = entry.redact(by: redaction)
        let (body, content) = (entry.request.body, entry.response.content)
        omissions.bodies += try file.folder.redact(body?.file, body?.mimeType, by: redaction)
        omissions.bodies += try file.folder.redact(content.file, content.mimeType, by: redaction)
        file.append(entry, omissions)
      } catch {
        file.note(error)
      }
    }
  }

  private func entry(
    _ state: inout State, _ failure: URLError.Code?, _ end: ContinuousClock.Instant
  ) throws -> HTTPArchive.Entry {
    let head = state.head
    let type = head?["Content-Type"]
    let (file, text, encoding) = try state.body.end(mediaType: type)
    let hasText = state.body.count > 0 && text != nil
    // Without a report from the transport, the announced length of a complete answer counts.
    let encodedBytes = state.encodedCount ?? (failure == nil ? head?["Content-Length"].flatMap { Int64($0) } : nil)
    let content = HTTPArchive.Content(
      size: state.body.count, mimeType: type ?? "x-unknown", text: hasText ? text : nil,
      encoding: hasText ? encoding : nil, file: file)
    let response = HTTPArchive.Response(
      status: head?.status ?? 0, httpVersion: "unknown", headers: Self.fields(head?.headers ?? []),
      cookies: CookieFields.set(in: head?.headers ?? []), content: content,
      redirectURL: head?["Location"] ?? "",
      bodyBytes: head?.isEncoded == true ? encodedBytes ?? -1 : state.body.count,
      error: failure.map(RecordedFailure.name))
    let waited = start.duration(to: state.headTime ?? end)
    let timings = HTTPArchive.Timings(wait: waited, receive: (state.headTime ?? end).duration(to: end))
    return HTTPArchive.Entry(started: started, request: recordedRequest, response: response, timings: timings)
  }

  private var recordedRequest: HTTPArchive.Request {
    let headers = (request.request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
      .map { HeaderField($0.key, $0.value) }
    return HTTPArchive.Request(
      method: request.request.httpMethod ?? "GET", url: request.request.url?.absoluteString ?? "",
      httpVersion: "unknown", headers: Self.fields(headers), cookies: CookieFields.sent(in: headers), body: postData,
      bodyBytes: request.body.count
    ).withQuery
  }

  private static func fields(_ headers: [HeaderField]) -> [HTTPArchive.Field] {
    headers.map { HTTPArchive.Field($0.name, $0.value) }
  }
}
