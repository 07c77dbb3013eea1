#if !canImport(Darwin)
  import Foundation
  import Internals

  /// An alternate stack for signal handlers, in case a thread's own stack has overflowed.
  struct SignalStack {
    private static let size = 64 << 10
    private let memory: UnsafeMutableRawPointer?

    init() {
      var present = stack_t()
      guard sigaltstack(nil, &present) == 0, Int(present.ss_flags) & Int(SS_DISABLE) != 0, let room = malloc(Self.size)
      else {
        memory = nil
        return
      }
      var stack = stack_t()
      (stack.ss_sp, stack.ss_size) = (room, .init(Self.size))
      sigaltstack(&stack, nil)
      memory = room
    }

    func remove() {
      guard let memory else { return }
      var none = stack_t()
      none.ss_flags = .init(SS_DISABLE)
      sigaltstack(&none, nil)
      free(memory)
    }
  }

  extension CrashReporter {
    /// Whether handlers print a message; `false` under the thread sanitizer, which may wait for a lock of the dead
    /// thread.
    package static var areSpoken: Bool { ThreadSanitizer.current == nil }
  }
#endif
