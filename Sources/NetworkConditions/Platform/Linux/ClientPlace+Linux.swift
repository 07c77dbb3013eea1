#if os(Linux) && canImport(Runtime)
  import Interposition
  import Runtime

  /// Where in a client's code a call was made.
  ///
  /// Whoever makes the call may hold locks of Foundation's, and reading the program's debugging information takes long: so it
  /// is read later, and elsewhere.
  package struct ClientPlace: Sendable {
    private let trace: Backtrace?

    /// What is loaded, looked up once and before any symbol is: to look, the runtime reads every file that is mapped, also
    /// those that another thread has mapped to find symbols in, and is about to unmap.
    private static let images = ImageMap.capture()

    /// The place of the calling thread.
    package static var current: ClientPlace {
      // The runtime follows frames wherever they lead: two less than there are, since it looks one ahead.
      let count = min(64, interposition_frame_count())
      return ClientPlace(trace: count > 2 ? try? Backtrace.capture(limit: count - 2, top: 0, images: images) : nil)
    }

    /// The modules whose frames are not a client's.
    private static let others =
      [
        "ClientCapture", "NetworkConditions", "Foundation", "FoundationNetworking", "FoundationEssentials", "Dispatch",
        "_Concurrency", "Synchronization", "Runtime", "URLLoading", "Internals",
      ].map { "$s\($0.utf8.count)\($0)" } + ["$ss", "$sS", "watched_"]

    /// The first frame that is a client's, as `file:line`; `nil` when none is known.
    ///
    /// It reads the program's debugging information, which takes a while: for runs that end with it.
    package var text: String? {
      guard let frames = trace?.symbolicated() else { return nil }
      for frame in frames.frames {
        guard let symbol = frame.symbol, let place = symbol.sourceLocation, place.line > 0,
          !Self.others.contains(where: symbol.rawName.hasPrefix)
        else { continue }
        return "\(place.path):\(place.line)"
      }
      return nil
    }
  }
#endif
