import LinkSimulator
import Testing
import URLLoading

@testable import NetworkConditions

struct RequestLogTests {
  @Test func `a request log keeps the latest requests up to its limit`() throws {
    var log = RequestLog(limit: 3)
    for number in 0..<20 {
      let request = URLRequest(url: url("http://x.example/\(number)"))
      log.append(
        RecordedRequest(TransportRequest(request: request, body: .empty, occurrence: 1, time: .zero)))
      #expect(log.all.map { $0.url?.lastPathComponent } == (max(0, number - 2)...number).map { "\($0)" })
    }
  }

  @Test func `a request log keeps the latest request, however large its body`() {
    var log = RequestLog(limit: 3)
    let large = RequestBody.data(Data(count: 300 << 20))
    for number in 0..<3 {
      let request = URLRequest(url: url("http://x.example/\(number)"))
      log.append(RecordedRequest(TransportRequest(request: request, body: large, occurrence: 1, time: .zero)))
      #expect(log.all.map { $0.url?.lastPathComponent } == ["\(number)"])
    }
  }
}
