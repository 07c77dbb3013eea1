import ClientCapture
import Foundation
import Internals
import struct Synchronization.Atomic

/// Reports the simulated runs in progress when a signal kills the process.
///
/// A signal handler writes the report of the run whose thread trapped, or of all runs, to standard error. Then it calls
/// the former handler. It uses only functions that POSIX allows there (`write`, `open`, `close`, `lseek`, `read`,
/// `sigaction`, `raise`), and never allocates or waits for a lock.
package struct CrashReporter: Sendable {
  package var text: String
  /// A further line, printed when the process dies but not when the run is refused.
  var hint: String?
  /// A line to append to a file when the run dies; the file's folder must exist.
  package var record: Record?

  package struct Record: Sendable {
    package var file: String
    package var line: String
    /// The header to write first, if the file is new or empty.
    package var header: String

    package init(_ line: String, in file: String, header: String) {
      (self.line, self.file, self.header) = (line, file, header)
    }
  }

  package init(_ text: String, hint: String? = nil, record: Record? = nil) {
    (self.text, self.hint, self.record) = (text, hint, record)
  }

  init(_ profile: NetworkProfile, seed: UInt64, faults: FaultSource = .drawn) {
    if case .replayed(let schedule) = faults {
      let count = FigureText.count(schedule.faults.count, "fault")
      self.init("under \(profile.name.quoted) with a schedule of \(count)")
    } else {
      self.init("under \(profile.name.quoted), seed \(seed)")
    }
  }

  final class Run: Sendable {
    fileprivate let number = Shelf.nextNumber()
    private let words: CrashReporter
    private let place = Mutex<Int?>(nil)

    init(_ words: CrashReporter) { self.words = words }

    func goOn() {
      place.withLock { place in
        guard place == nil else { return }
        CrashReporter.listen()
        place = Shelf.put(words, number) ?? -1
      }
    }

    func pause() {
      place.withLock { place in
        guard let taken = place else { return }
        if taken >= 0 { Shelf.clear(taken) }
        place = nil
        CrashReporter.stopListening()
      }
    }

    /// From now on, reports this run only if its own thread crashes, because the run's caller already knows its end.
    func markReported() {
      place.withLock { place in
        if let taken = place, taken >= 0 { Shelf.runs[taken].store(number | Shelf.told, ordering: .releasing) }
      }
    }

    /// Makes the calling thread one of the run's while `body` runs, so that its trap is reported for this run.
    func onThisThread<Result>(_ body: () -> Result) -> Result {
      let former = Shelf.ownRun
      Shelf.ownRun = number
      defer { Shelf.ownRun = former }
      return body()
    }
  }

  /// Keeps this run's crash report ready while `body` runs on this thread.
  func keepReport<Result>(during body: (Run) -> Result) -> Result {
    let stack = SignalStack()
    let run = Run(self)
    run.goOn()
    defer {
      run.pause()
      stack.remove()
    }
    return run.onThisThread { body(run) }
  }
}

/// The crash reports of all open runs, in plain memory that a signal handler can read.
private enum Shelf {
  struct Entry {
    var text: UnsafeMutablePointer<CChar>?
    var file: UnsafeMutablePointer<CChar>?
    var line: UnsafeMutablePointer<CChar>?
    var header: UnsafeMutablePointer<CChar>?
  }

