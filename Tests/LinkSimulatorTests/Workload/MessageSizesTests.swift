import Testing

@testable import LinkSimulator

struct MessageSizesTests {
  @Test func `an upload that waits for 100 Continue has an Expect field in its head`() {
    var put = WorkloadScenario.Request(id: "0", host: "a", path: "/up", method: .put)
    put.requestBytes = 5_000
    // The path and the digits of the length, in addition to the fixed bytes.
    #expect(MessageSizes.head(of: put) == 160)
    put.expects = true
    #expect(MessageSizes.head(of: put) == 183)
  }

  @Test func `a response that closes its connection has a shorter Connection field than one that keeps it`() {
    var get = WorkloadScenario.Request(id: "0", host: "a", path: "/up", method: .get)
    get.responseBytes = 4_096
    // "4096" in decimal, and "1000" in the ETag.
    #expect(MessageSizes.responseHead(of: get) == 255)
    // "close" in place of "keep-alive".
    get.closes = true
    #expect(MessageSizes.responseHead(of: get) == 250)
  }
}
