import NetworkConditions
import Testing
import URLLoading

// The examples of README.md and of the documentation, word for word, so that they compile and do what they say.

struct FeedClient: Sendable {
  var session: URLSession
  var clock: any Clock<Duration>

  func feed() async throws -> Data {
    let request = URLRequest(url: URL(string: "https://api.example.com/feed")!)
    var pause = Duration.seconds(1)
    while true {
      let (data, response) = try await session.data(for: request)
      if (response as? HTTPURLResponse)?.statusCode == 200 { return data }
      try await clock.sleep(for: pause)
      pause *= 2
    }
  }
}

@Test func `the feed loads after two 503 answers`() async throws {
  let run = try await Simulation("3G", seed: 42) { network in
    let answers: [StubResponse] = [.status(503), .status(503), .json(#"{"items": []}"#)]
    network.stub("https://api.example.com/feed", with: .sequence(answers))
    return try await FeedClient(session: network.session, clock: network.clock).feed()
  }
  #expect(run.value.count == 13)
  #expect(run.elapsed < .seconds(10))
  print("\(run.elapsed) passed")

  // The page shows this output.
  let page = try SourceTree.text("Sources/NetworkConditions/NetworkConditions.docc/VirtualTime.md")
  #expect(page.contains("`\(run.elapsed) passed`"))
}

final class StatusClient: Sendable {
  let session: URLSession

  init(session: URLSession) {
    self.session = session
  }

  func status(then handler: @escaping @Sendable (Int?) -> Void) {
    let url = URL(string: "https://api.example.com/status")!
    session.dataTask(with: url) { _, response, _ in
      handler((response as? HTTPURLResponse)?.statusCode)
    }.resume()
  }
}

struct ExampleTests {
  @Test func `a documented client without a clock loads six photos over the tunnel profile`() async throws {
    let run = try await Simulation("tunnel", seed: 1) { network in
      network.stub("https://api.example.com/photos/*", with: .bytes(count: 200_000))
      return try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 1...6 {
          let request = URLRequest(url: URL(string: "https://api.example.com/photos/\(number)")!)
          group.addTask { try await network.session.data(for: request).0.count }
        }
        return try await group.reduce(0, +)
      }
    }
    #expect(run.value == 1_200_000)
  }

  @Test func `a documented client with completion handlers runs in virtual time`() async throws {
    let run = try await Simulation("EDGE", seed: 7) { network in
      network.stub("https://api.example.com/status", with: .status(204))
      let client = StatusClient(session: network.session)
      return await withCheckedContinuation { continuation in
        client.status { continuation.resume(returning: $0) }
      }
    }
    #expect(run.value == 204)
  }

  @Test func `the documented determinism check passes`() async throws {
    try await Simulation.verifyDeterminism("flaky", seed: 5) { network in
      network.stub("https://api.example.com/feed", with: .json(#"{"items": []}"#))
      return try await FeedClient(session: network.session, clock: network.clock).feed()
    }
  }

  @Test func `the documented stubs give the documented responses`() async throws {
    let network = SimulatedNetwork("wifi", seed: 42, pace: .immediate)
    let orders = network.stub(.post, "/orders", with: [.status(503, retryAfter: .seconds(2)), .status(201)])
    network.stub("/large", with: .bytes(count: 5_000_000).after(.milliseconds(300)))
    network.stub("/cut", with: .bytes(count: 50_000).failing(.networkConnectionLost, afterBytes: 20_000))
    network.stub("/export", with: .bytes(count: 50_000).framed(.untilClose))
    let avatars = network.stub("/avatars", with: .status(413).early(afterBytes: 16_000))
    network.stub({ $0.httpMethod == "PUT" }) { request in
      (HTTPURLResponse(url: request.url!, statusCode: 204, httpVersion: nil, headerFields: nil), nil, nil)
    }
    orders.expect(count: 2)

    var post = URLRequest(url: url("https://api.example.com/orders"))
    post.httpMethod = "POST"
    let statuses = try await [network.data(for: post), network.data(for: post)].map {
      ($0.1 as? HTTPURLResponse)?.statusCode
    }
    #expect(statuses == [503, 201])
    #expect(network.stubs.verify().isEmpty)
    post.url = url("https://api.example.com/avatars")
    let (_, refusal) = try await network.upload(for: post, from: Data(count: 500_000))
    #expect((refusal as? HTTPURLResponse)?.statusCode == 413)
    #expect(avatars.partialRequests.allSatisfy { (16_000..<500_000).contains($0.bytesReceived) })
    #expect(avatars.partialRequests.count == 1)
    var put = URLRequest(url: url("https://api.example.com/anything"))
    put.httpMethod = "PUT"
    #expect((try await network.data(for: put).1 as? HTTPURLResponse)?.statusCode == 204)
    let error = await #expect(throws: URLError.self) {
      try await network.data(for: URLRequest(url: url("https://api.example.com/cut")))
    }
    #expect(error?.code == .networkConnectionLost)
  }

  @Test func `a network that goes offline and online keeps its changed profile`() throws {
    let network = SimulatedNetwork("cafe wifi", seed: 1, transport: URLSessionTransport())
    try network.use("EDGE")
    network.goOffline()
    network.goOnline()
    #expect(network.profile.name == "EDGE")
  }

  @Test func `a network whose name has a start phase begins in that phase`() {
    let network = SimulatedNetwork("tunnel@2 s before tunnel", seed: 42)
    #expect(network.profile.phases.map(\.name).prefix(2) == ["portal", "tunnel"])
  }

  /// Compiled only: `URLSession.shared` is intercepted by one test at a time.
  func shared(_ network: SimulatedNetwork) async throws {
    try await network.interceptingSharedSession {
      let request = URLRequest(url: URL(string: "https://api.example.com/feed")!)
      _ = try await URLSession.shared.data(for: request)
    }
  }

  /// Compiled only: the reader supplies the file.
  func file() throws -> NetworkProfile {
    let profile = try NetworkProfile(contentsOf: URL(fileURLWithPath: "our-train.json"))
    return profile
  }

  @Test func `the documented profile can be read`() throws {
    let page = "Sources/NetworkConditions/NetworkConditions.docc/WritingAProfile.md"
    let block = try #require(try blocks("json", in: page).first)
    let profile = try NetworkProfile(json: Data(block.joined(separator: "\n").utf8), file: page)
    #expect(profile.name == "our train")
    #expect(profile.phases.count == 3)
    #expect(profile.faults.count == 1)
  }

  @Test func `a name added to the redaction hides that query item`() async throws {
    let network = SimulatedNetwork("3G", pace: .immediate)
    defer { network.invalidate() }
    network.redaction = .standard.adding("X-Tenant", "pickup_code")
    network.stub("/feed", with: .status(200))
    _ = try await network.data(for: URLRequest(url: URL(string: "https://api.example.com/feed?pickup_code=7")!))
    #expect(network.timeline.transfers[0].shownURL == "https://api.example.com/feed?pickup_code=redacted")
    #expect(network.timeline.transfers[0].url.hasSuffix("=7"))
  }

  @Test func `a documented stepped simulation fails a load when the network goes offline`() async throws {
    let simulation = try SteppedSimulation("3G", seed: 1)
    simulation.network.stub("/feed", with: .bytes(count: 500_000))
    let load = simulation.run { network in
      try await network.session.data(from: URL(string: "https://api.example.com/feed")!).0.count
    }
    try await simulation.advance(until: .event { $0.kind == .response(status: 200) })
    try await simulation.advance(by: .milliseconds(500))
    simulation.network.goOffline()
    await #expect(throws: URLError.self) { try await load.value() }
  }

  @Test func `the README is short, and each of its links leads to a file`() throws {
    let text = try SourceTree.text("README.md")
    #expect(text.split(whereSeparator: \.isWhitespace).count <= 1_200)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 200)
    let links = text.matches(of: /\]\(([^)]+)\)/).map { String($0.1) }
    #expect(links.count > 15)
    for link in links { #expect(SourceTree.has(link), "\(link)") }
  }

  @Test func `the page on refusals names every call that is refused`() throws {
    let text = try SourceTree.text("Sources/NetworkConditions/NetworkConditions.docc/WhenItSaysNo.md")
    let sources =
      SourceTree.files("swift", in: "Sources/ClientCapture")
      + SourceTree.files("swift", in: "Sources/NetworkConditions")
    let words = try sources.flatMap { try SourceTree.text($0).matches(of: /refuse\("([^"]+)"/).map { String($0.1) } }
    #expect(words.count > 10)
    // The page shows `…` in place of each computed value.
    for call in words.map({ $0.replacing(/\\\(\w+\)/, with: "…") }) { #expect(text.contains(call), "\(call)") }
  }

  @Test func `every module with documentation has a landing page of its name`() throws {
    #expect(Self.pages.count > 10)
    for page in Self.pages.dropFirst() {
      let parts = page.split(separator: "/")
      #expect(Self.pages.contains("Sources/\(parts[1])/\(parts[1]).docc/\(parts[1]).md"), "\(page)")
    }
  }

  @Test(arguments: pages.dropFirst().filter { !isLanding($0) })
  func `a page has an example and under 600 words unless a reference group lists it`(_ page: String) throws {
    if try Self.referencePages.get().contains(page) { return }
    let text = try SourceTree.text(page)
    #expect(text.split(whereSeparator: \.isWhitespace).count < 600, "\(page)")
    #expect(text.contains("\n```"), "\(page)")
  }

  @Test(arguments: pages.filter(isLanding))
  func `a landing page is short and has at most seven links`(_ page: String) throws {
    let text = try SourceTree.text(page)
    #expect(text.split(whereSeparator: \.isWhitespace).count < 300)
    #expect((1...7).contains(text.matches(of: /\n- (<doc:|``)/).count))
  }

  @Test(arguments: SourceTree.files("tutorial", in: "Sources"))
  func `each line of a tutorial's code occurs in a compiled test`(_ tutorial: String) throws {
    let known = try Self.compiledLines.get()
    let folder = tutorial.split(separator: "/").dropLast().joined(separator: "/")
    for match in try SourceTree.text(tutorial).matches(of: /file: "([^"]+\.swift)"/) {
      for line in try SourceTree.text("\(folder)/Resources/\(match.1)").components(separatedBy: "\n") {
        let code = line.trimmingCharacters(in: .whitespaces)
        #expect(code.isEmpty || known.contains(code), "\(match.1): \(code)")
      }
    }
  }

  @Test(arguments: pages)
  func `each line of a documented example occurs in a compiled test`(_ page: String) throws {
    let known = try Self.compiledLines.get()
    for block in try blocks("swift", in: page) where !block.contains(where: { $0.hasPrefix(".package(") }) {
      for line in block {
        let code = line.trimmingCharacters(in: .whitespaces)
        #expect(code.isEmpty || known.contains(code), "\(page): \(code)")
      }
    }
  }

  @Test(arguments: pages)
  func `a documented test with an import has all its imports`(_ page: String) throws {
    for block in try blocks("swift", in: page) where block.contains(where: { $0.hasPrefix("import ") }) {
      let isTest = block.contains { $0.hasPrefix("@Test") }
      #expect(!isTest || block.contains("import Testing"), "\(page): \(block.first ?? "")")
    }
  }

  @Test(arguments: pages)
  func `a documented shell line has quotes around a range, since a shell reads a file behind <`(_ page: String) throws {
    for line in try blocks("sh", in: page).joined() { #expect(!line.contains(/=[^\s"']*</), "\(page): \(line)") }
  }

  /// The README and all pages of all modules.
  private static let pages = ["README.md"] + SourceTree.files("md", in: "Sources")

  /// Whether a page is its module's landing page.
  private static func isLanding(_ page: String) -> Bool {
    let parts = page.split(separator: "/")
    return parts.count > 1 && parts.last == "\(parts[1]).md"
  }

  /// The pages under "Reference" on a landing page, and those that they list under their own topics.
  private static let referencePages = Result {
    var found: Set<String> = []
    for landing in pages.filter(isLanding) {
      let folder = landing.split(separator: "/").dropLast().joined(separator: "/")
      func links(_ text: String?) -> [String] {
        (text ?? "").matches(of: /\n- <doc:(\w+)>/).map { "\(folder)/\($0.1).md" }
      }
      let groups = try SourceTree.text(landing).components(separatedBy: "\n### ")
      let listed = links(groups.first { $0.hasPrefix("Reference\n") })
      found.formUnion(listed)
      for page in listed {
        found.formUnion(links(try SourceTree.text(page).components(separatedBy: "\n## Topics").last))
      }
    }
    return found
  }

  /// The lines of each module's documentation tests, and of the examples.
  private static let compiledLines = Result {
    let tests = SourceTree.files("swift", in: "Tests").filter { $0.contains(/^Tests\/\w+\/Documentation\//) }
    var lines: Set<String> = []
    for path in tests + SourceTree.files("swift", in: "Sources/Development/Examples") {
      for line in try SourceTree.text(path).components(separatedBy: "\n") {
        lines.insert(line.trimmingCharacters(in: .whitespaces))
      }
    }
    return lines
  }

  private func blocks(_ language: String, in page: String) throws -> [[String]] {
    let text = try SourceTree.text(page)
    var blocks: [[String]] = []
    var isInside = false
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        isInside = line == "```\(language)"
        if isInside { blocks.append([]) }
      } else if isInside {
        blocks[blocks.count - 1].append(line)
      }
    }
    return blocks
  }
}
