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

  @Test(arguments: [
    ("[Errno -2] Name or service not known", URLError.Code.cannotFindHost),
    ("[Errno 8] nodename nor servname provided, or not known", .cannotFindHost),
    ("[Errno 111] Connect call failed ('127.0.0.1', 80)", .cannotConnectToHost),
    ("Certificate verify failed: self-signed certificate", .serverCertificateUntrusted),
    ("server closed connection", .networkConnectionLost), ("Client disconnected.", nil),
  ])
  func `a failure that mitmproxy recorded is found by its text`(text: String, expected: URLError.Code?) {
    #expect(code(text) == expected)
  }
}
