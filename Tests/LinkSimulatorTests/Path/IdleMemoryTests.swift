import LinkSimulator
import Testing

/// Connections that free their memory after many others have become idle.
struct IdleMemoryTests {
  /// The events of a second request on a connection, after requests to `others` other hosts.
  private func course(after others: Int, _ version: StreamRequest.HTTPVersion) -> [PathEvent.Kind] {
    var harness = Harness(.symmetric(.megabitsPerSecond(10), delay: .milliseconds(20), loss: .independent(.percent(1))))
    let isSecure = version != .http1
    harness.get(200_000, isSecure: isSecure, version: version)
    harness.run(until: .seconds(5))
    for number in 0..<others {
      harness.get(1_000, key: UInt64(number), host: "\(number).example", isSecure: isSecure, version: version)
    }
    harness.run(until: .seconds(15))
    let second = harness.get(200_000, isSecure: isSecure, version: version)
    harness.run(until: .seconds(25))
    return harness.events(of: second).map(\.kind)
  }

  @Test(arguments: StreamRequest.HTTPVersion.allCases)
  func `a connection that freed its memory serves a further request as before`(_ version: StreamRequest.HTTPVersion) {
    let kept = course(after: 0, version)
    #expect(kept.contains(.connected(reused: true)) && kept.last == .responseReceived)
    #expect(course(after: 200, version) == kept)
  }
}
