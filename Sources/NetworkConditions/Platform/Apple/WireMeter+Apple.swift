#if !canImport(FoundationNetworking)
  import URLLoading

  /// The bytes of a task's body as they were on the wire: not known before a task is over.
  ///
  /// Until then the system counts decoded bytes (Alamofire 1356, swift-corelibs-foundation 2108).
  struct WireMeter: Sendable {
    init(_ session: URLSession) {}
    func resume(_ task: URLSessionTask) { task.resume() }
    func read(_ result: @escaping @Sendable (Int64?) -> Void) { result(nil) }
  }
#endif
