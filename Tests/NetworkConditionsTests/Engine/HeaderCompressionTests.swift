import LinkSimulator
import Testing
import URLLoading

@testable import NetworkConditions

struct HeaderCompressionTests {
  private static func fields(_ path: String, scheme: String = "http", _ more: HeaderField...) -> [HeaderField] {
    [
      HeaderField(":method", "GET"), HeaderField(":scheme", scheme), HeaderField(":path", path),
      HeaderField(":authority", "www.example.com"),
    ] + more
  }

  @Test func `compressed headers have the sizes of the example in RFC 7541`() {
    var compression = HeaderCompression(opener: 0)
    #expect(compression.bytes(of: Self.fields("/")) == 17)
    #expect(compression.bytes(of: Self.fields("/", HeaderField("cache-control", "no-cache"))) == 12)
    let last = Self.fields("/index.html", scheme: "https", HeaderField("custom-key", "custom-value"))
    #expect(compression.bytes(of: last) == 24)
    #expect(compression.bytes(of: last) == 5)
  }

  private static let unkept: [(field: HeaderField, bytes: Int64)] = [
    (HeaderField("authorization", "Bearer abc"), 10), (HeaderField("cookie", "id=1"), 6),
    (HeaderField(":path", "/things"), 7), (HeaderField("if-none-match", "\"1\""), 6),
  ]

  @Test(arguments: unkept)
  func `secrets and fields that always change are not added to the header table`(field: HeaderField, bytes: Int64) {
    var compression = HeaderCompression(opener: 0)
    #expect((0..<3).map { _ in compression.bytes(of: [field]) } == [bytes, bytes, bytes])
  }

  @Test func `a long cookie is added to the header table`() {
    var compression = HeaderCompression(opener: 0)
    let cookie = HeaderField("cookie", String(repeating: "0", count: 20))
    #expect((0..<2).map { _ in compression.bytes(of: [cookie]) } == [1 + 1 + 13, 1])
  }

  @Test func `the header table of 4096 bytes drops its oldest fields and does not store very long ones`() {
    // With its name and 32 bytes of overhead each has 1,365 bytes: three fit.
    let fields = ["a", "b", "c", "d"].map { HeaderField("x-\($0)", String(repeating: "0", count: 1_330)) }
    var compression = HeaderCompression(opener: 0)
    let literal: Int64 = 1 + 1 + 3 + 3 + 832
    #expect(fields.map { compression.bytes(of: [$0]) } == [literal, literal, literal, literal])
    #expect(fields.dropFirst().map { compression.bytes(of: [$0]) } == [1, 1, 1])
    #expect(compression.bytes(of: [fields[0]]) == literal)
    // Two fields of 2,048 bytes fill the table exactly.
    let halves = ["a", "b"].map { HeaderField($0, String(repeating: "0", count: 2_048 - 32 - 1)) }
    var full = HeaderCompression(opener: 0)
    for half in halves { _ = full.bytes(of: [half]) }
    #expect(halves.map { full.bytes(of: [$0]) } == [1, 1])
    // A field may take three quarters of the table.
    for (count, isKept) in [(3_072, true), (3_073, false)] {
      let long = HeaderField("x-long", String(repeating: "0", count: count - 32 - 6))
      var compression = HeaderCompression(opener: 0)
      let sizes = [0, 1].map { _ in compression.bytes(of: [long]) }
      #expect(sizes[1] == (isKept ? 1 : sizes[0]))
    }
  }

  @Test func `a field that is far back in the header table takes a second byte`() {
    var compression = HeaderCompression(opener: 0)
    let fields = (0..<66).map { HeaderField("x-\($0)", "") }
    for field in fields { _ = compression.bytes(of: [field]) }
    // After the 61 fields of the static table, these have the indices 127 to 62. Seven bits hold 126.
    #expect(fields.map { compression.bytes(of: [$0]) } == [2] + [Int64](repeating: 1, count: 65))
    // The index of a name has six bits, which hold 62. Each new field moves the others back.
    let named = ["x-65", "x-65", "x-64"].enumerated().map { HeaderField($1, "\($0)") }
    let sizes: [Int64] = [3, 3, 4]
    #expect(named.map { compression.bytes(of: [$0]) } == sizes)
  }

