import Internals
import URLLoading

extension PreparedAnswer {
  /// Whether the answer can be given at once on any thread: bytes in memory, no delay, no user's closure.
  var isCanned: Bool {
    guard delay == .zero else { return false }
    return switch action {
    case .message(_, .data, _), .failure: true
    default: false
    }
  }

  func send(to request: TransportRequest, _ reply: any TransportReply) {
    guard delay > .zero else { return act(on: request, reply) }
    reply.after(delay) { act(on: request, reply) }
  }

  private func act(on request: TransportRequest, _ reply: any TransportReply) {
    switch action {
    case .message(let head, .data(let data, let encodedCount), nil):
      let isHead = request.request.httpMethod == "HEAD"
      reply.answer(head, body: isHead ? Data() : data, encodedCount: isHead ? nil : encodedCount)
    case .message(let head, let body, let error):
      reply.head(head)
      if request.request.httpMethod == "HEAD" { return reply.finish() }
      switch body {
      case .data(let data, let encodedCount):
        if !data.isEmpty || encodedCount != nil { reply.body(data, encodedCount: encodedCount) }
        end(error, request, reply)
      case .generated(let count):
        GeneratedBody.forEachSlice(in: 0..<count) { reply.body($0) }
        end(error, request, reply)
      case .stream(let pieces):
        stream(pieces[...], error, request, reply)
      }
    case .failure(let error):
      reply.fail(error.naming(request.request.url))
    case .mistake(let error):
      fail(error, request, reply)
    case .silence:
      reply.park()
    case .sequence(let answers, let end, let position):
      let number = position.next()
      guard let place = end.place(of: number, among: answers.count) else {
        let what = "The stub's sequence of \(answers.count) answers has no answer for request \(number + 1)."
        return fail(URLError(.resourceUnavailable, Explanation.unusableStub.ending(what)), request, reply)
      }
      answers[place].send(to: request, reply)
    case .handler(let handler, let changes):
      let answer: @Sendable () -> Void = { finish(request, reply, changes, Result { try handler(request) }) }
      // In a simulation everything runs in turn, in a fixed order.
      if reply.executor == nil { BlockingWork.run(answer) } else { answer() }
    case .asyncHandler(let handler, let changes):
      let task = Task(executorPreference: reply.executor) {
        do {
          finish(request, reply, changes, .success(try await handler(request)))
        } catch {
          finish(request, reply, changes, .failure(error))
        }
      }
      reply.onCancel { task.cancel() }
    }
  }

  /// Fails a request whose stub is wrong, and ends a simulation: its client would take the error for the network's.
  private func fail(_ error: URLError, _ request: TransportRequest, _ reply: any TransportReply) {
    (reply.executor as? SimulationDriver)?.refuse(with: .unusableStub(error.localizedDescription))
    reply.fail(error.naming(request.request.url))
  }

  private func end(_ error: URLError?, _ request: TransportRequest, _ reply: any TransportReply) {
    if let error { reply.fail(error.naming(request.request.url)) } else { reply.finish() }
  }

  /// - Parameter isDue: whether the delay of the first piece has passed.
  private func stream(
    _ pieces: ArraySlice<(Duration, Data)>, isDue: Bool = false, _ error: URLError?, _ request: TransportRequest,
    _ reply: any TransportReply
  ) {
    // A loop: thousands of pieces without a delay would overflow the stack.
    for index in pieces.indices {
      let (delay, data) = pieces[index]
      if delay > .zero, !isDue || index > pieces.startIndex {
        return reply.after(delay) { stream(pieces[index...], isDue: true, error, request, reply) }
      }
      if !data.isEmpty { reply.body(data) }
    }
    end(error, request, reply)
  }

  /// Sends a handler's answer, with the changes made to the whole handler response.
  private func finish(
    _ request: TransportRequest, _ reply: any TransportReply, _ changes: StubResponse,
    _ result: Result<StubResponse, any Error>
  ) {
    switch result {
    case .success(let response):
      PreparedAnswer(response.changed(as: changes)).send(to: request, reply)
    case .failure(let error):
      reply.fail(URLError(ofStub: error, after: "The stub threw ").naming(request.request.url))
    }
  }
}

extension TransportRequest {
  func withBody() throws -> URLRequest {
    guard body.count > 0 else { return request }
    var request = request
    request.httpBody = try body.load()
    return request
  }
}
