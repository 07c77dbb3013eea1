import Dispatch
import Foundation
import Internals

final class SystemSockets: SocketSystem {
  let readiness: any Readiness
  private let post: @Sendable (@escaping @Sendable () -> Void) -> Void
  var connected: (Int, Result<Int32, ConnectFailure>) -> Void = { _, _ in }
  var isOwn: (SocketAddress) -> Bool = { _ in false }
  private var attempts: [Int32: (token: Int, rest: ArraySlice<SocketAddress>)] = [:]
  private let resolver = DispatchQueue(label: "network-conditions.proxy.names", attributes: .concurrent)

  init(readiness: any Readiness, post: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.readiness = readiness
    self.post = post
  }

  func read(_ socket: Int32, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    let outcome = Sockets.read(socket, into: buffer)
    if outcome == .nothing { readiness.exhausted(socket, .reading) }
    return outcome
  }

  func write(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
    let outcome = Sockets.write(socket, bytes)
    if case .bytes(let count) = outcome, count == bytes.count { return outcome }
    if outcome != .broken { readiness.exhausted(socket, .writing) }
    return outcome
  }

  func endWriting(_ socket: Int32) { Sockets.endWriting(socket) }

  func close(_ socket: Int32, resetting: Bool) {
    if resetting { Sockets.resetWhenClosed(socket) }
    readiness.close(socket)
  }

  func connect(to host: String, port: UInt16, token: Int) {
    if let address = SocketAddress(host: host, port: port) {
      let other = host.lowercased() == "localhost" ? SocketAddress(host: "::1", port: port) : nil
      return attempt([address] + (other.map { [$0] } ?? []), token)
    }
    let box = LoopConfined(self)
    let post = post
    resolver.async {
      let found = Sockets.addresses(of: host, port: port)
      post {
        if found.isEmpty {
          box.value.connected(token, .failure(.unknownName))
        } else {
          box.value.attempt(found[...], token)
        }
      }
    }
  }

  private func attempt(_ addresses: ArraySlice<SocketAddress>, _ token: Int) {
    guard !addresses.contains(where: isOwn) else { return fail(token, .ownAddress) }
    var rest = addresses
    while let next = rest.popFirst() {
      guard let socket = Sockets.connect(to: next) else { continue }
      attempts[socket] = (token, rest)
      readiness.watch(socket)
      return
    }
    fail(token, .unreachable)
  }

  /// Closes the sockets of all attempts to connect; their results are never reported.
  func abandonAttempts() {
    for socket in attempts.keys { readiness.close(socket) }
    attempts = [:]
  }

  private func fail(_ token: Int, _ failure: ConnectFailure) {
    // The result must come after the call that asked for the connection has returned.
    let box = LoopConfined(self)
    post { box.value.connected(token, .failure(failure)) }
  }

  /// Returns whether a ready socket was being connected; if so, handles the attempt's success or failure.
  func settles(_ socket: Int32, _ change: ReadinessChange) -> Bool {
    guard let (token, rest) = attempts[socket] else { return false }
    guard change.contains(.writing) else { return true }
    let failure = Sockets.outcome(of: socket)
    guard failure != nil || Sockets.isConnected(socket) else {
      // The change was that of an earlier socket with the same descriptor.
      readiness.exhausted(socket, .writing)
      return true
    }
    attempts[socket] = nil
    guard let failure else {
      connected(token, .success(socket))
      return true
    }
    readiness.close(socket)
    if rest.isEmpty { connected(token, .failure(failure)) } else { attempt(rest, token) }
    return true
  }
}

final class LoopConfined<Value>: @unchecked Sendable {
  /// Only the loop's thread uses the value, so it needs no lock.
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
