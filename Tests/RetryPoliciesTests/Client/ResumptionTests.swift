import Internals
import RetryPolicies
import Testing
import URLLoading

extension RetryPoliciesTests {
  struct ResumptionTests {
    private let clock = TestClock()
    private let get = URLRequest(url: URL(string: "https://example.com/map")!)

    /// Downloads a file; returns its text, the status, and the end in milliseconds.
    private func download(
      _ file: FakeFile, _ policy: some RetryPolicy = FixedBackoff(delay: .seconds(1)), _ request: URLRequest? = nil
    ) throws -> (text: String, status: Int, end: Int) {
      let request = request ?? get
      let (text, status) = try inTestTime(clock) { [clock] in
        let (url, response) = try await file.download(
          for: request, retry: policy, clock: RetryClock(clock, origin: .init(time: .zero)))
        defer { try? FileManager.default.removeItem(at: url) }
        return (
          String(decoding: try Data(contentsOf: url), as: UTF8.self), (response as? HTTPURLResponse)?.statusCode ?? 0
        )
      }
      return (text, status, clock.now.time.milliseconds)
    }

    /// Reads a body in chunks; returns the chunks and the error that ended it.
    private func chunks(
      _ file: FakeFile, _ policy: some RetryPolicy = FixedBackoff(delay: .seconds(1))
    ) throws -> String {
      let get = get
      return try inTestTime(clock) { [clock] in
        let (chunks, _) = try await file.chunks(
          for: get, retry: policy, clock: RetryClock(clock, origin: .init(time: .zero)))
        var text = ""
        do {
          for try await chunk in chunks { text += String(decoding: chunk, as: UTF8.self) }
        } catch let error as URLError {
          text += " error \(error.code.rawValue)"
        }
        return text
      }
    }

    @Test func `an interrupted download resumes where it stopped`() throws {
      let file = FakeFile(["0123456789"], tags: ["\"a\""], .bytes(until: 4), .bytes(until: 3), .bytes())
      let (text, status, end) = try download(file)
      #expect(text == "0123456789" && status == 200 && end == 2_000)
      #expect(file.asked == ["- -", "bytes=4- \"a\"", "bytes=7- \"a\""])
    }

    @Test func `an interrupted download starts over if the file has changed`() throws {
      let file = FakeFile(["0123456789", "abc"], tags: ["\"a\"", "\"b\""], .bytes(until: 4), .bytes())
      let (text, status, _) = try download(file)
      #expect(text == "abc" && status == 200)
      #expect(file.asked == ["- -", "bytes=4- \"a\""])
    }

    @Test func `a download works with a server that ignores ranges and sends the whole file`() throws {
      let file = FakeFile(["0123456789"], tags: ["\"a\""], .whole(until: 4), .whole(until: 6), .whole())
      #expect(try download(file).text == "0123456789")
      #expect(file.asked == ["- -", "bytes=4- \"a\"", "bytes=6- \"a\""])
    }

    @Test func `status 416 ends a complete download, and restarts one longer than the server's file`() throws {
      let whole = FakeFile(["0123456789"], tags: ["\"a\""], .bytes(until: 10), .bytes())
      let (text, status, _) = try download(whole)
      #expect(text == "0123456789" && status == 200)
      #expect(whole.asked == ["- -", "bytes=10- \"a\""])
      let shorter = FakeFile(["0123456789", "01234"], tags: ["\"a\""], .bytes(until: 8), .bytes())
      #expect(try download(shorter).text == "01234")
      #expect(shorter.asked == ["- -", "bytes=8- \"a\"", "- -"])
    }

    @Test(arguments: [
      ["Content-Range": "bytes 2-9/10"], ["Content-Range": "bytes 4-9/10", "ETag": "\"b\""], ["Content-Range": "4-9"],
      [:],
    ])
    func `a 206 response with a wrong range or tag is discarded and the download starts over`(headers: [String: String])
      throws
    {
      let file = FakeFile(["0123456789"], tags: ["\"a\""], .bytes(until: 4), .status(206, headers), .bytes())
      #expect(try download(file).text == "0123456789")
      #expect(file.asked == ["- -", "bytes=4- \"a\"", "- -"])
    }

    @Test func `a 206 response with a part of the rest is followed by a request for what is missing`() throws {
      let part = FakeFile.Reply.status(206, ["Content-Range": "bytes 4-6/10", "ETag": "\"a\""])
      for isDownload in [true, false] {
        let file = FakeFile(["0123456789"], tags: ["\"a\""], .bytes(until: 4), part, .bytes())
        #expect(try (isDownload ? download(file).text : chunks(file)) == "0123" + "206" + "789")
        #expect(file.asked == ["- -", "bytes=4- \"a\"", "bytes=7- \"a\""])
      }
    }

    @Test(arguments: [nil, "W/\"a\""]) func `an interrupted download starts over if the file has no strong ETag`(
      tag: String?
    ) throws {
      let file = FakeFile(["0123456789"], tags: [tag], .bytes(until: 4), .bytes())
      #expect(try download(file).text == "0123456789")
      #expect(file.asked == ["- -", "- -"])
    }

    @Test func `a download keeps its bytes over a 503, and returns a final 404 with its body`() throws {
      let file = FakeFile(["0123456789"], tags: ["\"a\""], .bytes(until: 4), .status(503), .bytes())
      #expect(try download(file).text == "0123456789")
      #expect(file.asked == ["- -", "bytes=4- \"a\"", "bytes=4- \"a\""])
      let gone = FakeFile(["0123456789"], tags: ["\"a\""], .bytes(until: 4), .status(404))
      let (text, status, _) = try download(gone)
      #expect(text == "404" && status == 404)
    }

