import NetworkConditions
import Testing
import Thoroughness

@testable import netcond
import URLLoading

/// A server that is silent, or that pauses in real time between pieces.
private struct SlowServer: Transport {
  /// How many pieces the server sends; `nil` means that it never answers.
  var pieces: Int?
  var pause: TimeInterval = 0

  func respond(to request: TransportRequest, with reply: any TransportReply) {
    reply.waitOutside()
    guard let pieces else { return }
    // A separate thread, so that other tests cannot delay it.
    Thread.detachNewThread {
      reply.head(ResponseHead())
      for _ in 0..<pieces {
        Thread.sleep(forTimeInterval: pause)
        reply.body(Data(count: 1_000))
      }
      reply.finish()
    }
  }
}

struct SilenceLimitTests {
  @Test func `a server that is silent in real time reaches the timeout of a virtual transfer`() async throws {
    var shell = Shell()
    shell.transport = SlowServer()
    let outcome = await shell.run("get", GetCommandTests.url, "--virtual", "--timeout", "0.1", "--json")
    #expect(outcome.status == .failed)
    #expect(
      outcome.error
        == "netcond get: The request timed out: the next byte took longer than 0.1 s. (URLError.timedOut) "
        + "(netcond explain transfer-failed)\n")
    #expect(try outcome.object["error_code"] as? String == "timedOut")
  }

  /// Real pauses, which a busy machine lengthens.
  @Test(.enabled(if: Thoroughness.isWhole))
  func `real pauses of a server take no virtual time`() async throws {
    var shell = Shell()
    shell.transport = SlowServer(pieces: 5, pause: 0.25)
    // The pauses together exceed the limit, but each pause is far below it.
    let slow = try await shell.run("get", GetCommandTests.url, "--virtual", "--timeout", "1", "--json").object
    #expect(slow["bytes"] as? Int == 5_000)
    shell.transport = SlowServer(pieces: 5)
    let swift = try await shell.run("get", GetCommandTests.url, "--virtual", "--timeout", "1", "--json").object
    #expect(slow["total_s"] as? Double == swift["total_s"] as? Double)
  }
}
