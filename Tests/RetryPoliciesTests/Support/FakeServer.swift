import Internals
import RetryPolicies
import URLLoading

/// A fake server: a script gives each request's answer and delay; the script's last line is repeated.
final class FakeServer: HTTPLoader {
  enum Reply: Sendable {
    case status(Int, headers: [String: String] = [:], after: Duration = .milliseconds(10))
    case error(URLError.Code, after: Duration = .milliseconds(10))
  }
  private struct State {
    var script: [Reply]
    var starts: [Duration] = []
    var cancellations: [Duration] = []
  }
  private let clock: TestClock
  private let state: Mutex<State>

  init(_ clock: TestClock, _ script: Reply...) {
    self.clock = clock
    state = Mutex(State(script: script))
  }

  /// When each request arrived.
  var starts: [Duration] { state.withLock(\.starts) }
  /// How many requests were cancelled.
  var cancelled: Int { cancellations.count }
  /// When requests were cancelled.
  var cancellations: [Duration] { state.withLock(\.cancellations) }

  func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    let reply = state.withLock { state in
      state.starts.append(clock.now.time)
      return state.script.count > 1 ? state.script.removeFirst() : state.script[0]
    }
    do {
      switch reply {
      case .status(let status, let headers, let delay):
        try await clock.sleep(for: delay)
        let response = HTTPURLResponse(
          url: request.url!, statusCode: status, httpVersion: nil, headerFields: headers)!
        return (Data("\(status)".utf8), response)
      case .error(let code, let delay):
        try await clock.sleep(for: delay)
        throw URLError(code)
      }
    } catch is CancellationError {
      state.withLock { $0.cancellations.append(clock.now.time) }
      throw URLError(.cancelled)
    }
  }
}
