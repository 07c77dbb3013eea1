import NetworkConditions
import Pictures
import Testing
import TimelineReports

/// Tests the picture on the page "Any program" with a proxy in virtual time.
@Test func `three requests through a proxy in the tunnel profile match the documented picture`() throws {
  let bench = ProxyBench(try NetworkProfile.named("tunnel@1 s before tunnel"), seed: 42)
  let body = [UInt8](repeating: 7, count: 300_000)
  bench.server = { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body }
  for path in ["feed", "photo/1", "photo/2"] {
    _ = bench.client("GET http://example.test/\(path) HTTP/1.1\r\nHost: example.test\r\n\r\n")
  }
  bench.run()
  #expect(bench.timeline.transfers.count == 3)
  #expect(try Picture.isCurrent("proxy.svg", of: "NetworkProxy", TimelinePicture(bench.timeline).text))
}
