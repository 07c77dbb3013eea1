package import Foundation
import Internals

/// An HTTP/1.1 server on 127.0.0.1 for tests and benchmarks; it can also misbehave.
///
/// It runs one thread per connection. ``stop()`` ends all threads and waits for them.
package final class LoopbackServer: Sendable {
  final class Shared: Sendable {
    struct State {
      var requests: [ServerRequest] = []
      var sockets: [Int: Socket] = [:]
      var connectionCount = 0
      var isStopped = false
    }

    let state = Mutex(State())
    let behaviour: @Sendable (ServerRequest) -> Behaviour
    let early: @Sendable (ServerRequest) -> EarlyAnswer?
    /// Guards and signals the counters below, for held responses and for callers that wait for requests.
    let changed = NSCondition()
    nonisolated(unsafe) var releases = 0  // guarded by `changed`
    nonisolated(unsafe) var waiting = 0  // guarded by `changed`
    nonisolated(unsafe) var isOver = false  // guarded by `changed`

    init(
      _ behaviour: @escaping @Sendable (ServerRequest) -> Behaviour,
      _ early: @escaping @Sendable (ServerRequest) -> EarlyAnswer?
    ) {
      self.behaviour = behaviour
      self.early = early
    }

    func record(_ request: ServerRequest) {
      state.withLock { $0.requests.append(request) }
      changed.withLock { changed.broadcast() }
    }

    /// Waits until ``LoopbackServer/release()`` is called after this call, or the server stops.
    func waitForRelease() {
      changed.withLock {
        let before = releases
        waiting += 1
        changed.broadcast()
        while releases == before, !isOver { changed.wait() }
        waiting -= 1
      }
    }
  }

  private let shared: Shared
  private let listener: Socket
  private let threads = DispatchGroup()

  /// The port, chosen by the system.
  package let port: Int

  /// The server's root URL, such as `http://127.0.0.1:54321`.
  package var url: URL { URL(string: "http://127.0.0.1:\(port)")! }

  /// Starts a server that responds as the closure says; by default, as the path names.
  ///
  /// - Parameter early: takes a request's head, without its body, and may return a response to send early.
  package init(
    _ behaviour: @escaping @Sendable (ServerRequest) -> Behaviour = Behaviour.named(by:),
    early: @escaping @Sendable (ServerRequest) -> EarlyAnswer? = { _ in nil }
  ) throws {
    listener = try Socket.listening()
    port = Int(listener.port)
    shared = Shared(behaviour, early)
    let (listener, shared, threads) = (listener, shared, threads)
    Self.run("accept", in: threads) {
      while let socket = listener.accept() {
        let number: Int? = shared.state.withLock { state in
          guard !state.isStopped else { return nil }
          state.connectionCount += 1
          state.sockets[state.connectionCount] = socket
          return state.connectionCount
        }
        guard let number else { return }
        Self.run("connection \(number)", in: threads) {
          var connection = ServerConnection(socket: socket, number: number, server: shared)
          connection.run()
          _ = shared.state.withLock { $0.sockets.removeValue(forKey: number) }
        }
      }
    }
  }

  deinit {
    stop()
  }

  /// A port without a listener: connections to it are refused.
  package static func refusingPort() throws -> Int {
    let socket = try Socket.listening()
    defer { socket.close() }
    return Int(socket.port)
  }

  /// The URL of a path on this server.
  package func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }

  /// The received requests, in order.
  package var requests: [ServerRequest] { shared.state.withLock { $0.requests } }

  /// The number of accepted connections.
  package var connectionCount: Int { shared.state.withLock { $0.connectionCount } }

  /// The number of open connections.
  package var openConnectionCount: Int { shared.state.withLock { $0.sockets.count } }

  /// Resumes the responses that are held or stalled now; later ones wait for the next release.
  package func release() {
    shared.changed.withLock {
      shared.releases += 1
      shared.changed.broadcast()
    }
  }

  /// Blocks until this many requests have arrived.
  package func waitForRequests(_ count: Int) {
    shared.changed.withLock {
      while shared.state.withLock({ $0.requests.count }) < count, !shared.isOver { shared.changed.wait() }
    }
  }

  /// Blocks until this many responses are held or stalled.
  package func waitForHeld(_ count: Int) {
    shared.changed.withLock {
      while shared.waiting < count, !shared.isOver { shared.changed.wait() }
    }
  }

  /// Ends all connections, frees the port and waits for every thread; a second call does nothing.
  package func stop() {
    let sockets = shared.state.withLock { state in
      state.isStopped = true
      return Array(state.sockets.values)
    }
    shared.changed.withLock {
      shared.isOver = true
      shared.changed.broadcast()
    }
    // On Linux a shutdown wakes a thread in accept; on Darwin a connection does.
    listener.shutdown()
    _ = try? Socket.connected(port: UInt16(port))
    for socket in sockets { socket.shutdown() }
    threads.wait()
    listener.close()
  }

  private static func run(_ name: String, in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    let thread = Thread {
      body()
      group.leave()
    }
    thread.name = name
    thread.stackSize = 512 << 10
    thread.start()
  }
}
