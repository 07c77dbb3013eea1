import Dispatch
import Foundation
import Internals

/// Turns Ctrl-C and a request to terminate into a call, for as long as it lives.
final class Interrupt: Sendable {
  private let caught = Caught()
  private let sources = Mutex<[any DispatchSourceSignal]>([])
  private static let signals = [SIGINT, SIGTERM]

  /// The signal that came, if one did.
  var signal: Int32? { caught.first }

  /// Calls `cancel` at the first signal; the second ends the process at once.
  init(_ cancel: @escaping @Sendable () -> Void) {
    let caught = caught
    for number in Self.signals {
      Foundation.signal(number, SIG_IGN)
      sources.withLock { sources in
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
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

/// The first signal that came: what the handlers write and the command reads.
final class Caught: Sendable {
  private let signal = Mutex<Int32?>(nil)

  /// The signal, if one came.
  var first: Int32? { signal.withLock { $0 } }

  /// Notes a signal, and says whether none came before it.
  func isFirst(_ number: Int32) -> Bool {
    signal.withLock { signal in
      guard signal == nil else { return false }
      signal = number
      return true
    }
  }
}
