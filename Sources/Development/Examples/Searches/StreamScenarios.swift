package import ExampleClients
import Internals
package import NetworkConditions
import URLLoading

/// A user reads a file whose connection may break off: the file must be complete.
package func resumeFile(_ network: SimulatedNetwork, _ variant: Variant = .fixed) async throws {
  let file = GeneratedBody.bytes(in: 0..<400)
  network.stub(
    .get, "https://api.example.com/file",
    with: .handler { (request: URLRequest) -> StubResponse in
      let offset =
        request.value(forHTTPHeaderField: "Range")
        .flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) } ?? 0
      guard file.indices.contains(offset) else { return .status(416) }
      return .data(file[offset...]).status(offset == 0 ? 200 : 206)
    })
  /// The file's length according to the server.
  let length = Mutex(Int64(file.count))
  let reader = ResumingReader(clock: network.clock, variant: variant)
  let read: [UInt8]
  do {
    read = try await reader.read { offset in
      var request = URLRequest(url: ExampleServer.base.appendingPathComponent("file"))
      if offset > 0 { request.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range") }
      let (bytes, response) = try await network.bytes(for: request)
      let status = (response as? HTTPURLResponse)?.statusCode
      guard status == 200 && offset == 0 || status == 206, response.mimeType != "text/html" else {
        throw URLError(.badServerResponse)
      }
      length.withLock { $0 = Int64(offset) + response.expectedContentLength }
      return bytes
    }
  } catch {
    // The app reports a failure, which is correct.
    return
  }
  // A flipped byte does not count here.
  let expected = length.withLock { $0 }
  if read.count != expected { throw ExampleFailure("\(read.count) bytes of \(expected)") }
}

/// A user follows a conversation: the app shows each message.
package func pollEvents(_ network: SimulatedNetwork, _ variant: Variant = .fixed) async throws {
  let all = (0..<6).map { "message \($0)" }
  let handed = Mutex(0)
  network.stub(
    .get, "https://api.example.com/events",
    with: .handler { (request: URLRequest) -> StubResponse in
      let after = request.url?.query.flatMap { Int($0.dropFirst("after=".count)) }
      return handed.withLock { handed in
        let start = min(after ?? handed, all.count)
        let end = min(start + 2, all.count)
        handed = end
        let events = all[start..<end].map { "\"\($0)\"" }.joined(separator: ", ")
        return StubResponse.data(Data("{\"events\": [\(events)], \"next\": \(end)}".utf8)).after(.seconds(3))
      }
    })
  let poller = EventPoller(base: ExampleServer.base, clock: network.clock, variant: variant) { request in
    let (data, response) = try await network.session.data(for: request)
    return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
  }
  // A client whose last poll failed shows an error.
  guard let seen = try? await poller.events(all.count, atMost: 12) else { return }
  // A damaged message does not count here.
  if seen.count < all.count, handed.withLock({ $0 }) == all.count {
    throw ExampleFailure("\(seen.count) of \(all.count) messages")
  }
}

/// A user opens a page that makes two requests at once: the user stays signed in.
package func staySignedIn(_ network: SimulatedNetwork, _ variant: Variant = .fixed) async throws {
  let valid = Mutex("first")
  network.stub(.get, "https://api.example.com/mail", with: .json("[]"))
  network.stub(.get, "https://api.example.com/news", with: .json("[]"))
  network.stub(
    .post, "https://api.example.com/refresh",
    with: .handler { (request: URLRequest) -> StubResponse in
      valid.withLock { valid in
        // A reused token counts as stolen: the server ends the session.
        guard request.value(forHTTPHeaderField: "X-Session") == valid else { return .status(403) }
        valid += "+"
        return .data(Data(valid.utf8))
      }
    })
  let client = TokenClient(base: ExampleServer.base, variant: variant) { request in
    let (data, response) = try await network.data(for: request)
    return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
  }
  do {
    async let mail = client.get("mail")
    async let news = client.get("news")
    _ = try await (mail, news)
  } catch is TokenClient.SignedOut {
    throw ExampleFailure("signed out")
  } catch {
    // The app reports a network failure.
  }
}

/// A user reads a discussion, writes for five seconds and sends: the comment is stored once.
package func addComment(_ network: SimulatedNetwork, _ variant: Variant = .fixed) async throws {
  let stored = Mutex<(comments: [String], keys: Set<String>)>((["first"], []))
  network.stub(
    .get, "https://api.example.com/comments",
    with: .handler { (_: URLRequest) in .text(stored.withLock { $0.comments.joined(separator: "\n") }) })
  network.stub(
    .post, "https://api.example.com/comments",
    with: .handler { (request: URLRequest) in
      let key = request.value(forHTTPHeaderField: "Idempotency-Key")
      stored.withLock { stored in
        if let key, !stored.keys.insert(key).inserted { return }
        stored.comments.append(String(decoding: request.httpBody ?? Data(), as: UTF8.self))
      }
      return .text("stored")
    })
  let client = CommentClient(base: ExampleServer.base, clock: network.clock, variant: variant) { request in
    try await network.data(for: request)
  }
  guard (try? await client.all()) != nil else { return }
  try await network.clock.sleep(for: .seconds(5))
  try? await client.add("me too", key: "1")
  // A user who cannot reach the server, or who has waited two minutes, knows that the network has failed.
  guard (try? await client.all()) != nil, network.now < .zero.advanced(by: .seconds(120)) else { return }
  let count = stored.withLock { $0.comments.count } - 1
  if count != 1 { throw ExampleFailure("the comment is there \(count) times") }
}
