import LinkSimulator
import NetworkConditions
import Testing

@testable import NetworkConditions
import URLLoading

@Suite(.timeLimit(.minutes(10)))
struct CarriedBodyTests {
  /// Sends a head, and pieces with their size on the wire if it is known.
  struct PieceTransport: Transport {
    var headers: [HeaderField] = []
    var pieces: [(data: Data, encodedCount: Int64?)]

    func respond(to request: TransportRequest, with reply: any TransportReply) {
      reply.head(ResponseHead(headers: headers))
      for piece in pieces {
        if let count = piece.encodedCount {
          reply.body(piece.data, encodedCount: count)
        } else {
          reply.body(piece.data)
        }
      }
      reply.finish()
    }
  }

  /// Fetches over 3G in virtual time.
  static func fetch(
    _ transport: any Transport, profile: NetworkProfile? = nil
  ) async throws -> (data: Data, response: HTTPURLResponse, transfer: Transfer) {
    let network = SimulatedNetwork(try profile ?? .named("3G"), seed: 1, pace: .immediate, transport: transport)
    defer { network.invalidate() }
    let (data, response) = try await network.data(from: URL(string: "http://x.example/")!)
    let http = try #require(response as? HTTPURLResponse)
    return (data, http, try #require(network.timeline.transfers.first))
  }

  static let gzip = HeaderField("Content-Encoding", "gzip")
  /// As long as the field above and `Content-Length: 100000`, so that both heads have equal size.
  static let padding = [HeaderField("Content-Identity", "gzip"), HeaderField("Content-Length", "100000")]

  @Test func `each piece is decoded in proportion to its own bytes on the wire`() {
    var body = CarriedBody()
    #expect(body.add(100, encodedCount: 100) == 100 && body.add(100, encodedCount: 40) == 40)
    #expect(body.add(10, encodedCount: 10) == 10)
    let arrived: [Int64] = [0, 50, 100, 120, 139, 140, 145, 150, 151]
    #expect(arrived.map(body.decoded) == [0, 50, 100, 150, 197, 200, 205, 210, 210])
  }

  @Test func `a compressed body takes the time of its compressed bytes and arrives decoded`() async throws {
    let plain = try await Self.fetch(
      PieceTransport(headers: Self.padding, pieces: [(GeneratedBody.bytes(in: 0..<100_000), nil)]))
    let decoded = GeneratedBody.bytes(in: 0..<372_890)
    let coded = try await Self.fetch(
      PieceTransport(
        headers: [Self.gzip, HeaderField("Content-Length", "100000")],
        pieces: [(decoded.prefix(300_000), 70_000), (Data(), 20_000), (decoded.dropFirst(300_000), 10_000)]))
    #expect(coded.data == decoded)
    #expect(coded.transfer.bytesReceived == 100_000 && coded.transfer.bytesExpected == 100_000)
    #expect(coded.transfer.bytesDecoded == 372_890 && !coded.transfer.isSizeAssumed)
    #expect(coded.response.value(forHTTPHeaderField: "content-encoding") == "gzip")
    #expect(coded.response.value(forHTTPHeaderField: "content-length") == "100000")
    // "Content-Encoding" and "Content-Identity" are equally long.
    #expect(coded.transfer.wire == plain.transfer.wire && coded.transfer.elapsed == plain.transfer.elapsed)
    #expect(plain.transfer.bytesDecoded == nil)
  }

  @Test func `a compressed body whose pieces have no wire size travels as Content-Length bytes`() async throws {
    let decoded = GeneratedBody.bytes(in: 0..<372_890)
    let headers = [Self.gzip, HeaderField("Content-Length", "100000")]
    let pieces = try await Self.fetch(
      PieceTransport(headers: headers, pieces: [(decoded.prefix(300_000), nil), (decoded.dropFirst(300_000), nil)]))
    let small = try await Self.fetch(PieceTransport(headers: headers, pieces: [(decoded.prefix(50), nil)]))
    for fetched in [pieces, small] {
      #expect(fetched.transfer.bytesReceived == 100_000 && !fetched.transfer.isSizeAssumed)
    }
    #expect(pieces.data == decoded && small.data == decoded.prefix(50))
    #expect(pieces.transfer.bytesDecoded == 372_890)
  }

  @Test func `a reset at any place of a compressed body without a length is among its bytes on the wire`() async throws
  {
    struct WholeTransport: Transport {
      func respond(to request: TransportRequest, with reply: any TransportReply) {
        let head = ResponseHead(headers: [CarriedBodyTests.gzip])
        reply.answer(head, body: GeneratedBody.bytes(in: 0..<1_000_000), encodedCount: 100)
      }
    }
    let profile = NetworkProfile(name: "resetting", faults: [FaultRule(.reset(after: .anywhere))])
    await #expect(throws: URLError.self) { try await Self.fetch(WholeTransport(), profile: profile) }
  }

  @Test func `a compressed body of unknown size travels in its decoded size, with a note`() async throws {
    let decoded = GeneratedBody.bytes(in: 0..<50_000)
    let fetched = try await Self.fetch(PieceTransport(headers: [Self.gzip], pieces: [(decoded, nil)]))
    #expect(fetched.data == decoded && fetched.transfer.bytesReceived == 50_000 && fetched.transfer.isSizeAssumed)
    #expect(fetched.transfer.summary.contains("50000 bytes down (decoded, since the size on the wire is not known), "))
  }

  @Test func `a corrupted byte in a compressed body ends the body with a decoding error`() async throws {
    var profile = try NetworkProfile.named("3G")
    profile.faults = [FaultRule(.corrupt(at: .bytes(5_000)))]
    let decoded = GeneratedBody.bytes(in: 0..<40_000)
    let transport = PieceTransport(
      headers: [Self.gzip, HeaderField("Content-Length", "10000")], pieces: [(decoded, 10_000)])
    let network = SimulatedNetwork(profile, seed: 1, pace: .immediate, transport: transport)
    defer { network.invalidate() }
    let (bytes, _) = try await network.bytes(from: URL(string: "http://x.example/")!)
    var received = Data()
    await #expect(
      performing: { for try await chunk in bytes.chunks { received += chunk } },
      throws: { ($0 as? URLError)?.code == .cannotDecodeRawData })
    #expect(received == decoded.prefix(20_000))
  }

