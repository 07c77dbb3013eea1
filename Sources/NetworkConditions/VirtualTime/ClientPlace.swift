#if os(Linux) && canImport(Runtime)
  import Runtime
#endif

/// Where in a client's code a call was made.
package enum ClientPlace {
  /// The modules whose frames are not a client's.
  private static let others =
    [
      "ClientCapture", "NetworkConditions", "Foundation", "FoundationNetworking", "FoundationEssentials", "Dispatch",
      "_Concurrency", "Synchronization", "Runtime", "URLLoading", "Internals",
    ].map { "$s\($0.utf8.count)\($0)" } + ["$ss", "$sS"]

  /// The first frame of the calling thread that is a client's, as `file:line`; `nil` when none is known.
  ///
  /// It reads the program's debugging information, which takes a while: for runs that end with it.
  package static var current: String? {
    #if os(Linux) && canImport(Runtime)
      guard let trace = try? Backtrace.capture(limit: 64), let frames = trace.symbolicated() else { return nil }
      for frame in frames.frames {
        guard let symbol = frame.symbol, let place = symbol.sourceLocation, place.line > 0,
          !others.contains(where: symbol.rawName.hasPrefix)
        else { continue }
        return "\(place.path):\(place.line)"
      }
    #endif
    return nil
  }
}
