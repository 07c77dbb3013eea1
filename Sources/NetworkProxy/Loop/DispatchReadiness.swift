import Dispatch
import Foundation
import Internals

/// Reports readiness with Dispatch sources, for systems without epoll.
final class DispatchReadiness: Readiness {
  private struct Sources {
    let reading: any DispatchSourceRead
    let writing: any DispatchSourceWrite
    /// The suspended sources: a source is suspended from its report until ``exhausted(_:_:)``.
    var told: ReadinessChange = []
  }

  private struct State {
    var sources: [Int32: Sources] = [:]
    var changes: [(Int32, ReadinessChange)] = []
    var isWoken = false
  }

  /// Guards ``state``; it cannot be a `Mutex` around it, since Dispatch sources are not `Sendable`.
  private let lock = Mutex(())
  private nonisolated(unsafe) var state = State()
  private let queue = DispatchQueue(label: "network-conditions.proxy.readiness")
  private let bell = DispatchSemaphore(value: 0)

  /// Closes all sockets: Dispatch traps when a suspended source is released.
  deinit {
    for socket in Array(state.sources.keys) { close(socket) }
  }

  func watch(_ socket: Int32) {
    let reading = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
    let writing = DispatchSource.makeWriteSource(fileDescriptor: socket, queue: queue)
    // The last cancelled source closes the socket: Dispatch must no longer watch it then.
    let left = Locked(2)
    let cancelled: @Sendable () -> Void = {
      let isLast = left.withLock { count in
        count -= 1
        return count == 0
      }
      if isLast { _ = Foundation.close(socket) }
    }
    reading.setCancelHandler(handler: cancelled)
    writing.setCancelHandler(handler: cancelled)
    reading.setEventHandler { [weak self] in self?.tell(socket, .reading) }
    writing.setEventHandler { [weak self] in self?.tell(socket, .writing) }
    lock.withLock { _ in state.sources[socket] = Sources(reading: reading, writing: writing) }
    reading.resume()
    writing.resume()
  }

  private func tell(_ socket: Int32, _ change: ReadinessChange) {
    lock.withLock { _ in
      guard let sources = state.sources[socket], !sources.told.contains(change) else { return }
      state.sources[socket]?.told.insert(change)
      if change == .reading { sources.reading.suspend() } else { sources.writing.suspend() }
      state.changes.append((socket, change))
    }
    bell.signal()
  }

  func exhausted(_ socket: Int32, _ change: ReadinessChange) {
    lock.withLock { _ in
      guard let sources = state.sources[socket], sources.told.contains(change) else { return }
      state.sources[socket]?.told.remove(change)
      if change == .reading { sources.reading.resume() } else { sources.writing.resume() }
    }
  }

  func close(_ socket: Int32) {
    let sources = lock.withLock { _ in
      state.changes.removeAll { $0.0 == socket }
      return state.sources.removeValue(forKey: socket)
    }
    guard let sources else { return }
    sources.reading.cancel()
    sources.writing.cancel()
    // A suspended source never calls its cancellation handler.
    if sources.told.contains(.reading) { sources.reading.resume() }
    if sources.told.contains(.writing) { sources.writing.resume() }
  }

  func wait(until deadline: UInt64?, _ told: (Int32, ReadinessChange) -> Void) {
    let isReady = lock.withLock { _ in !state.changes.isEmpty || state.isWoken }
    if isReady {
      // Consumes the pending signals; otherwise later waits would return at once.
      while bell.wait(timeout: .now()) == .success {}
    } else {
      _ = bell.wait(timeout: deadline.map { DispatchTime(uptimeNanoseconds: $0) } ?? .distantFuture)
    }
    let changes = lock.withLock { _ in
      defer {
        state.changes.removeAll(keepingCapacity: true)
        state.isWoken = false
      }
      return state.changes
    }
    for (socket, change) in changes { told(socket, change) }
  }

  func wake() {
    lock.withLock { _ in state.isWoken = true }
    bell.signal()
  }
}
