import Foundation
import Internals
import RetryBenchmark
import Testing

@testable import netcond

#if canImport(Glibc)
  import Glibc
#endif

struct InterruptTests {
  @Test func `only the first signal counts and decides the exit status`() {
    let caught = Locked<Int32?>(nil)
    #expect(caught.isFirst(SIGTERM))
    #expect(!caught.isFirst(SIGINT))
    #expect(caught.value == SIGTERM)
    #expect(netcond.ExitStatus.after(signal: SIGTERM).rawValue == 143)
    #expect(netcond.ExitStatus.after(signal: SIGINT).rawValue == 130)
    #expect(netcond.ExitStatus.after(signal: SIGHUP).rawValue == 129)
  }

  #if os(Linux)
    /// A port that accepts connections and never answers.
    private final class SilentServer {
      private let socket = Glibc.socket(AF_INET, SystemSocket.stream, 0)
      let port: UInt16

      init() {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = socket
        port = withUnsafeMutablePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
            _ = bind(descriptor, place, size)
            _ = listen(descriptor, 8)
            _ = getsockname(descriptor, place, &size)
          }
          return UInt16(bigEndian: $0.pointee.sin_port)
        }
      }

      deinit { close(socket) }
    }

    /// Runs a command in the background until the condition holds, then runs the rest of the script.
    private func run(_ command: String, until condition: String, _ rest: String) async throws -> String {
      let (server, scratch) = (SilentServer(), try Scratch())
      defer { withExtendedLifetime((server, scratch)) {} }
      let script = """
        \(command.replacing("SERVER", with: "http://127.0.0.1:\(server.port)/")) > /dev/null 2> log & process=$!
        until \(condition); do kill -0 $process || break; sleep 0.01; done
        \(rest)
        """
      return try await Program.run(script, in: scratch.folder)
    }

    /// The program with the default action for SIGHUP, even if the tests run under `nohup`.
    private static let program = "env --default-signal=HUP netcond"
    /// Shell test: the process has opened an output file, which is still unnamed or temporary.
    private static let isBegun = "ls -l /proc/$process/fd 2> /dev/null | grep -qE '[.]part$|/#[0-9]+ [(]deleted[)]$'"

    @Test(arguments: [("HUP", 129), ("INT", 130), ("TERM", 143)])
    func `a signal makes netcond get exit with its status and without a partial body`(name: String, status: Int)
      async throws
    {
      let get = "\(Self.program) get SERVER --profile unlimited -o body --trace trace.csv --trace trace.html"
      let said = try await run(get, until: Self.isBegun, "kill -\(name) $process; wait $process; echo $?; ls -A")
      #expect(said == "\(status)\nlog\noutput\ntrace.csv\ntrace.html\n")
    }

    @Test(arguments: [("HUP", 129), ("INT", 130), ("TERM", 143)])
    func `a signal makes netcond record exit with the signal's status and a complete archive`(name: String, status: Int)
      async throws
    {
      for (before, kept) in [("true", "{"), ("echo kept > site.har", "k")] {
        let record = "\(before); \(Self.program) record SERVER SERVER -f -o site.har"
        let rest = "kill -\(name) $process; wait $process; echo $?; ls -A; head -c 1 site.har"
        let said = try await run(record, until: Self.isBegun, rest)
        #expect(said == "\(status)\nlog\noutput\nsite.har\n\(kept)")
      }
    }

    @Test(arguments: ["HUP", "INT", "TERM"])
    func `a signal makes the proxy write its traces`(name: String) async throws {
      let proxy = "\(Self.program) proxy --listen 127.0.0.1:0 --trace trace.csv --trace trace.html"
      let kill = name == "HUP" ? "kill -HUP $process; kill -HUP $process" : "kill -\(name) $process"
      let rest = "\(kill); wait $process; echo $?; ls -A; wc -l < trace.csv"
      let said = try await run(proxy, until: "grep -qs Ctrl-C log", rest)
      #expect(said == "0\nlog\noutput\ntrace.csv\ntrace.html\n1\n")
    }

    @Test func `the proxy warns that other machines can reach an address that is not loopback`() async throws {
      let proxy = "\(Self.program) proxy --listen 0.0.0.0:0 --forward 0.0.0.0:0=localhost:9"
      let rest = "kill -INT $process; wait $process; grep ^warning log | sed 's/:[1-9][0-9]*/:PORT/'"
      #expect(
        try await run(proxy, until: "grep -qs Ctrl-C log", rest)
          == "warning: other machines can reach 0.0.0.0:PORT, and through it all that this machine can reach, "
          + "including its own ports\nwarning: other machines can reach 0.0.0.0:PORT\n")
    }

    @Test func `a second signal ends netcond get at once without a partial file`() async throws {
      // The program waits for a reader of the FIFO, and this wait cannot be cancelled.
      let get = "mkfifo fifo; netcond get --trace trace.csv -o fifo"
      let rest = "while kill -INT $process 2> /dev/null; do sleep 0.01; done; wait $process; echo $?; ls -A"
      #expect(try await run(get, until: Self.isBegun, rest) == "130\nfifo\nlog\noutput\n")
    }

    @Test func `a signal ends the search for a load with a line that says so`() async throws {
      let isCaught = "grep -q 'SigCgt:.*[2367abef]$' /proc/$process/status"
      let rest = "kill -INT $process; wait $process; echo $?; cat log"
      let said = try await run("netcond retry --scenario overload --find-load", until: isCaught, rest)
      #expect(said.hasPrefix("130\nnetcond retry: interrupted after "), "\(said)")
      #expect(said.hasSuffix("; no load was found\n"), "\(said)")
    }

    @Test func `netcond get under nohup ignores the hang-up of its terminal`() async throws {
      let get = "trap '' HUP; netcond get SERVER --profile unlimited -o body"
      // The program ignores the first signal, so the second one gives the status.
      let rest = "kill -HUP $process; kill -TERM $process; wait $process; echo $?"
      #expect(try await run(get, until: Self.isBegun, rest) == "143\n")
    }

    /// Runs the program on a pseudo-terminal; the whole sweep would take minutes.
    ///
    /// The test waits for the progress bar, which shows that the sweep has begun.
    @Test(.enabled(if: PseudoTerminal.isThere))
    func `a retry benchmark's progress fits the terminal, and Ctrl-C ends it with a partial report`() async throws {
      let terminal = try PseudoTerminal(columns: 34)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Program.path)
      process.arguments = ["retry", "--profile", "wifi", "--policy", "none", "--seeds", "30000", "--json"]
      process.environment = ["TERM": "xterm"]
      let output = Pipe()
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = terminal.other
      let (ends, continuation) = AsyncStream.makeStream(of: Int32.self)
      process.terminationHandler = { continuation.yield($0.terminationReason == .exit ? $0.terminationStatus : -1) }
      try process.run()
      // A separate thread, because other tests need the threads of the task pool.
      let (printed, drawn) = await withCheckedContinuation { continuation in
        Thread.detachNewThread { [terminal, output, number = process.processIdentifier] in
          var drawn = ""
          while !drawn.contains("of 30000"), let more = terminal.read() { drawn += more }
          kill(number, SIGINT)
          continuation.resume(returning: (output.fileHandleForReading.readDataToEndOfFile(), drawn))
        }
      }
      let report = try RetryReport(json: printed)
      #expect(report.isPartial && !report.results.isEmpty)
      // Escape sequences clear the line and choose colours; the last column stays free.
      let lines = drawn.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "").split(separator: "\r")
      let line = try #require(lines.first { $0.hasSuffix("of 30000") })
      // The first cell of the bar may be filled in part.
      #expect(line.count == 33 && line.dropFirst().hasPrefix("·"), "\(line)")
      #expect(await ends.first { _ in true } == 130)
    }
  #endif
}

#if os(Linux)
  /// A terminal to which a program writes and from which a test reads.
  private final class PseudoTerminal: Sendable {
    private let own: Int32
    /// The end of the terminal that the program uses.
    let other: FileHandle

    static var isThere: Bool { access("/dev/ptmx", R_OK | W_OK) == 0 }

    init(columns: UInt16) throws {
      own = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h, which Swift does not import: unlock it, and ask for its number.
      var (lock, number) = (Int32(0), UInt32(0))
      guard own >= 0, ioctl(own, 0x4004_5431, &lock) == 0, ioctl(own, 0x8004_5430, &number) == 0 else {
        throw CocoaError(.fileReadUnknown)
      }
      let descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
      guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
      other = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
      guard ioctl(own, UInt(TIOCSWINSZ), &size) == 0 else { throw CocoaError(.fileReadUnknown) }
    }

    deinit { close(own) }

    /// Waits until the program has written something, and returns it.
    func read() -> String? {
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = Glibc.read(own, &bytes, bytes.count)
      return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
  }
#endif
