import Foundation
import Internals
import NetworkConditions

/// Turns Ctrl-C, a request to terminate and a terminal that is closed into a call, for as long as it lives.
final class Interrupt: Sendable {
  private let caught = Locked<Int32?>(nil)
  private let cancel: Locked<@Sendable () -> Void>
  private let sources = Mutex<[(number: Int32, source: any DispatchSourceSignal)]>([])
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// The signal that came, if one did.
  var signal: Int32? { caught.value }

  /// Calls `cancel` at the first signal; the second ends the process at once, and leaves no file half written.
  init(_ cancel: @escaping @Sendable () -> Void = {}) {
    self.cancel = Locked(cancel)
    let (caught, cancel) = (caught, self.cancel)
    for number in Self.signals {
      let before = Foundation.signal(number, SIG_IGN)
      // Under `nohup` a program goes on when its terminal is closed.
      if number == SIGHUP, unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { continue }
      sources.withLock { sources in
        let source = RealTimeWatch.outside { DispatchSource.makeSignalSource(signal: number, queue: .global()) }
        source.setEventHandler {
          guard caught.isFirst(number) else {
            // A shell and the system both tell that a terminal is closed; nobody is impatient then.
            if number == SIGHUP { return }
            // Whoever asks twice does not want to wait for what is being tidied up.
            PendingFile.discardAll()
            _exit(128 + number)
          }
          cancel.value()
        }
        source.resume()
        sources.append((number, source))
      }
    }
  }

  deinit {
    stop()
  }

  /// Calls this instead from now on, at once when a signal has come already.
  func call(_ other: @escaping @Sendable () -> Void) {
    cancel.withLock { $0 = other }
    if signal != nil { other() }
  }

  /// Gives the signals their usual effect again.
  func stop() {
    sources.withLock { sources in
      for (number, source) in sources {
        source.cancel()
        Foundation.signal(number, SIG_DFL)
      }
      sources = []
    }
  }
}

extension Locked<Int32?> {
  /// Notes a signal, and says whether none came before it.
  func isFirst(_ number: Int32) -> Bool {
    withLock { first in
      defer { first = first ?? number }
      return first == nil
    }
  }
}