    @Test func `a download whose attempts all fail throws the last error`() throws {
      let file = FakeFile(["0123456789"], tags: ["\"a\""], .bytes(until: 4), .bytes(until: 0))
      #expect(throws: URLError(.networkConnectionLost)) { try download(file) }
      #expect(file.asked.count == 3)
    }

    @Test func `a late reply to an attempt that has timed out does not change the next attempt's file`() throws {
      let file = LateFile(clock)
      let get = get
      let text = try inTestTime(clock) { [clock] in
        let (url, _) = try await file.download(
          for: get, retry: FixedBackoff(delay: .seconds(1)).perTryTimeout(.seconds(1)),
          clock: RetryClock(clock, origin: .init(time: .zero)))
        defer { try? FileManager.default.removeItem(at: url) }
        return String(decoding: try Data(contentsOf: url), as: UTF8.self)
      }
      #expect(text == "0123456789")
    }

    @Test func `a stream of chunks resumes where it stopped, after the policy's wait`() throws {
      let file = FakeFile(["0123456789"], tags: ["\"a\""], .bytes(until: 4), .status(503), .bytes(until: 3), .bytes())
      #expect(try chunks(file) == "0123456789")
      #expect(file.asked == ["- -", "bytes=4- \"a\"", "bytes=4- \"a\"", "bytes=7- \"a\""])
      #expect(clock.now.time == .seconds(3))
    }

    @Test(arguments: [300, 404]) func `a stream or download that ends with an error status returns the error's body`(
      status: Int
    ) throws {
      #expect(try chunks(FakeFile([""], tags: [nil], .status(status))) == "\(status)")
      #expect(try download(FakeFile([""], tags: [nil], .status(status))).text == "\(status)")
    }

    @Test func `data, stream and download requests are reported with the size of their request body`() throws {
      let file = FakeFile(["0123"], tags: [nil], .bytes())
      let sizes = Mutex<[Int]>([])
      let get = get
      let observe: @Sendable (AttemptRecord) -> Void = { record in sizes.withLock { $0.append(record.requestBytes) } }
      try inTestTime(clock) { [clock] in
        let time = RetryClock(clock, origin: .init(time: .zero))
        for body in [nil, Data("body".utf8)] {
          var sent = get
          sent.httpBody = body
          _ = try await file.data(for: sent, retry: NoRetry(), clock: time, observe: observe)
          _ = try await file.chunks(for: sent, retry: NoRetry(), clock: time, observe: observe)
          let (url, _) = try await file.download(for: sent, retry: NoRetry(), clock: time, observe: observe)
          try FileManager.default.removeItem(at: url)
        }
      }
      #expect(sizes.withLock(\.self) == [0, 0, 0, 4, 4, 4])
    }

    @Test(arguments: [302, 404]) func `a stream of chunks fails if the rest gets an error status`(status: Int) throws {
      let file = FakeFile(["0123456789"], tags: ["\"a\""], .bytes(until: 4), .status(status), .bytes())
      #expect(try chunks(file) == "0123 error -1011")
      #expect(file.asked.count == 2)
    }

    @Test func `a stream of chunks fails if the file has changed, instead of mixing two versions`() throws {
      let changed = FakeFile(["0123456789", "abc"], tags: ["\"a\"", "\"b\""], .bytes(until: 4), .bytes())
      #expect(try chunks(changed) == "0123 error -1008")
      let weak = FakeFile(["0123456789"], tags: [nil], .bytes(until: 4), .bytes())
      #expect(try chunks(weak) == "0123 error -1005")
      let whole = FakeFile(["0123456789"], tags: ["\"a\""], .bytes(until: 10), .bytes())
      #expect(try chunks(whole) == "0123456789")
      let lost = FakeFile(["0123456789"], tags: ["\"a\""], .bytes(until: 4), .bytes(until: 0))
      #expect(try chunks(lost) == "0123 error -1005")
      #expect(lost.asked.count == 3)
    }
  }
}

/// A file whose first reply ignores its cancellation, and arrives in the middle of the second.
private final class LateFile: HTTPLoader {
  private let clock: TestClock
  private let asked = Mutex(0)
  private let late = Mutex<CheckedContinuation<Void, Never>?>(nil)

  init(_ clock: TestClock) { self.clock = clock }

  func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    let (chunks, response) = try await chunks(for: request)
    return (try await chunks.reduce(into: Data()) { $0.append($1) }, response)
  }

  func chunks(for request: URLRequest) async throws -> (AsyncThrowingStream<Data, any Error>, URLResponse) {
    let count = asked.withLock { count in
      count += 1
      return count
    }
    if count == 1 { await withCheckedContinuation { waiter in late.withLock { $0 = waiter } } }
    let rest = Mutex(count == 1 ? ["old"] : ["0123", "456789"])
    let chunks = AsyncThrowingStream<Data, any Error> { [self] in
      let (piece, isLast) = rest.withLock { ($0.isEmpty ? nil : $0.removeFirst(), $0.isEmpty) }
      if count == 2, isLast, piece != nil {
        late.withLock { $0.take() }?.resume()
        try await clock.sleep(until: clock.now.advanced(by: .milliseconds(500)))
      }
      return piece.map { Data($0.utf8) }
    }
    return (chunks, HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: nil, headerFields: nil)!)
  }
}
