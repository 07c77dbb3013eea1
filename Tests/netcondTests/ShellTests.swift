#if os(Linux)
  import Foundation
  import Testing

  @Suite struct ShellTests {
    private func run(_ script: String) async throws -> String {
      let scratch = try Scratch()
      defer { withExtendedLifetime(scratch) {} }
      return try await Program.run(script, in: scratch.folder)
    }

    @Test func `a file is no standard output, though that is closed`() async throws {
      let scratch = try Scratch()
      let output = try await Program.run("netcond get --virtual -o file >&-; echo $?; wc -c < file", in: scratch.folder)
      #expect(output == "netcond Standard output cannot be written: Bad file descriptor.\n1\n300000\n")
    }

    @Test func `a full standard output is an error, and a closed pipe is silence`() async throws {
      #expect(
        try await run("netcond profiles --all > /dev/full; echo $?")
          == "netcond Standard output cannot be written: No space left on device.\n1\n")
      let gone = "mkfifo go; (read < go; netcond show 3G; echo $? >&2) | (exec <&-; echo > go)"
      #expect(try await run(gone) == "141\n")
      #expect(try await run("netcond profiles --all | head -n 1 | wc -l") == "1\n")
    }

    @Test func `a device, a FIFO and a descriptor take what a file would, and stay what they are`() async throws {
      let script = """
        mkfifo fifo; wc -c < fifo & netcond get --virtual -o fifo --json > /dev/null; wait; test -p fifo && echo is one
        netcond get --virtual -o >(wc -c >&2) > /dev/null; wait $!
        echo first > log; netcond export 3G --to netem -o /dev/stdout >> log; head -n 2 log
        """
      #expect(try await run(script) == "300000\nis one\n300000\nfirst\n# down\n")
    }
  }
#endif
