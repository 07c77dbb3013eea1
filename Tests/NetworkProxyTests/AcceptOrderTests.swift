import Foundation
import Internals
import LoopbackServer
import NetworkConditions
import Testing

@testable import NetworkProxy

/// Tests clients that connect to several listening sockets while the proxy is busy.
struct AcceptOrderTests {
  // Not with Dispatch, which reports the second port on another thread at an unpredictable time.
  @Test func `the proxy accepts clients of two ports in turn`() throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let proxy = try NetworkProxy(.unlimited, seed: 0, listeningOn: .loopback(), timeScale: 1, usesDispatch: false)
    defer { proxy.stop() }
    let ports = try (0..<2).map { _ in try proxy.forward(to: "127.0.0.1", port: UInt16(server.port)) }
    let (busy, free, all) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let names = Locked<[String]>([])
    proxy.observe { event in
      guard case .started(let name, _) = event.kind else { return }
      let count = names.withLock {
        $0.append(name)
        return $0.count
      }
      if count == 1 {
        // Blocks the proxy's thread until the other clients have connected.
        busy.signal()
        free.wait()
      }
      if count == 7 { all.signal() }
    }
    var sockets = [Sockets.connect(to: ports[0])]
    busy.wait()
    for _ in 0..<3 { sockets += ports.map { Sockets.connect(to: $0) } }
    free.signal()
    all.wait()
    for socket in sockets { if let socket { _ = close(socket) } }
    let order = names.value.dropFirst()
    #expect(order.count == 6)
    #expect(zip(order, order.dropFirst()).allSatisfy { $0 != $1 }, "\(order)")
  }
}
