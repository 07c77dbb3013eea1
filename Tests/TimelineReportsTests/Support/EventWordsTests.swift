import LinkSimulator
import Testing
import URLLoading

@testable import NetworkConditions
@testable import TimelineReports

struct EventWordsTests {
  @Test(arguments: [
    (NetworkEvent.Kind.started(method: "GET", url: "/a"), "started: GET /a"),
    (.resolved(cached: false), "resolved"), (.resolved(cached: true), "resolved: cached"),
    (.connected(reused: false), "connected"), (.connected(reused: true), "connected: reused"),
    (.uploaded(bytes: 6, of: 8), "uploaded 6 of 8 bytes"), (.received(bytes: 5, of: nil), "received 5 bytes"),
    (.response(status: 204), "response: 204"), (.packetLost(.up, .queueFull), "packet lost: up, queue full"),
    (.packetLost(.down, .blocked), "packet lost: down, UDP blocked"),
    (.retransmitted(.down, .timeout), "retransmitted: down, timeout"), (.fault("reset"), "fault: reset"),
    (.phaseEntered("tunnel"), "phase: tunnel"), (.phaseEntered(""), "phase"), (.launched(1), "client launched"),
    (.launched(2), "client launched: 2"), (.redirected(to: "/b"), "redirected: /b"),
    (.failed(.timedOut), "failed: timedOut"),
    (.stalled, "stalled"), (.finished, "finished"),
  ])
  func `an event's words are its name, and after a colon its direction and details, if it has any`(
    kind: NetworkEvent.Kind, words: String
  ) {
    #expect(EventWords(kind).text == words)
  }
}
