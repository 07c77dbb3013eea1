#if os(Linux) && canImport(Runtime)
  import Internals
  import Interposition
  import Runtime

  /// Where in a client's code a call was made.
  ///
  /// Whoever makes the call may hold locks of Foundation's, and reading the program's debugging information takes long: so it
  /// is read later, and elsewhere.
  package struct ClientPlace: Sendable {
    private let trace: Backtrace?
    /// The frames of the trace one by one: to find the line of each takes as long as a whole run, and one is wanted.
    private let frames: [Backtrace]

    /// What is loaded, looked up once and before any symbol is: to look, the runtime reads every file that is mapped, also
    /// those that another thread has mapped to find symbols in, and is about to unmap.
    private static let images = ImageMap.capture()

    /// The place of the calling thread.
    package static var current: ClientPlace {
      // The runtime follows frames wherever they lead: two less than there are, since it looks one ahead.
      let count = min(64, interposition_frame_count()) - 2
      guard count > 0 else { return ClientPlace(trace: nil, frames: []) }
      let trace = try? Backtrace.capture(limit: count, top: 0, images: images)
      var frames: [Backtrace] = []
      for offset in 0..<count - 1 {
        // With one behind it, which is cut off.
        guard let frame = try? Backtrace.capture(limit: 2, offset: offset, top: 0, images: images) else { break }
        frames.append(frame)
      }
      return ClientPlace(trace: trace, frames: frames)
    }

    /// The modules whose frames are not a client's.
    private static let others =
      [
        "ClientCapture", "NetworkConditions", "Foundation", "FoundationNetworking", "FoundationEssentials", "Dispatch",
        "_Concurrency", "Synchronization", "Runtime", "URLLoading", "Internals",
      ].map { "$s\($0.utf8.count)\($0)" } + ["$ss", "$sS", "watched_", "interposition_"]

    /// The first frame that is a client's, as `file:line`; `nil` when none is known.
    ///
    /// It reads the program's debugging information, which takes a while: for runs that end with it.
    package var text: String? { Self.reading.withLock { _ in read() } }

    /// One at a time: the runtime keeps what it reads, for all threads and without a lock.
    private static let reading = Mutex(())

    private func read() -> String? {
      guard let names = trace?.symbolicated(options: .useSymbolCache) else { return nil }
      for (name, frame) in zip(names.frames, frames) where Self.isClients(name) {
        // What was inlined there stands before it.
        for inlined in frame.symbolicated()?.frames ?? [] where Self.isClients(inlined) {
          // A line of a macro's is no line of a file's.
          if let place = inlined.symbol?.sourceLocation, place.line > 0, !place.path.contains("@__swiftmacro_") {
            return "\(place.path):\(place.line)"
          }
        }
      }
      return nil
    }

    private static func isClients(_ frame: SymbolicatedBacktrace.Frame) -> Bool {
      guard let name = frame.symbol?.rawName else { return false }
      return !others.contains(where: name.hasPrefix)
    }
  }
#endif
