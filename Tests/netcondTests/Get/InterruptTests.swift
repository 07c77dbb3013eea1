import Foundation
import Internals
import RetryBenchmark
import Testing

@testable import netcond

#if canImport(Glibc)
  import Glibc
#endif

@Suite struct InterruptTests {
  @Test func `the first signal is the one that counts, and only once`() {
    let caught = Locked<Int32?>(nil)
    #expect(caught.isFirst(SIGTERM))
    #expect(!caught.isFirst(SIGINT))
    #expect(caught.value == SIGTERM)
    #expect(netcond.ExitStatus.after(signal: SIGTERM).rawValue == 143)
    #expect(netcond.ExitStatus.after(signal: SIGINT).rawValue == 130)
  }

  #if os(Linux)
    /// The program itself, on a terminal: the sweep would take minutes, and the bar says that it has begun.
    @Test(.enabled(if: PseudoTerminal.isThere))
    func `Ctrl-C ends a sweep with what there is, marked as partial`() async throws {
      let terminal = try PseudoTerminal()
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Program.path)
      process.arguments = ["retry", "--profile", "wifi", "--policy", "none", "--seeds", "1000000", "--json"]
      process.environment = ["TERM": "xterm"]
      let output = Pipe()
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = terminal.other
      let (ends, continuation) = AsyncStream.makeStream(of: Int32.self)
      process.terminationHandler = { continuation.yield($0.terminationReason == .exit ? $0.terminationStatus : -1) }
      try process.run()
      // On a thread of its own: other tests need those that tasks run on.
      let printed = await withCheckedContinuation { continuation in
        Thread.detachNewThread { [terminal, output, number = process.processIdentifier] in
          var drawn = ""
          while !drawn.contains("of 1000000"), let more = terminal.read() { drawn += more }
          kill(number, SIGINT)
          continuation.resume(returning: output.fileHandleForReading.readDataToEndOfFile())
        }
      }
      let report = try RetryReport(json: printed)
      #expect(report.isPartial && !report.results.isEmpty)
      #expect(await ends.first { _ in true } == 130)
    }
  #endif
}

#if os(Linux)
  /// A terminal that a program writes to and a test reads from.
  private final class PseudoTerminal: Sendable {
    private let own: Int32
    /// The program's side.
    let other: FileHandle

    static var isThere: Bool { access("/dev/ptmx", R_OK | W_OK) == 0 }

    init() throws {
      own = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h, which Swift does not import: unlock it, and ask for its number.
      var (lock, number) = (Int32(0), UInt32(0))
      guard own >= 0, ioctl(own, 0x4004_5431, &lock) == 0, ioctl(own, 0x8004_5430, &number) == 0 else {
        throw CocoaError(.fileReadUnknown)
      }
      let descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
      guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
      other = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    deinit { close(own) }

    /// What has been written, as soon as there is something.
    func read() -> String? {
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = Glibc.read(own, &bytes, bytes.count)
      return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
  }
#endif
