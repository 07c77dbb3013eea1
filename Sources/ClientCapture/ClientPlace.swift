#if os(Linux) && canImport(Runtime)
  import Dispatch
  import struct Foundation.Data
  import class Foundation.JSONDecoder
  import class Foundation.Thread
  import Internals
  import Interposition
  import Runtime

  /// The place in a client's code at which a call was made.
  ///
  /// Reading debugging information is slow, and the calling thread may hold Foundation's locks. So it is read later and
  /// elsewhere. Frames are walked here: the runtime recognizes task functions by name and may then follow memory that
  /// is no task's.
  package struct ClientPlace: Sendable {
    private let frames: [interposition_frame]

    /// The largest number of frames to walk.
    private static let limit = 256

    /// The loaded images, captured once and before any symbol look-up.
    ///
    /// Capturing reads every mapped file, including files that another thread's look-up has mapped and may unmap
    /// meanwhile.
    private static let images = ImageMap.capture()

    package static var current: ClientPlace {
      ClientPlace(
        frames: Array(unsafeUninitializedCapacity: limit) { buffer, count in
          if let start = buffer.baseAddress { count = interposition_frames(start, buffer.count) }
        })
    }

    /// Whether XCTest's own code made the present call, directly or by way of Foundation.
    static var isInXCTest: Bool {
      callers.first { !$0.contains("/libFoundation") }?.hasSuffix("/libXCTest.so") ?? false
    }

    /// Whether Foundation made the present call.
    static var isInFoundation: Bool { callers.first { _ in true }?.contains("/libFoundation") ?? false }

    /// The files of the functions that led to the present call, without this library's own, innermost first.
    private static var callers: some Sequence<String> {
      let files = current.frames.lazy.map(file)
      let own = files.first
      return files.filter { !$0.isEmpty && $0 != own }
    }

    private static func file(of frame: interposition_frame) -> String {
      String(cString: interposition_file(frame.address))
    }

    /// The place at which a task will continue.
    package init(of job: UnownedJob) { self.init(ofTask: job.task) }

    /// The place at which a task will continue, by an address that may not be a task's.
    init(ofTask task: UnsafeRawPointer?) {
      frames = Array(unsafeUninitializedCapacity: Self.limit) { buffer, count in
        guard let task, let start = buffer.baseAddress else { return }
        count = interposition_task_frames(task, start, buffer.count)
      }
    }

    /// The place at which a task waits for a continuation, by an address that may not be a task's.
    ///
    /// `nil` if there is no such task, or if Foundation made the continuation.
    init?(ofWaitingTask task: UnsafeRawPointer) {
      frames = Array(unsafeUninitializedCapacity: Self.limit) { buffer, count in
        guard let start = buffer.baseAddress else { return }
        count = interposition_waiting_frames(task, start, buffer.count)
      }
      let maker = frames.lazy.map(Self.file).first { !$0.contains("/libswift_Concurrency") }
      if maker?.contains("/libFoundation") ?? true { return nil }
    }

    /// The place at which another thread was sampled.
    init(_ sighting: interposition_sighting) {
      frames = withUnsafeBytes(of: sighting.frames) {
        Array($0.bindMemory(to: interposition_frame.self).prefix(sighting.count))
      }
    }

    private init(frames: [interposition_frame]) { self.frames = frames }

    /// Mangled prefixes of modules whose frames are not the client's.
    private static let others =
      [
        "ClientCapture", "NetworkConditions", "Foundation", "FoundationNetworking", "FoundationEssentials", "Dispatch",
        "_Concurrency", "Synchronization", "Runtime", "URLLoading", "Internals", "LinkSimulator", "FailureSearch",
        "NetworkConditionsTesting", "NetworkConditionsXCTest", "RetryBenchmark", "Testing",
      ].map { "$s\($0.utf8.count)\($0)" } + ["$ss", "$sS", "interposition_", "_ZN6__tsan"]

    /// The first of the client's frames as `file:line`; `nil` if none is known.
    ///
    /// It reads the program's debugging information, which is slow: use it only when the run ends with it.
    package var text: String? {
      let answer = Mutex<String?>(nil)
      let isRead = DispatchSemaphore(value: 0)
      read { text in
        answer.withLock { $0 = text }
        isRead.signal()
      }
      RealTime.run { isRead.wait() }
      return answer.withLock { $0 }
    }

    /// Calls `body` with the ``text``, on another thread.
    package func read(_ body: @escaping @Sendable (String?) -> Void) {
      PlaceReader.run { body(found) }
    }

    private var found: String? {
      // Look up what each function is first: looking up all lines would take as long as a run, and one is enough.
      guard let kinds = Self.kinds(of: frames) else { return nil }
      // `isTask`: the stack's last function belongs to a task. `isAwaited`: its awaiting callers were seen. The stack's
      // next frames resumed the task and did not call it.
      var (isTask, isAwaited) = (frames.first?.is_awaiting == 1, false)
      for (frame, function) in zip(frames, kinds) {
        if frame.is_awaiting == 0 {
          if isAwaited { return nil }
          isTask = function.isAsync
        } else {
          guard isTask, function.isAsync else {
            isTask = false
            continue
          }
          isAwaited = true
        }
        if function.isClients, let line = Self.line(at: frame) { return line }
      }
      return nil
    }

    /// The kinds of functions and the lines that were looked up, by addresses: a search has many runs that end at the
    /// same place.
    private static let kinds = Mutex<[UInt: (isAsync: Bool, isClients: Bool)]>([:])
    private static let lines = Mutex<[UInt: String?]>([:])

    private static func kinds(of frames: [interposition_frame]) -> [(isAsync: Bool, isClients: Bool)]? {
      kinds.withLock { known in
        let new = frames.filter { known[$0.address] == nil }
        let names = symbolicated(new, options: .useSymbolCache).map { $0.symbol?.rawName }
        guard names.count == new.count else { return nil }
        for (frame, name) in zip(new, names) {
          known[frame.address] = (name.map(isAsync) ?? false, isClients(name))
        }
        return frames.compactMap { known[$0.address] }
      }
    }

    private static func line(at frame: interposition_frame) -> String? {
      if let known = lines.withLock({ $0[frame.address] }) { return known }
      let line = newLine(at: frame)
      lines.withLock { _ = $0.updateValue(line, forKey: frame.address) }
      return line
    }

    private static func newLine(at frame: interposition_frame) -> String? {
      let found = functions(at: frame)
      if let line = line(of: found, at: frame) { return line }
      // Some instructions belong to no line, often the first ones after an `await`; a function's first one belongs to
      // its declaration.
      guard let symbol = found.last?.symbol else { return nil }
      let others: [UInt] = frame.is_awaiting == 0 ? [1 &- UInt(symbol.offset)] : (1...8).map { 16 * $0 }
      for other in others {
        let frame = interposition_frame(address: frame.address &+ other, is_awaiting: 0)
        let found = functions(at: frame)
        guard found.last?.symbol?.rawName == symbol.rawName else { break }
        if let line = line(of: found, at: frame) { return line }
      }
      return nil
    }

    /// The client's functions at a frame: inlined ones first, then the function that contains them.
    private static func functions(at frame: interposition_frame) -> [SymbolicatedBacktrace.Frame] {
      symbolicated([frame], options: locating).filter { isClients($0.symbol?.rawName) }
    }

    /// The place of a frame's functions as `file:line`; `nil` if its line is unknown or in a macro's expansion.
    private static func line(of functions: [SymbolicatedBacktrace.Frame], at frame: interposition_frame) -> String? {
      #if DEBUG
        if let (path, line) = place(at: frame) { return text(path, line) }
        let functions = symbolicated([frame], options: [.showSourceLocations, .useSymbolCache])
      #endif
      return functions.lazy.compactMap { $0.symbol?.sourceLocation.flatMap { text($0.path, $0.line) } }.first
    }

    private static func text(_ path: String, _ line: Int) -> String? {
      line > 0 && !path.contains("@__swiftmacro_") ? "\(path):\(line)" : nil
    }

    #if DEBUG
      /// The place of an instruction, read from the program itself; without inlined functions it is the function's.
      private static func place(at frame: interposition_frame) -> (path: String, line: Int)? {
        // A return address may belong to the next line.
        let address = frame.is_awaiting == 0 ? frame.address - 1 : frame.address
        var path = [CChar](repeating: 0, count: 4096)
        let line = interposition_line(address, &path, path.count)
        return line < 0 ? nil : (String(cString: path), Int(line))
      }
    #endif

    /// How to look up functions: debug builds have no inlined ones, and their lines are read from the program itself.
    private static var locating: Backtrace.SymbolicationOptions {
      #if DEBUG
        .useSymbolCache
      #else
        .default
      #endif
    }

    static func isClients(_ name: String?) -> Bool {
      guard let name else { return false }
      // A specialised function of another module may contain a client's closure, and then has its name as a part.
      let functions = name.hasPrefix("$s") ? name.split(separator: "$s").map { "$s\($0)" } : [name]
      return functions.contains { function in !others.contains(where: function.hasPrefix) }
    }

    /// Whether a mangled name belongs to an `async` function or closure, or to its part after an `await`.
    private static func isAsync(_ name: String) -> Bool {
      name.contains(/(Ya(Yb|YT|K|l)*(F|FZ|cfU\d*_)|T[QY]\d+_)$/)
    }

    /// Returns the runtime's symbols for frames, including inlined functions.
    ///
    /// The runtime's type has no initializer for addresses, but can be decoded. The encoding is a byte with version (0)
    /// and word size; then for each frame a byte with its kind and address length, and the address; then a zero.
    /// Source: docs/CompactBacktraceFormat.md of the Swift project.
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

  extension UnownedJob {
    /// The address of the job's task, which is all that a job is; `nil` with a runtime where it is more.
    var task: UnsafeMutableRawPointer? {
      MemoryLayout<Self>.size == MemoryLayout<UnsafeRawPointer>.size
        ? unsafeBitCast(self, to: UnsafeMutableRawPointer.self) : nil
    }
  }

  /// The thread that reads all places.
  ///
  /// The runtime keeps debugging information for each thread that reads it, and never frees it: 90 MB for a large program.
  private enum PlaceReader {
    private static let work = Mutex<[@Sendable () -> Void]>([])
    private static let count = DispatchSemaphore(value: 0)
    private static let thread: Void = Thread.detachNewThread {
      while true {
        count.wait()
        work.withLock { $0.removeFirst() }()
      }
    }

    static func run(_ body: @escaping @Sendable () -> Void) {
      RealTime.run {
        thread
        work.withLock { $0.append(body) }
        count.signal()
      }
    }
  }
#else
  /// The place of a call in a client's code; unknown here, since only Linux has the runtime's backtraces.
  package struct ClientPlace: Sendable {
    package static var current: ClientPlace { ClientPlace() }
    package init(of job: UnownedJob) {}
    private init() {}
    package var text: String? { nil }
    package func read(_ body: @escaping @Sendable (String?) -> Void) { body(nil) }
  }
#endif
