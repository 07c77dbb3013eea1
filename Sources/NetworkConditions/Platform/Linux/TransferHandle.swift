#if canImport(FoundationNetworking)
  import URLLoading

  /// The handle by which libcurl carries out one of Foundation's own tasks on Linux.
  ///
  /// It lives as long as this does, and may be used and let go of on the work queue of the task's session only.
  struct TransferHandle {
    private typealias SetPause = @convention(c) (UnsafeMutableRawPointer, _ send: CInt, _ receive: CInt) -> CInt
    private typealias GetInfo = @convention(c) (UnsafeMutableRawPointer, CInt, UnsafeMutablePointer<Double>) -> CInt

    /// Foundation's way to ask libcurl for a number; `nil` where it is not to be found, as in a static executable.
    private static let getInfo = dlsym(nil, "CFURLSession_easy_getinfo_double").map {
      unsafeBitCast($0, to: GetInfo.self)
    }
    /// Foundation's way to pause a transfer, which it uses for uploads alone; `nil` where it is not to be found.
    private static let setPause = dlsym(nil, "CFURLSessionEasyHandleSetPauseState").map {
      unsafeBitCast($0, to: SetPause.self)
    }
    /// `CURLINFO_SIZE_DOWNLOAD`, a part of libcurl's binary interface.
    private static let sizeDownload: CInt = 0x30_0008

    /// Keeps the handle alive.
    let owner: AnyObject
    private let handle: UnsafeMutableRawPointer

    /// Finds a task's handle; `nil` before the task was resumed and after its end.
    init?(of task: URLSessionTask) {
      guard let state = FoundationInternals.property("_protocolStorage", of: task),
        let loader = Mirror(reflecting: state).children.first?.value as? URLProtocol,
        let easy = FoundationInternals.unwrap(FoundationInternals.property("easyHandle", of: loader)),
        let handle = FoundationInternals.property("rawHandle", of: easy as AnyObject) as? UnsafeMutableRawPointer
      else { return nil }
      owner = loader
      self.handle = handle
    }

    /// How many bytes of body libcurl has read: without chunks, and before decoding.
    var bodyBytes: Int64? {
      var value = 0.0
      guard let result = Self.getInfo?(handle, Self.sizeDownload, &value), result == 0 else { return nil }
      return Int64(exactly: value)
    }

    /// Stops reading the connection, so that the server has to wait, or goes on.
    func setReceiving(_ isReceiving: Bool) {
      _ = Self.setPause?(handle, 0, isReceiving ? 0 : 1)
    }
  }
#endif
