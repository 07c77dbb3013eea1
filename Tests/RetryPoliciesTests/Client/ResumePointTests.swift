import Foundation
import Testing
import URLLoading

@testable import RetryPolicies

struct ResumePointTests {
  /// Whether a request with headers `asking` resumes after 10 bytes of a response.
  private func goesOn(method: String = "GET", asking: [String: String] = [:], _ answer: [String: String]) -> Bool {
    var request = URLRequest(url: URL(string: "https://example.com/map")!)
    request.httpMethod = method
    for (name, value) in asking { request.setValue(value, forHTTPHeaderField: name) }
    var point = ResumePoint()
    let response = HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: nil, headerFields: answer)!
    #expect(point.take(response, to: request) == .begins)
    point.count = 10
    return point.canGoOn
  }

  @Test func `only a GET without Range resumes, and only with a strong ETag and a server that supports ranges`() {
    let tag = ["ETag": "\"a\""]
    #expect(goesOn(tag))
    #expect(!goesOn([:]) && !goesOn(["ETag": "W/\"a\""]))
    #expect(!goesOn(method: "POST", tag) && !goesOn(asking: ["Range": "bytes=5-"], tag))
    #expect(!goesOn(["ETag": "\"a\"", "Accept-Ranges": "none"]))
    #expect(goesOn(["ETag": "\"a\"", "Accept-Ranges": "bytes"]))
    #expect(!goesOn(["ETag": "\"a\"", "Content-Encoding": "gzip"]))
  }
}
