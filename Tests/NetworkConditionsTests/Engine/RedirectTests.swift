import Internals
import LinkSimulator
import Testing

@testable import NetworkConditions
import URLLoading

struct RedirectTests {
  private final class Sink: ExchangeSink {
    let told = Mutex<Int>(0)
    func exchangeHasOutput(_ exchange: Int) { told.withLock { $0 += 1 } }
  }

  @Test func `a client that follows redirects itself receives only the redirect`()
    async throws
  {
    let network = SimulatedNetwork("unlimited", seed: 1)
    network.stub(
      "http://a.example/old",
      with: .text("moved").status(302).header("Location", "/new").header("X-Why", "it moved"))
    let url = try #require(URL(string: "http://a.example/old"))
    var settings = ExchangeSettings()
    settings.followsRedirects = false
    let begun = network.engine.begin(
      URLRequest(url: url), body: .empty, uploadSize: 0, settings: settings, sink: Sink(), takesAtOnce: true)
    let output = try #require(begun.output)
    #expect(output.response == nil)
    #expect(output.body.isEmpty)
    guard case .redirected(let next, let start, let head, let origin) = output.end else {
      Issue.record("it ended with \(String(describing: output.end))")
      return
    }
    #expect(next.url?.absoluteString == "http://a.example/new")
    #expect(start == network.timeline.transfers.first?.started)
    #expect(head.status == 302)
    #expect(head["X-Why"] == "it moved")
    #expect(origin == url)
  }
}
