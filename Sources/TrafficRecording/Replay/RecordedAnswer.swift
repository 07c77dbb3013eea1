import Internals
import NetworkConditions
import URLLoading

/// A recorded response, with everything prepared that is equal for all requests.
struct RecordedAnswer {
  private static let pieceSize = 256 << 10

  let head: ResponseHead?
  let body: RecordedBody.Place
  /// How many bytes a compressed body was on the wire; `nil` when it was not compressed, or when that is unknown.
  let encodedCount: Int64?
  let problem: String?
  let failure: RecordedFailure.Kind?
  let wait: Duration
  let headers: HeaderKey
  let path: String

  init(
    _ entry: HTTPArchive.Entry, headerNames: [String], in folder: BodyFolder, at path: String, notes: inout [String]
  ) throws(ProfileError) {
    let response = entry.response
    self.path = path
    wait = max(entry.timings.wait, .zero)
    headers = HeaderKey(entry.request, names: headerNames)
    if headers.isRedacted { notes.append("a header field to match was redacted; any value matches") }
    let error = response.error.flatMap { $0.isEmpty ? nil : $0 }
    var failure = error.map(RecordedFailure.kind)
    if failure == .silence { notes.append("the client had given up; nothing follows what it had received") }
    guard response.status >= 100 else {
      if failure == nil {
        notes.append("there was no response; it is served as a lost connection")
        failure = .error(.networkConnectionLost)
      }
      (head, body, encodedCount, problem, self.failure) = (nil, .data(Data()), nil, nil, failure)
      return
    }
    self.failure = failure
    let isHead = entry.request.method.uppercased() == "HEAD"
    let hasBody = response.status >= 200 && response.status != 204 && response.status != 304
    if response.status < 200 {
      notes.append("status \(response.status) does not end an exchange; it is served as if it did")
    }
    var recorded = try RecordedBody(response, isCutOff: failure != nil, in: folder, at: path)
    let isWhole = hasBody && !isHead && failure == nil
    let isRedirect = ResponseHead(status: response.status).isRedirect
    if let problem = recorded.problem, isWhole {
      notes.append("\(problem); \(isRedirect ? "the redirect is served without it" : "requests for it fail")")
    }
    if !hasBody || isHead { recorded.place = .data(Data()) }
    if !isWhole { recorded.notes = [] }
    if !isWhole || isRedirect { recorded.problem = nil }
    // A HEAD answer and an interrupted answer keep their recorded length, which differs from the served body's.
    let length: Int64? =
      !hasBody ? -1 : !isWhole || recorded.problem != nil ? nil : recorded.encodedCount ?? recorded.count
    let fields = RecordedHeaders(response, body: recorded, length: length)
    notes += recorded.notes + fields.notes
    head = ResponseHead(status: response.status, headers: fields.fields)
    (body, problem) = (recorded.place, recorded.problem)
    encodedCount = hasBody && !isHead ? recorded.encodedCount : nil
  }

  func send(to request: TransportRequest, in folder: BodyFolder, _ reply: any TransportReply) {
    guard let head else { return end(request, reply) }
    let isHead = request.request.httpMethod == "HEAD"
    if let problem, !isHead {
      let line = "\(request.request.httpMethod ?? "GET") \(request.shownURL)"
      let what = "\(folder.archive): \(path), \(line), cannot be served: \(problem)."
      return reply.fail(URLError(.resourceUnavailable, Explanation.noRecording.ending(what), url: request.request.url))
    }
    switch body {
    case .data(let data) where failure == nil && !isHead:
      return reply.answer(head, body: data, encodedCount: encodedCount)
    case .data(let data):
      reply.head(head)
      if !isHead, !data.isEmpty { reply.body(data, encodedCount: encodedCount) }
    case .file(let file, _):
      guard !isHead else { return reply.answer(head, body: Data()) }
      // The file is looked up again: links may have changed since the archive was loaded.
      guard case .file(let url, _)? = try? folder.find(file, at: path),
        let data = try? Data(contentsOf: url, options: .mappedIfSafe)
      else {
        let what = "The recorded body \(file.quoted) can no longer be read."
        return reply.fail(URLError(.cannotOpenFile, Explanation.noRecording.ending(what), url: request.request.url))
      }
      reply.head(head)
      // The count of bytes on the wire belongs to the whole body, so a compressed body is passed on in one piece.
      let size = encodedCount == nil ? Self.pieceSize : max(1, data.count)
      for start in stride(from: 0, to: data.count, by: size) {
        reply.body(data[start..<min(start + size, data.count)], encodedCount: encodedCount)
      }
    }
    end(request, reply)
  }

  private func end(_ request: TransportRequest, _ reply: any TransportReply) {
    switch failure {
    case nil: reply.finish()
    case .silence: reply.park()
    case .error(let code):
      let name = RecordedFailure.name(of: code)
      reply.fail(URLError(code, "The recorded exchange failed too (\(path): \(name)).", url: request.request.url))
    }
  }
}
