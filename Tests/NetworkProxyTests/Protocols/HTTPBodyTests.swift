import Testing

@testable import NetworkProxy

@Suite struct HTTPBodyTests {
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

  @Test func `the n-th content byte of a body is found, even after chunk headers`() throws {
    #expect(try read("hello", .length(5), wanted: 0).found == 0)
    #expect(try read("hello", .length(5), wanted: 4).found == 4)
    #expect(try read("hello", .length(5), wanted: 5).found == nil)
    #expect(try read("2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", .chunked, wanted: 1).found == 4)
    #expect(try read("2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", .chunked, wanted: 2).found == 10)
  }
}
