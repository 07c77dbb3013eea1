import Foundation
import NetworkConditions
import Testing

@testable import NetworkProxy

struct SystemSocketsTests {
  /// A readiness source that records each call and never reports an event.
  private final class Notes: Readiness {
    var watched: [Int32] = []
    var closed: [Int32] = []
    var rearmed: [Int32] = []

    func watch(_ socket: Int32) { watched.append(socket) }
    func exhausted(_ socket: Int32, _ change: ReadinessChange) { rearmed.append(socket) }
    func close(_ socket: Int32) {
      closed.append(socket)
      _ = Foundation.close(socket)
    }
    func wait(until deadline: UInt64?, _ told: (Int32, ReadinessChange) -> Void) {}
    func wake() {}
  }

  private let notes = Notes()

  private func sockets() -> SystemSockets { SystemSockets(readiness: notes) { _ in } }

  @Test func `stopping the proxy closes connections that are being established`() throws {
    let listener = try Sockets.listen(on: .loopback())
    defer { _ = Foundation.close(listener) }
    let sockets = sockets()
    sockets.connect(to: "127.0.0.1", port: Sockets.port(of: listener), token: 1)
    #expect(notes.watched.count == 1 && notes.closed.isEmpty)
    let core = ProxyCore(profile: .unlimited, seed: 0, system: sockets)
    ProxyLoop.Inside(core: core, sockets: sockets, readiness: notes, clock: ProxyClock(factor: 1)).closeAll()
    #expect(notes.closed == notes.watched)
    #expect(!sockets.settles(notes.watched[0], .writing))
  }

  #if os(Linux)
    @Test func `the source of a loop's events closes its descriptors when it ends`() throws {
      func count(_ kind: String) throws -> Int {
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: "/proc/self/fd").count {
          (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?.contains(kind) == true
        }
      }
      // Other tests may open a few of each kind meanwhile.
      for kind in ["eventpoll", "eventfd", "timerfd"] {
        let before = try count(kind)
        for _ in 0..<100 { _ = EpollReadiness() }
        #expect(try count(kind) < before + 100)
      }
    }
  #endif

  @Test func `a connection to localhost tries the IPv4 address first, then the IPv6 address`() {
    let sockets = SystemSockets(readiness: notes) { $0() }
    var (asked, outcomes): ([String], [Result<Int32, ConnectFailure>]) = ([], [])
    sockets.isOwn = { address in
      asked.append(address.description)
      return address.isVersion6
    }
    sockets.connected = { outcomes.append($1) }
    sockets.connect(to: "localhost", port: 9, token: 1)
    #expect(asked == ["127.0.0.1:9", "[::1]:9"])
    #expect(outcomes == [.failure(.ownAddress)] && notes.watched.isEmpty)
  }

  @Test func `sockets send small writes at once, never block, and leave a port free for the next listener`() throws {
    let listener = try Sockets.listen(on: .loopback())
    defer { _ = Foundation.close(listener) }
    let client = try #require(Sockets.connect(to: .loopback(port: Sockets.port(of: listener))))
    defer { _ = Foundation.close(client) }
    func option(_ level: Int32, _ name: Int32, of socket: Int32) -> Int32 {
      var (value, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
      return getsockopt(socket, level, name, &value, &size) == 0 ? value : -1
    }
    for socket in [listener, client] {
      #expect(option(Int32(IPPROTO_TCP), TCP_NODELAY, of: socket) != 0)
      #expect(fcntl(socket, F_GETFL) & O_NONBLOCK != 0)
      #expect(fcntl(socket, F_GETFD) & FD_CLOEXEC != 0)
    }
    #expect(option(SOL_SOCKET, SO_REUSEADDR, of: listener) != 0)
    #expect(option(SOL_SOCKET, SO_LINGER, of: client) == 0)
    Sockets.resetWhenClosed(client)
    #expect(option(SOL_SOCKET, SO_LINGER, of: client) != 0)
  }

  @Test func `a late event of a closed socket does not complete the connection that reuses its descriptor`() throws {
    let listener = try Sockets.listen(on: .loopback())
    defer { _ = Foundation.close(listener) }
    // With a full queue, Linux answers no further client.
    #expect(Foundation.listen(listener, 0) == 0)
    let sockets = sockets()
    defer { sockets.abandonAttempts() }
    var made: [Int] = []
    sockets.connected = { token, _ in made.append(token) }
    for token in 0..<8 { sockets.connect(to: "127.0.0.1", port: Sockets.port(of: listener), token: token) }
    let last = try #require(notes.watched.last)
    try #require(!Sockets.isConnected(last))
    #expect(sockets.settles(last, .writing))
    #expect(made.isEmpty && notes.rearmed == [last])
    #expect(sockets.settles(notes.watched[0], .writing))
    #expect(made == [0])
    for socket in notes.watched.prefix(1) { notes.close(socket) }
  }
}
