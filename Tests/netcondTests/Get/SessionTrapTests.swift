#if os(Linux)
  import Foundation
  import LoopbackServer
  import NetworkConditions
  import Testing

  struct SessionTrapTests {
    // Under a sanitizer, where no client is captured, the trap ends the program without a word.
    @Test(.enabled(if: CaptureMode.obstacle == nil))
    func `when Foundation's session traps, netcond record says so and saves what it has`() async throws {
      let server = try LoopbackServer { request in
        let head = "HTTP/1.1 200 OK\r\n"
        let text =
          request.path == "/trailer"
          ? head + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Checksum: 1\r\n\r\n"
          : head + "Content-Length: 5\r\n\r\nhello"
        return .raw(Data(text.utf8))
      }
      let scratch = try Scratch()
      defer { withExtendedLifetime((server, scratch)) {} }
      let script = """
        netcond record \(server.url("/a").absoluteString) \(server.url("/trailer").absoluteString) -o a.har 2>&1 | \
        grep 'netcond record:'
        grep -c '"url": *".*/a"' a.har
        """
      let output = try await Program.run(script, in: scratch.folder)
      #expect(
        output.replacing("SIGTRAP", with: "SIGILL") == """
          netcond record: SIGILL ended the program. On Linux, Foundation's session does so at an answer in chunks with \
          trailer fields. Saved \(scratch.folder.appendingPathComponent("a.har").path) with 2 exchanges. (netcond explain \
          transfer-failed)
          1

          """)
    }
  }
#endif