  @Test func `decoded bytes are delivered in proportion to the compressed bytes of their piece`() {
    var body = CarriedBody(isEncoded: true, length: 1_000)
    let counts = [(0, 100), (4_000, 400), (10, 0)].map { body.add($0.0, encodedCount: $0.1) }
    #expect(counts == [100, 400, 0])
    #expect([0, 99, 100, 101, 300, 499, 500].map { body.decoded(of: $0) } == [0, 0, 0, 10, 2_000, 3_990, 4_010])
    let rests = [body.addRest(), body.addRest()]
    #expect(rests == [500, 0] && body.count == 1_000 && body.decoded(of: 1_000) == 4_010)
  }

  @Test func `the decoded bytes to come are known for a plain body and for an empty compressed one`() {
    #expect(CarriedBody(length: 5).room == 5 && CarriedBody().room == nil)
    #expect(CarriedBody(isEncoded: true, length: 0).room == 0 && CarriedBody(isEncoded: true, length: 1).room == nil)
    var body = CarriedBody(isEncoded: true)
    let isAssumed = [0, 1].map { (count: Int64) in
      _ = body.add(count, encodedCount: nil)
      return body.isAssumed
    }
    #expect(isAssumed == [false, true])
  }

  @Test func `the remaining bytes of Content-Length are added at the end of a body`() {
    var body = CarriedBody(isEncoded: true, length: 11)
    #expect(body.addRest() == 0)
    let count = body.add(10, encodedCount: nil)
    #expect(count == 10)
    let rest = [body.addRest(), body.addRest()]
    #expect(rest == [1, 0] && body.count == 11 && body.decodedCount == 10)
  }
}
