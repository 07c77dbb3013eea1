#if !(os(Linux) && canImport(Runtime))
  /// Where in a client's code a call was made: not known, since the runtime's backtraces are Linux's alone.
  package struct ClientPlace: Sendable {
    package static var current: ClientPlace { ClientPlace() }
    package init(of job: UnownedJob) {}
    private init() {}
    package var text: String? { nil }
  }
#endif
