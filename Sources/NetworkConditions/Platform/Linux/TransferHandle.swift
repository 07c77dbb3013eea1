#if canImport(FoundationNetworking)
  import URLLoading

  /// libcurl's handle of one of Foundation's native tasks on Linux.
  ///
  /// This value keeps the handle alive. Use and release it only on the work queue of the task's session.
  struct TransferHandle {
    private typealias SetPause = @convention(c) (UnsafeMutableRawPointer, _ send: CInt, _ receive: CInt) -> CInt
    private typealias GetInfo = @convention(c) (UnsafeMutableRawPointer, CInt, UnsafeMutablePointer<Double>) -> CInt

    /// Foundation's function that reads a number from libcurl; `nil` if not found, as in a static executable.
    private static let getInfo = dlsym(nil, "CFURLSession_easy_getinfo_double").map {
      unsafeBitCast($0, to: GetInfo.self)
    }
    /// Foundation's function that pauses a transfer, which it uses only for uploads; `nil` if not found.
    private static let setPause = dlsym(nil, "CFURLSessionEasyHandleSetPauseState").map {
      unsafeBitCast($0, to: SetPause.self)
    }
    /// `CURLINFO_SIZE_DOWNLOAD`, as libcurl's binary interface defines it.
    private static let sizeDownload: CInt = 0x30_0008

    private static let storage = FoundationProperty("_protocolStorage")
    private static let (easyHandle, rawHandle) = (FoundationProperty("easyHandle"), FoundationProperty("rawHandle"))

    let owner: AnyObject
    private let handle: UnsafeMutableRawPointer

    /// Finds a task's handle; `nil` before the task is resumed and after its end.
    init?(of task: URLSessionTask) {
      guard let state = Self.storage.read(from: task),
        let loader = Mirror(reflecting: state).children.first?.value as? URLProtocol,
        let easy = FoundationInternals.unwrap(Self.easyHandle.read(from: loader)),
        let handle = Self.rawHandle.read(from: easy as AnyObject) as? UnsafeMutableRawPointer
      else { return nil }
      owner = loader
      self.handle = handle
    }

    /// The bytes of body that libcurl has read: without chunk headers, before decoding.
    var bodyBytes: Int64? {
      var value = 0.0
      guard let result = Self.getInfo?(handle, Self.sizeDownload, &value), result == 0 else { return nil }
      return Int64(exactly: value)
    }

    /// Stops or resumes reading from the connection; while stopped, the server must wait.
    func setReceiving(_ isReceiving: Bool) {
      _ = Self.setPause?(handle, 0, isReceiving ? 0 : 1)
    }
  }
#endif
