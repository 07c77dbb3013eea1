import ClientCapture
import Foundation
import Internals
import NetworkConditions

/// While this object exists, calls a closure at the first SIGINT (Ctrl-C), SIGTERM or SIGHUP.
final class Interrupt: Sendable {
  private let caught = Locked<Int32?>(nil)
  private let cancel: Locked<@Sendable () -> Void>
  private let listener: Int

  var signal: Int32? { caught.value }

  /// Calls `cancel` at the first signal; the second one removes unfinished files and ends the process at once.
  init(_ cancel: @escaping @Sendable () -> Void = {}) {
    self.cancel = Locked(cancel)
    let (caught, cancel) = (caught, self.cancel)
    listener = Signals.listen { number in
      guard caught.isFirst(number) else {
        // A closed terminal sends SIGHUP twice, from the shell and from the system.
        if number == SIGHUP { return }
        PendingFile.discardAll()
        _exit(128 + number)
      }
      cancel.value()
    }
  }

  deinit {
    stop()
  }

  /// Replaces the closure, and calls the new one at once if a signal has already come.
  func call(_ other: @escaping @Sendable () -> Void) {
    cancel.withLock { $0 = other }
    if signal != nil { other() }
  }

  func stop() { Signals.stop(listener) }
}

extension Locked<Int32?> {
  func isFirst(_ number: Int32) -> Bool {
    withLock { first in
      defer { first = first ?? number }
      return first == nil
    }
  }
}

/// Delivers the signals that end a process, on a separate thread.
///
/// A signal handler may call few functions, so it writes the number to a pipe. A Dispatch source would start too late
/// and lose earlier signals.
private enum Signals {
  private struct State {
    var listeners: [Int: @Sendable (Int32) -> Void] = [:]
    var next = 0
    var watched: [Int32] = []
  }

  private static let state = Locked(State())

  /// Calls `tell` with each signal from now on, and returns a number for ``stop(_:)``.
  static func listen(_ tell: @escaping @Sendable (Int32) -> Void) -> Int {
    _ = isReading
    return state.withLock { state in
      if state.listeners.isEmpty { state.watched = [SIGINT, SIGTERM, SIGHUP].filter(watch) }
      state.next += 1
      state.listeners[state.next] = tell
      return state.next
    }
  }

  /// Removes a listener, if it is still there; without listeners the signals have their usual effect again.
  static func stop(_ number: Int) {
    state.withLock { state in
      state.listeners[number] = nil
      guard state.listeners.isEmpty else { return }
      for number in state.watched { signal(number, SIG_DFL) }
      state.watched = []
    }
  }

  private static func watch(_ number: Int32) -> Bool {
    let before = signal(number) { number in
      let error = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(signalPipe, &byte, 1)
      errno = error
    }
    // Under `nohup` a program continues when its terminal closes.
    guard number == SIGHUP, unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) else {
      return true
    }
    signal(number, SIG_IGN)
    return false
  }

  /// Starts the thread that reads the pipe, once for the process.
  private static let isReading: Bool = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signalPipe = ends[1]
    let reading = ends[0]
    // The thread runs in real time even if a simulation starts it.
    RealTime.run {
      Thread.detachNewThread {
        var byte: UInt8 = 0
        while true {
          let count = read(reading, &byte, 1)
          if count < 0, errno == EINTR { continue }
          guard count == 1 else { return }
          let number = Int32(byte)
          let listeners = state.withLock { $0.listeners.sorted { $0.key < $1.key }.map(\.value) }
          for tell in listeners { tell(number) }
        }
      }
    }
    return true
  }()
}

/// The pipe to which the signal handler writes; set before the first handler is installed.
private nonisolated(unsafe) var signalPipe: Int32 = -1
