import Testing
import TrafficRecording

struct ArchiveDescriptionTests {
  @Test func `an entry is described by its request, its answer or failure, its size and its time`() {
    func text(_ status: Int, _ size: Int64, error: String? = nil) -> String {
      var entry = Samples.entry(
        "https://example.com/", status: status, content: .init(size: size), timings: .init(wait: .milliseconds(80)))
      entry.response.error = error
      return entry.description
    }
    #expect(text(200, 1_200) == "GET https://example.com/: 200, 1.2 kB in 80 ms")
    #expect(text(204, 0) == "GET https://example.com/: 204, 0 B in 80 ms")
    #expect(text(0, -1) == "GET https://example.com/: no response in 80 ms")
    #expect(text(0, -1, error: "timedOut") == "GET https://example.com/: timedOut in 80 ms")
  }

  @Test func `two archives are equal if their contents are, whatever their files are called`() throws {
    let json = Samples.archive([("GET http://x.example/", "one")]).json
    #expect(try HTTPArchive(json: json, file: "a.har") == HTTPArchive(json: json, file: "b.har"))
    #expect(try HTTPArchive(json: json, file: "a.har").hashValue == HTTPArchive(json: json, file: "b.har").hashValue)
  }

  @Test func `the time of an entry is the sum of its timings, with TLS inside the connection`() {
    var timings = HTTPArchive.Timings(send: .seconds(8), wait: .seconds(16), receive: .seconds(32))
    #expect(timings.total == .seconds(56))
    (timings.blocked, timings.dns, timings.connect, timings.tls) = (.seconds(1), .seconds(2), .seconds(4), .seconds(3))
    #expect(timings.total == .seconds(63))
  }
}