  /// The most reports; further runs have none.
  static let count = 64
  /// A bit in a run's number, set once the run's caller knows how it ended.
  static let told = ~(UInt.max >> 1)
  nonisolated(unsafe) static let runs: UnsafeMutablePointer<Atomic<UInt>> = {
    let runs = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: count)
    for place in 0..<count { (runs + place).initialize(to: Atomic(0)) }
    return runs
  }()
  private static let lastRun = Atomic<UInt>(0)
  static func nextNumber() -> UInt { lastRun.wrappingAdd(1, ordering: .relaxed).newValue }
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()
  /// The number of the calling thread's run; 0 if it has none.
  static var ownRun: UInt {
    get { UInt(bitPattern: pthread_getspecific(key)) }
    set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
  }
  nonisolated(unsafe) static let entries: UnsafeMutablePointer<Entry> = {
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: count)
    entries.initialize(repeating: Entry(), count: count)
    return entries
  }()
  private static let taken = Mutex(Set<Int>())

  static func put(_ words: CrashReporter, _ number: UInt) -> Int? {
    let place = taken.withLock { taken in (0..<count).first { taken.insert($0).inserted } }
    guard let place else { return nil }
    entries[place] = Entry(
      text: strdup(words.text + (words.hint.map { "\n\($0)" } ?? "")), file: words.record.flatMap { strdup($0.file) },
      line: words.record.flatMap { strdup($0.line) }, header: words.record.flatMap { strdup($0.header) })
    runs[place].store(number, ordering: .releasing)
    return place
  }

  static func clear(_ place: Int) {
    runs[place].store(0, ordering: .sequentiallyConsistent)
    // A handler on another thread may be reading this memory. The process is about to end, so leaking it does no harm.
    guard CrashReporter.dying.load(ordering: .sequentiallyConsistent) == 0 else { return }
    let entry = entries[place]
    for text in [entry.text, entry.file, entry.line, entry.header] { free(text) }
    taken.withLock { _ = $0.remove(place) }
  }
}

extension CrashReporter {
  /// The thread whose handler writes; 0 before the first signal.
  fileprivate static let dying = Atomic<UInt>(0)

