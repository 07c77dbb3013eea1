import Testing

@testable import TrafficRecording
import URLLoading

struct RecordedFailureTests {
  private func code(_ text: String) -> URLError.Code? {
    guard case .error(let code) = RecordedFailure.kind(of: text) else { return nil }
    return code
  }

  @Test func `a recorded failure is found by its name, its number or Chromium's name`() {
    #expect(code(RecordedFailure.name(of: .timedOut)) == .timedOut)
    #expect(code("URLError -1001") == .timedOut)
    #expect(code("net::ERR_CONNECTION_REFUSED") == .cannotConnectToHost && code("cancelled") == nil)
    // Codes of other error domains are ignored.
    #expect(code("NSErrors -1001") == .networkConnectionLost)
  }
}
