import Foundation
import NetworkConditions
import NetworkConditionsTesting
import NetworkProxy
import Testing
import URLLoading

// The examples of the module's documentation, word for word: they must compile and give the shown results.

@Test func `the documented proxy starts and stops without a transfer`() throws {
  let proxy = try NetworkProxy("tunnel", seed: 42)
  let configuration = URLSessionConfiguration.ephemeral
  configuration.connectionProxyDictionary = proxy.connectionProxyDictionary
  for transfer in proxy.timeline.transfers { print(transfer.summary) }
  proxy.stop()
  #expect(proxy.timeline.transfers.isEmpty)
}

#if os(macOS) || os(Linux)
  @Test(.network("3G", seed: 42, capturing: .nothing)) func `the script gets through over 3G`() throws {
    let proxy = try NetworkProxy(like: NetworkUnderTest.network)
    defer { proxy.stop() }
    let script = Process()
    script.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    script.environment = proxy.environment
    try script.run()
    script.waitUntilExit()
    #expect(script.terminationStatus == 0)
  }
#endif
