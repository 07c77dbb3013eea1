#if canImport(Darwin)
  /// An alternate signal stack; here there is none, so a stack overflow ends the process without a message.
  ///
  /// tvOS and watchOS have no `sigaltstack`, and macOS crashed in backtraces on one (Envoy 18251).
  struct SignalStack {
    func remove() {}
  }

  extension CrashReporter {
    package static var areSpoken: Bool { true }
  }
#endif
