import Testing

@testable import NetworkProxy

struct HTTPBodyTests {
  /// Reads a body in one piece; returns its length, and the index of the wanted content byte.
  private func read(_ text: String, _ framing: HTTPBodyFraming, wanted: Int64? = nil) throws -> (
    count: Int, found: Int?, isDone: Bool
  ) {
    var reader = HTTPBodyReader(framing)
    var found: Int?
    let count = try Array(text.utf8).withUnsafeBytes { bytes in
      try Result { () throws(HTTPError) in try reader.take(bytes, wanted: wanted, found: &found) }.get()
    }
    return (count, found, reader.isDone)
  }

  @Test func `an HTTP body ends at its length or last chunk, and later bytes are not consumed`() throws {
    #expect(try read("hello", .length(5)) == (5, nil, true))
    #expect(try read("hell", .length(5)) == (4, nil, false))
    #expect(try read("hello, world", .length(5)) == (5, nil, true))
    #expect(try read("5\r\nhello\r\n0\r\n\r\nGET", .chunked) == (15, nil, true))
    #expect(try read("hello", .untilClose) == (5, nil, false))
    #expect(try read("hello", .none) == (0, nil, true))
  }

  @Test func `the lines between chunks are accepted up to their limits`() throws {
    func refusal(_ text: String) -> String? {
      #expect(throws: HTTPError.self) { try read(text, .chunked) }.map { "\($0)" }
    }
    let extended = "0;" + String(repeating: "x", count: 4_093) + "\r\n"
    // The limit of the trailer counts neither the line before it nor its last byte.
    let trailer = "a:" + String(repeating: "b", count: HTTPHead.longest - 5) + "\r\n\r\n"
    #expect(try read(extended + trailer, .chunked).isDone)
    #expect(refusal("0;x" + extended.dropFirst(2))?.contains("longer than 4 KiB") == true)
    #expect(refusal(extended + "a" + trailer)?.contains("longer than 64 KiB") == true)
    let most = String(repeating: "F", count: 15)
    #expect(try read(most + "\r\n", .chunked) == (17, nil, false))
    #expect(refusal(most + "F\r\n")?.contains("not a number") == true)
    #expect(refusal("0;\u{7F}\r\n")?.contains("control character") == true)
  }

  @Test func `the n-th content byte of a body is found, even after chunk headers`() throws {
    #expect(try read("hello", .length(5), wanted: 0).found == 0)
    #expect(try read("hello", .length(5), wanted: 4).found == 4)
    #expect(try read("hello", .length(5), wanted: 5).found == nil)
    #expect(try read("2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", .chunked, wanted: 1).found == 4)
    #expect(try read("2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", .chunked, wanted: 2).found == 10)
  }
}
