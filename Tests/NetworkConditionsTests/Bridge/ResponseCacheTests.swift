import Foundation
import Testing
import URLLoading

@testable import NetworkConditions

struct ResponseCacheTests {
  @Test func `equal heads of a URL share one response object, and the cache holds 64 URLs`() {
    let cache = ResponseCache()
    let head = ResponseHead(headers: [HeaderField("A", "b")])
    func response(_ number: Int, _ head: ResponseHead) -> URLResponse {
      cache.response(head, for: url("https://example.com/\(number)"))
    }
    let first = response(0, head)
    for number in 1..<64 { _ = response(number, head) }
    #expect(response(0, head) === first)
    _ = response(64, head)
    #expect(response(0, head) !== first)
    #expect((response(0, ResponseHead(status: 404)) as? HTTPURLResponse)?.statusCode == 404)
  }
}
