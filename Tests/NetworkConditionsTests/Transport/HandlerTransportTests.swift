import NetworkConditions
import Testing
import URLLoading

struct HandlerTransportTests {
  @Test func `a closure that responds, waits or throws can be used as a transport`() async {
    let immediate = HandlerTransport { request in .text("\(request.request.httpMethod ?? "") \(request.body.count)") }
    #expect(immediate.send("PUT", "http://x.example/", body: .data(Data([1, 2]))).text == "PUT 2")
    let waiting = HandlerTransport { request in
      await Task.yield()
      return .text("later")
    }
    let reply = waiting.send("GET", "http://x.example/")
    await reply.ended()
    #expect(reply.text == "later" && reply.isInOrder)
    let failing = HandlerTransport { _ -> StubResponse in throw URLError(.timedOut) }
    #expect(failing.send("GET", "http://x.example/").ending == .failed(.timedOut))
  }
}
