import Testing

@testable import NetworkConditions

/// The texts and values of each fault.
struct FaultTableTests {
  private static let second = Duration.seconds(1)

  @Test(
    arguments: [
      (.delay(.zero), .delay(.nanoseconds(-1))), (.slowClose(delay: .zero), .slowClose(delay: .nanoseconds(-1))),
      (.idleClose(after: .zero), .idleClose(after: .nanoseconds(-1))),
      (.idleForget(after: .zero), .idleForget(after: .nanoseconds(-1))),
      (.stall(after: .zero, duration: .nanoseconds(1)), .stall(after: .zero, duration: .zero)),
      (.drip(bytes: 1, pause: .nanoseconds(1)), .drip(bytes: 0, pause: .nanoseconds(1))),
      (.drip(bytes: 1, pause: .nanoseconds(1)), .drip(bytes: 1, pause: .zero)),
      (.status(code: 503, retryAfter: .zero), .status(code: 503, retryAfter: .nanoseconds(-1))),
      (.redirect(to: "a"), .redirect(to: "")), (.redirect(to: "a!"), .redirect(to: "a b")),
      (.redirect(to: "a~"), .redirect(to: "a\u{7F}")), (.stall(after: .zero), .stall(after: .zero, duration: .zero)),
    ] as [(RequestFault, RequestFault)])
  func `a fault accepts its smallest value and rejects a smaller one`(least: RequestFault, less: RequestFault) {
    #expect(least.value.problem == nil && less.value.problem != nil)
  }

  @Test(
    arguments: [
      (.delay(.seconds(2)), [.delay(.milliseconds(500)), .delay(second)]), (.delay(.milliseconds(100)), []),
      (.slowClose(delay: .seconds(4)), [.slowClose(delay: second), .slowClose(delay: .seconds(2))]),
      (.idleClose(after: .seconds(5)), [.idleClose(after: .seconds(30))]),
      (.idleForget(after: .seconds(5)), [.idleForget(after: .seconds(30)), .idleClose(after: .seconds(5))]),
      (.stall(after: 7), [1, 10, 60].map { .stall(after: 7, duration: .seconds($0)) }),
      (.stall(after: 7, duration: .seconds(8)), [2, 4, 6].map { .stall(after: 7, duration: .seconds($0)) }),
      (.stall(after: 7, duration: .milliseconds(100)), []), (.corrupt(at: 7), []), (.shorten(to: 7), []),
      (.drip(bytes: 3, pause: .seconds(4)), [second, .seconds(2)].map { .drip(bytes: 3, pause: $0) }),
      (.status(code: 503), []), (.status(code: 503, times: 2), [.status(code: 503)]),
      (
        .status(code: 503, retryAfter: second, page: "p", times: 4),
        [.status(code: 503, page: "p", times: 4)]
          + [1, 3].map { .status(code: 503, retryAfter: second, page: "p", times: $0) }
      ),
      (.refused, [.delay(second)]), (.reset(after: 7), [.delay(second)]), (.goAway, [.delay(second)]), (.stale, []),
    ] as [(RequestFault, [RequestFault])])
  func `a weaker fault is a shorter one, or a delay`(fault: RequestFault, weaker: [RequestFault]) {
    #expect(fault.weaker == weaker)
  }

  @Test func `a fault rule strikes the same requests when toxics change the profile's name`() {
    let rules = [FaultRule(.refused), FaultRule(.goAway), FaultRule(.refused)]
    let keys = FaultRule.keys(of: rules, profile: "3G")
    #expect(Set(keys).count == 3 && keys == FaultRule.keys(of: rules, profile: "3G@web@slow"))
    #expect(Set(keys).isDisjoint(with: FaultRule.keys(of: rules, profile: "4G")))
  }

  @Test(
    arguments: [
      (.delay(.seconds(2)), "request starts 2 s late"), (.slowClose(delay: second), "end of the response 1 s late"),
      (.idleClose(after: second), "connection closed once idle for 1 s"),
      (.idleForget(after: second), "connection forgotten once idle for 1 s"),
      (.stall(after: .bytes(7)), "response stalls after 7 bytes for ever"),
      (.stall(after: .bytes(7), duration: second), "response stalls after 7 bytes for 1 s"),
      (.reset(after: .bytes(7), direction: .up), "connection reset after 7 bytes up"),
      (.corrupt(at: .bytes(7)), "byte 7 of the body corrupted"), (.shorten(to: .bytes(7)), "body shortened to 7 bytes"),
      (.shorten(to: .anywhere), "body shortened to some of its bytes"),
      (.drip(bytes: 7, pause: second), "response drips, 7 bytes and then a pause of 1 s"),
      (.status(code: 503), "status 503"),
      (
        .status(code: 503, retryAfter: second, page: "p", times: 2),
        "status 503 with a web page, retry after 1 s, 2 times in a row"
      ),
      (.redirectToNowhere, "redirect to nowhere"), (.redirect(to: "/a"), "redirect to /a"),
    ] as [(RequestFault, String)])
  func `a fault's description contains its place, its length and its other values`(fault: RequestFault, text: String) {
    #expect(fault.description == text)
  }
}