  @Test func `a header text is sent uncompressed when compression would lengthen it`() {
    #expect(HeaderText.bytes("") == 1)
    #expect(HeaderText.bytes("\u{1}\u{1}") == 3)
    #expect(HeaderText.bytes("www.example.com") == 13)
    #expect(HeaderText.integer(126, bits: 7) == 1 && HeaderText.integer(127, bits: 7) == 2)
    #expect(HeaderText.integer(127 + 127, bits: 7) == 2 && HeaderText.integer(127 + 128, bits: 7) == 3)
    #expect(HeaderText.integer(1_337, bits: 5) == 3)
  }

  @Test(
    arguments: [
      (Array(0..<32), 878), (Array(32..<128), 770), (Array(0x80..<0x800), 90_072),
      ([0x800] + stride(from: 0x1000, through: 0xF000, by: 0x1000), 1_005),
      ([0x10000] + stride(from: 0x40000, through: 0x100000, by: 0x40000), 436),
    ] as [([UInt32], Int)])
  func `each character is compressed to the bits of RFC 7541, appendix B`(characters: [UInt32], bits: Int) {
    let text = String(String.UnicodeScalarView(characters.compactMap(Unicode.Scalar.init)))
    // Eight texts have so many bytes. A zero has five bits, so that the compressed text is the shorter one.
    let zeros = 8 * text.utf8.count
    let bytes = bits + zeros * 5
    let whole = String(repeating: text + String(repeating: "0", count: zeros), count: 8)
    #expect(HeaderText.bytes(whole) == bytes + HeaderText.integer(bytes, bits: 7))
  }

  // MARK: On connections

  /// The bytes of the heads of requests, whose targets are equally long.
  private static func heads(_ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void) async throws -> [Int64]
  {
    let link = LinkConditions(delay: .milliseconds(50))
    let run = try await Simulation(NetworkProfile(name: "far", down: link, up: link)) { network in
      network.recordsContents = true
      for path: URLPattern in ["/1", "/2", "/3"] { network.stub(path, with: .text("a")) }
      try await body(network)
    }
    return run.timeline.transfers.compactMap { run.timeline.details.contents[$0.number]?.requestHeadBytes }
  }

  /// All fields are indices, except the target.
  private static let short: Int64 = 7 + 1 + 3

  @Test func `a second request on a connection has a shorter head, unlike one on a new connection`() async throws {
    let heads = try await Self.heads { network in
      _ = try await network.session.data(from: url("https://shop.example/1"))
      _ = try await network.session.data(from: url("https://shop.example/2"))
      // A client keeps an idle connection for a minute.
      try await network.clock.sleep(for: .seconds(61))
      _ = try await network.session.data(from: url("https://shop.example/3"))
    }
    #expect(heads[0] > 60 && heads == [heads[0], Self.short, heads[0]])
  }

  @Test func `a request's head is followed by the head of a frame if it has a body`() async throws {
    let heads = try await Self.heads { network in
      for (path, body) in [("1", "a"), ("2", ""), ("3", "a")] {
        var request = URLRequest(url: url("https://shop.example/\(path)"))
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        _ = try await network.data(for: request)
      }
    }
    // One byte more for the type.
    #expect(heads.dropFirst() == [Self.short + 1, Self.short + 1 + 9])
  }

  @Test
  func `parallel requests to one server share a header table, and another server has its own`() async throws {
    let heads = try await Self.heads { network in
      async let one = network.session.data(from: url("https://shop.example/1"))
      async let two = network.session.data(from: url("https://shop.example/2"))
      async let other = network.session.data(from: url("https://news.example/3"))
      _ = try await (one, two, other)
    }
    #expect(heads.count == 3 && heads.filter { $0 == Self.short }.count == 1)
  }
}
