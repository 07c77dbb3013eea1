import Internals
import NetworkConditions
import Testing
import URLLoading

/// A server that produces its body piece by piece when there is room.
private final class Generator: Transport {
  static let piece: Int64 = 1 << 20

  private let head: ResponseHead
  private let size: Int64
  let given = Mutex<Int64>(0)

  init(size: Int64, status: Int = 200, location: String = "here") {
    self.size = size
    let headers = [("Content-Type", "application/octet-stream"), ("Content-Length", "\(size)"), ("Location", location)]
    head = ResponseHead(status: status, headers: headers.map { HeaderField($0, $1) })
  }

  func respond(to request: TransportRequest, with reply: any TransportReply) {
    reply.head(head)
    give(from: 0, reply)
  }

  private func give(from start: Int64, _ reply: any TransportReply) {
    reply.whenRoom { [self] in
      let end = min(size, start + Self.piece)
      reply.body(GeneratedBody.bytes(in: start..<end))
      given.withLock { $0 = end }
      if end == size { reply.finish() } else { give(from: end, reply) }
    }
  }
}

struct BackPressureTests {
  static let request = URLRequest(url: url("http://127.0.0.1/large"))
  static let size: Int64 = 25_000_000

  @Test func `a server that waits for room is at most 17 MiB ahead of its client`() async throws {
    let server = Generator(size: Self.size)
    let run = try await Simulation("unlimited", seed: 1, transport: server) { network in
      var (received, ahead) = (Int64(0), Int64(0))
      for try await piece in try await network.bytes(for: Self.request).0.chunks {
        received += Int64(piece.count)
        ahead = max(ahead, server.given.withLock { $0 } - received)
      }
      return [received, ahead]
    }
    #expect(run.value[0] == Self.size)
    #expect(run.value[1] <= 17 << 20)
  }

  @Test func `a server that waited for room goes on when its client is 8 MiB behind`() async throws {
    let server = Generator(size: Self.size)
    let run = try await Simulation("wifi", seed: 1, transport: server) { network in
      var (received, least) = (Int64(0), Int64.max)
      for try await piece in try await network.bytes(for: Self.request).0.chunks {
        received += Int64(piece.count)
        let given = server.given.withLock { $0 }
        if (16 << 20..<Self.size).contains(given) { least = min(least, given - received) }
      }
      return least
    }
    #expect((7 << 20...9 << 20).contains(run.value))
  }

  @Test(arguments: ["wifi", "satellite"])
  func `a server that waits for room takes as long as one that sends its body at once`(profile: String) async throws {
    let size: Int64 = 5_000_000
    func elapsed(_ transport: any Transport) async throws -> Duration {
      let run = try await Simulation(profile, seed: 7, transport: transport) { network in
        try await network.data(for: Self.request).0 == GeneratedBody.bytes(in: 0..<size)
      }
      #expect(run.value)
      return run.elapsed
    }
    let whole = HandlerTransport { _ in .bytes(count: size).header("Location", "here") }
    #expect(try await elapsed(Generator(size: size)) == elapsed(whole))
  }

  @Test func `a redirect is followed although its own body is never read`() async throws {
    let server = Generator(size: Self.size, status: 302, location: "/new")
    let network = SimulatedNetwork("unlimited", pace: .immediate, transport: server)
    network.stub("/new", with: .text("here"))
    let (data, _) = try await network.data(for: URLRequest(url: url("http://127.0.0.1/old")))
    #expect(data == Data("here".utf8))
  }
}
