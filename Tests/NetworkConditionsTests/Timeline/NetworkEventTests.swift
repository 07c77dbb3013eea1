import Testing

@testable import NetworkConditions

struct NetworkEventTests {
  @Test(
    arguments: [
      (.uploaded(bytes: 5, of: 10), "uploaded 5 of 10 bytes"), (.uploaded(bytes: 5, of: nil), "uploaded 5 bytes"),
      (.received(bytes: 5, of: 10), "received 5 of 10 bytes"), (.received(bytes: 5, of: nil), "received 5 bytes"),
    ] as [(NetworkEvent.Kind, String)])
  func `a printed event names its bytes, and their total if that is known`(kind: NetworkEvent.Kind, text: String) {
    #expect("\(kind)" == text)
  }
}
