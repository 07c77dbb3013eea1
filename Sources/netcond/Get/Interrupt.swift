import Foundation
import Internals
import NetworkConditions

/// Turns Ctrl-C and a request to terminate into a call, for as long as it lives.
final class Interrupt: Sendable {
  private let caught = Locked<Int32?>(nil)
  private let sources = Mutex<[any DispatchSourceSignal]>([])
  private static let signals = [SIGINT, SIGTERM]

  /// The signal that came, if one did.
  var signal: Int32? { caught.value }

  /// Calls `cancel` at the first signal; the second ends the process at once.
  init(_ cancel: @escaping @Sendable () -> Void) {
    let caught = caught
    for number in Self.signals {
      Foundation.signal(number, SIG_IGN)
      sources.withLock { sources in
        let source = RealTimeWatch.outside { DispatchSource.makeSignalSource(signal: number, queue: .global()) }
        source.setEventHandler {
          // Whoever asks twice does not want to wait for what is being tidied up.
          guard caught.isFirst(number) else { _exit(128 + number) }
          cancel()
        }
        source.resume()
        sources.append(source)
      }
    }
  }

  deinit {
    stop()
  }

  /// Gives the signals their usual effect again.
  func stop() {
    sources.withLock { sources in
      guard !sources.isEmpty else { return }
      for source in sources { source.cancel() }
      for number in Self.signals { Foundation.signal(number, SIG_DFL) }
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