  static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]

  private static func name(of signal: Int32) -> StaticString {
    switch signal {
    case SIGILL: "SIGILL"
    case SIGTRAP: "SIGTRAP"
    case SIGABRT: "SIGABRT"
    case SIGSEGV: "SIGSEGV"
    case SIGBUS: "SIGBUS"
    default: "SIGFPE"
    }
  }

  nonisolated(unsafe) private static let former: UnsafeMutablePointer<sigaction> = {
    // Run the code once now: at its first run, Swift may look up types and allocate, which a handler must not do.
    if let place = Shelf.put(CrashReporter("", record: Record("", in: "/dev/null", header: "")), Shelf.nextNumber()) {
      say(SIGILL, to: -1)
      Shelf.clear(place)
    }
    let former = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)
    former.initialize(repeating: sigaction(), count: 64)
    return former
  }()

  /// The number of runs that need the handler.
  private static let listeners = Mutex(0)

  fileprivate static func listen() {
    let former = former
    listeners.withLock { count in
      count += 1
      guard areSpoken, count == 1 else { return }
      for number in signals {
        var action = sigaction()
        action.handle { number, info, _ in CrashReporter.die(of: number, info?.pointee.si_code ?? 0) }
        action.sa_flags = .init(truncatingIfNeeded: Int(SA_SIGINFO) | Int(SA_ONSTACK))
        sigemptyset(&action.sa_mask)
        sigaction(number, &action, former + Int(number))
        own = handler(of: number)
      }
    }
  }

  /// Restores the former handlers after the last run, except where others were set meanwhile.
  fileprivate static func stopListening() {
    listeners.withLock { count in
      count -= 1
      guard areSpoken, count == 0, dying.load(ordering: .relaxed) == 0 else { return }
      for number in signals where handler(of: number) == own { sigaction(number, former + Int(number), nil) }
    }
  }

  /// The address of this package's handler; guarded by the lock of ``listeners``.
  nonisolated(unsafe) private static var own: UInt = 0

  static func handler(of number: Int32) -> UInt {
    var action = sigaction()
    sigaction(number, nil, &action)
    // The handler is the structure's first member on Linux and on Darwin.
    return withUnsafeBytes(of: &action) { $0.load(as: UInt.self) }
  }

  /// The pipe to which the handler writes the signal's number; -1 if there is none.
  private static let bell = Atomic<Int32>(-1)

  /// Runs `work` with the signal's name when the process dies, on another thread, while the dead thread waits.
  ///
  /// The dead thread may hold any lock, so `work` may hang: use it only in a process that another one ends after a
  /// while.
  package static func onDeath(_ work: @escaping @Sendable (String) -> Void) {
    listen()
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    let own = ends[0]
    Thread.detachNewThread {
      var number: Int32 = 0
      while Foundation.read(own, &number, MemoryLayout<Int32>.size) != MemoryLayout<Int32>.size {}
      work("\(name(of: number))")
      _exit(128 + number)
    }
    bell.store(ends[1], ordering: .sequentiallyConsistent)
  }

  // MARK: In the handler

  /// Wakes the thread of ``onDeath(_:)``, if there is one, and then waits for ever.
  private static func tell(_ number: Int32) {
    let place = bell.load(ordering: .sequentiallyConsistent)
    guard place >= 0 else { return }
    var number = number
    write(&number, MemoryLayout<Int32>.size, place)
    while true { pause() }
  }

  private static func die(of number: Int32, _ code: Int32) {
    // The runtime's backtrace waits until all threads have stopped.
    RealTime.end()
    let (isFirst, speaker) = dying.compareExchange(
      expected: 0, desired: CurrentThread.number, ordering: .sequentiallyConsistent)
    if isFirst {
      say(number, to: STDERR_FILENO)
      tell(number)
    } else if speaker != CurrentThread.number {
      // Another thread is writing its report, and the process dies after it.
      sleep(1)
    }
    guard number > 0 else { return }
    // A hardware fault, whose code is small and positive, happens again when this handler returns. With any other code
    // a process sent the signal, as `abort` does, so the handler sends it again.
    sigaction(number, former + Int(number), nil)
    if !(1..<0x10000).contains(code) { raise(number) }
  }

  /// Writes the report of the trapped thread's run, or of all present runs if the thread belongs to none.
  private static func say(_ signal: Int32, to output: Int32) {
    let own = Shelf.ownRun
    var (count, ownPlace) = (0, -1)
    for place in 0..<Shelf.count {
      let run = Shelf.runs[place].load(ordering: .sequentiallyConsistent)
      if isOpen(run) { count += 1 }
      if run != 0, run & ~Shelf.told == own { ownPlace = place }
    }
    if count == 0, ownPlace < 0 { return }
    write("\n", output)
    write(name(of: signal), output)
    if ownPlace >= 0 {
      write(" ends a simulated run ", output)
      tell(ownPlace, output)
      return
    }
    write(" ends the process in the middle of ", output)
    write(
      count == 1
        ? "a simulated run, on a thread that does not belong to it. The run is "
        : "simulated runs, on a thread that belongs to none of them. It may be one ",
      output)
    var isFirst = true
    for place in 0..<Shelf.count where isOpen(Shelf.runs[place].load(ordering: .sequentiallyConsistent)) {
      if !isFirst { write("Or one ", output) }
      isFirst = false
      tell(place, output)
    }
  }

  private static func isOpen(_ run: UInt) -> Bool { run != 0 && run & Shelf.told == 0 }

  private static func tell(_ place: Int, _ output: Int32) {
    let entry = Shelf.entries[place]
    write(entry.text, output)
    write("\n", output)
    record(entry)
  }

  private static func record(_ entry: Shelf.Entry) {
    guard let file = entry.file else { return }
    let descriptor = open(file, O_RDWR | O_CREAT | O_APPEND, 0o644)
    guard descriptor >= 0 else { return }
    let length = lseek(descriptor, 0, SEEK_END)
    if length == 0 {
      write(entry.header, descriptor)
    } else {
      var last: CChar = 0
      lseek(descriptor, -1, SEEK_END)
      if read(descriptor, &last, 1) == 1, last != 10 { write("\n", descriptor) }
    }
    write(entry.line, descriptor)
    close(descriptor)
  }

  private static func write(_ text: StaticString, _ output: Int32) {
    write(UnsafeRawPointer(text.utf8Start), text.utf8CodeUnitCount, output)
  }

  private static func write(_ text: UnsafeMutablePointer<CChar>?, _ output: Int32) {
    if let text { write(UnsafeRawPointer(text), Int(strlen(text)), output) }
  }

  private static func write(_ bytes: UnsafeRawPointer, _ count: Int, _ output: Int32) {
    var done = 0
    while done < count {
      let more = Foundation.write(output, bytes + done, count - done)
      if more <= 0 { return }
      done += more
    }
  }
}
