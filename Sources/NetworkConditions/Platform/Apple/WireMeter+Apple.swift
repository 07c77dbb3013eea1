#if !canImport(FoundationNetworking)
  import URLLoading

  /// Counts a body's bytes on the wire; unknown on Apple platforms until a task has ended.
  ///
  /// Until then the system counts only decoded bytes (Alamofire 1356, swift-corelibs-foundation 2108).
  struct WireMeter: Sendable {
    init(_ session: URLSession) {}
    func resume(_ task: URLSessionTask) { task.resume() }
    func read(_ result: @escaping @Sendable (Int64?) -> Void) { result(nil) }
  }
#endif
