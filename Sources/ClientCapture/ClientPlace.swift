#if os(Linux) && canImport(Runtime)
  import struct Foundation.Data
  import class Foundation.JSONDecoder
  import Internals
  import Interposition
  import Runtime

  /// Where in a client's code a call was made.
  ///
  /// Whoever makes the call may hold locks of Foundation's, and reading the program's debugging information takes long: so it
  /// is read later, and elsewhere. The frames are followed here and not by the runtime, which takes a function for a task's by
  /// its name, and follows then what may be no task's memory.
  package struct ClientPlace: Sendable {
    private let frames: [interposition_frame]

    /// More than this is not followed.
    private static let limit = 256

    /// What is loaded, looked up once and before any symbol is: to look, the runtime reads every file that is mapped, also
    /// those that another thread has mapped to find symbols in, and is about to unmap.
    private static let images = ImageMap.capture()

    /// The place of the calling thread.
    package static var current: ClientPlace {
      ClientPlace(
        frames: Array(unsafeUninitializedCapacity: limit) { buffer, count in
          if let start = buffer.baseAddress { count = interposition_frames(start, buffer.count) }
        })
    }

    /// The place at which a task goes on.
    package init(of job: UnownedJob) {
      // A job is the address of its task.
      self.init(
        ofTask: MemoryLayout<UnownedJob>.size == MemoryLayout<UnsafeRawPointer>.size
          ? unsafeBitCast(job, to: UnsafeRawPointer.self) : nil)
    }

    /// The same, by the task's address; what lies there need not be one.
    init(ofTask task: UnsafeRawPointer?) {
      frames = Array(unsafeUninitializedCapacity: Self.limit) { buffer, count in
        guard let task, let start = buffer.baseAddress else { return }
        count = interposition_task_frames(task, start, buffer.count)
      }
    }

    /// The place at which a thread was seen.
    init(_ sighting: interposition_sighting) {
      frames = withUnsafeBytes(of: sighting.frames) {
        Array($0.bindMemory(to: interposition_frame.self).prefix(sighting.count))
      }
    }

    private init(frames: [interposition_frame]) { self.frames = frames }

    /// The modules whose frames are not a client's.
    private static let others =
      [
        "ClientCapture", "NetworkConditions", "Foundation", "FoundationNetworking", "FoundationEssentials", "Dispatch",
        "_Concurrency", "Synchronization", "Runtime", "URLLoading", "Internals", "LinkSimulator",
      ].map { "$s\($0.utf8.count)\($0)" } + ["$ss", "$sS", "interposition_"]

    /// The first frame that is a client's, as `file:line`; `nil` when none is known.
    ///
    /// It reads the program's debugging information, which takes a while: for runs that end with it.
    package var text: String? { Self.reading.withLock { _ in read() } }

    /// One at a time: the runtime keeps what it reads, for all threads and without a lock.
    private static let reading = Mutex(())

    private func read() -> String? {
      // The names of all first: to find the line of each takes as long as a whole run, and one is wanted.
      let names = Self.symbolicated(frames, options: .useSymbolCache).map { $0.symbol?.rawName }
      guard names.count == frames.count else { return nil }
      // Whether the last function of the stack's is a task's, and whether those that await it were seen: what follows on the
      // stack has resumed it, and did not call it.
      var (isTask, isAwaited) = (frames.first?.is_awaiting == 1, false)
      for (frame, name) in zip(frames, names) {
        if frame.is_awaiting == 0 {
          if isAwaited { return nil }
          isTask = name.map(Self.isAsync) ?? false
        } else {
          guard isTask, let name, Self.isAsync(name) else {
            isTask = false
            continue
          }
          isAwaited = true
        }
        guard Self.isClients(name) else { continue }
        let functions = Self.functions(at: frame)
        if let place = functions.lazy.compactMap(Self.line).first { return place }
        // Some of a function's instructions belong to no line. Its first one belongs to the line that declares it.
        if let offset = functions.last?.symbol?.offset, offset > 0 {
          let start = interposition_frame(address: frame.address &- UInt(offset) &+ 1, is_awaiting: 0)
          if let place = Self.functions(at: start).lazy.compactMap(Self.line).first { return place }
        }
      }
      return nil
    }

    /// The client's functions at a frame: the inlined ones first, then the one that holds them.
    private static func functions(at frame: interposition_frame) -> [SymbolicatedBacktrace.Frame] {
      symbolicated([frame], options: locating).filter { isClients($0.symbol?.rawName) }
    }

    /// A function's place as `file:line`; `nil` where no line is known, or the line is one of a macro's expansion.
    private static func line(of function: SymbolicatedBacktrace.Frame) -> String? {
      guard let place = function.symbol?.sourceLocation, place.line > 0, !place.path.contains("@__swiftmacro_") else {
        return nil
      }
      return "\(place.path):\(place.line)"
    }

    /// What was inlined takes most of the time to read, and is nothing without optimization.
    private static var locating: Backtrace.SymbolicationOptions {
      #if DEBUG
        [.showSourceLocations, .useSymbolCache]
      #else
        .default
      #endif
    }

    private static func isClients(_ name: String?) -> Bool {
      guard let name else { return false }
      // A function of another module's may have been made for a client's closure, which it then holds and has in its name.
      let functions = name.hasPrefix("$s") ? name.split(separator: "$s").map { "$s\($0)" } : [name]
      return functions.contains { function in !others.contains(where: function.hasPrefix) }
    }

    /// Whether a mangled name is that of an `async` function or closure, or of what follows in it after an `await`.
    private static func isAsync(_ name: String) -> Bool {
      name.contains(/(Ya(Yb|YT|K|l)*(F|FZ|cfU\d*_)|T[QY]\d+_)$/)
    }

    /// What the runtime knows of frames, each with what was inlined in it.
    ///
    /// It has no initializer that takes addresses, but can be decoded from them: a byte with the version (0) and the size of a
    /// word, then for each frame one with its kind and the length of its address, and the address, then a zero. Source:
    /// docs/CompactBacktraceFormat.md of the Swift project.
    private static func symbolicated(
      _ frames: [interposition_frame], options: Backtrace.SymbolicationOptions
    ) -> [SymbolicatedBacktrace.Frame] {
      var bytes = Data([0b10])
      for frame in frames {
        bytes.append(frame.is_awaiting == 0 ? 0b10_1111 : 0b11_1111)
        withUnsafeBytes(of: UInt64(frame.address).bigEndian) { bytes.append(contentsOf: $0) }
      }
      bytes.append(0)
      let encoded = #"{"architecture":"","backtrace":"\#(bytes.base64EncodedString())"}"#
      let backtrace = try? JSONDecoder().decode(Backtrace.self, from: Data(encoded.utf8))
      return backtrace?.symbolicated(with: images, options: options)?.frames ?? []
    }
  }
#else
  /// Where in a client's code a call was made: not known, since the runtime's backtraces are Linux's alone.
  package struct ClientPlace: Sendable {
    package static var current: ClientPlace { ClientPlace() }
    package init(of job: UnownedJob) {}
    private init() {}
    package var text: String? { nil }
  }
#endif
