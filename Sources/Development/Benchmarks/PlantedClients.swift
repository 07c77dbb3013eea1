import FailureSearch
import NetworkConditions
import URLLoading

/// A client with a mistake that some fault exposes: an exploration must find what brute force finds.
struct PlantedClient: Sendable {
  let name: String
  var bound = 1
  /// The kinds of faults to try; `nil` means all that brute force can afford.
  var kinds: Set<FaultKinds.Kind>?
  let run: @Sendable (SimulatedNetwork) async throws -> Void

  /// A client's wrong behaviour in words, such as `paid twice`.
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  init(
    _ name: String, upTo bound: Int = 1, kinds: Set<FaultKinds.Kind>? = nil,
    _ run: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) {
    (self.name, self.bound, self.kinds, self.run) = (name, bound, kinds, run)
  }

  static let all = singles + streams + timed + pairs + unlike + large + rethrowing

  private static func url(_ path: String, secure: Bool = true) -> URL {
    guard let url = URL(string: "\(secure ? "https" : "http")://api.example.com\(path)") else {
      preconditionFailure("a constant URL")
    }
    return url
  }

  private static func request(
    _ path: String, method: String = "GET", secure: Bool = true, timeout: TimeInterval = 20
  ) -> URLRequest {
    var request = URLRequest(url: url(path, secure: secure), timeoutInterval: timeout)
    request.httpMethod = method
    return request
  }

  private static func send(_ request: URLRequest, _ network: SimulatedNetwork) async throws -> (Data, Int) {
    let (data, response) = try await network.data(for: request)
    return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
  }

  static func need(_ holds: Bool, _ words: String) throws {
    if !holds { throw Mistake(description: words) }
  }

  // MARK: Single faults

  private static let singles: [PlantedClient] = [
    PlantedClient("pays again when the answer is lost") { network in
      let payments = network.stub(.post, "/pay", with: .json("{}"))
      for _ in 0..<3 {
        if (try? await send(request("/pay", method: "POST"), network)) != nil { break }
      }
      try need(payments.requests.count <= 1, "paid twice")
    },
    PlantedClient("takes any status for success") { network in
      network.stub("/user", with: .json(#"{"name": "Ann"}"#))
      if let (data, _) = try? await send(request("/user"), network) { try need(!data.isEmpty, "an empty user") }
    },
    PlantedClient("trusts a 404 for a deletion by somebody else") { network in
      network.stub("/file", with: .json("[1, 2]"))
      if let (_, status) = try? await send(request("/file"), network) { try need(status != 404, "deleted the copy") }
    },
    PlantedClient("reads a number where it can") { network in
      network.stub("/price", with: .data(Data("1250".utf8)))
      if case (let data, 200)? = try? await send(request("/price"), network) {
        let digits = String(decoding: data, as: UTF8.self).prefix { $0.isASCII && $0.isNumber }
        try need(Int(digits) == nil || Int(digits) == 1250, "another price")
      }
    },
    PlantedClient("signs out at each 401") { network in
      network.stub("/inbox", with: .json("[]"))
      if let (_, status) = try? await send(request("/inbox"), network) { try need(status != 401, "signed out") }
    },
    PlantedClient("gives the second of two requests up with the first") { network in
      network.stub("/a", with: .json("1"))
      let second = network.stub("/b", with: .json("2"))
      let isThere = (try? await send(request("/a"), network)) != nil
      if isThere { _ = try? await send(request("/b"), network) }
      try need(second.requests.count == 1 || isThere, "never asked for b")
    },
    PlantedClient("counts a refused connection as offline for good") { network in
      network.stub("/a", with: .json("1"))
      do { _ = try await send(request("/a"), network) } catch let error as URLError {
        try need(error.code != .cannotConnectToHost, "offline for good")
      } catch {}
    },
    PlantedClient("takes a failed handshake for an attack") { network in
      network.stub("/a", with: .json("1"))
      do { _ = try await send(request("/a"), network) } catch let error as URLError {
        try need(error.code != .secureConnectionFailed, "locked the account")
      } catch {}
    },
    PlantedClient("deletes before the upload is known to be there") { network in
      let stored = network.stub(.put, "/photo", with: .status(201))
      var upload = request("/photo", method: "PUT")
      upload.httpBody = Data(repeating: 65, count: 90)
      _ = try? await send(upload, network)
      try need(stored.requests.count >= 1, "the photo is gone")
    },
    PlantedClient("compares the length alone") { network in
      network.stub("/settings", with: .data(Data("volume=10;mute=0".utf8)))
      if case (let data, 200)? = try? await send(request("/settings"), network), data.count == 16 {
        try need(String(decoding: data, as: UTF8.self).hasSuffix("mute=0"), "muted")
      }
    },
  ]

  // MARK: Streams

  private static func lines(
    _ network: SimulatedNetwork, _ path: String, _ text: String
  ) async throws -> (lines: [String], rest: String) {
    network.stub(.get, "http://api.example.com\(path)", with: .data(Data(text.utf8)).framed(.untilClose))
    let (bytes, response) = try await network.bytes(for: request(path, secure: false))
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    var lines: [String] = []
    var line: [UInt8] = []
    for try await byte in bytes {
      if byte == 10 {
        lines.append(String(decoding: line, as: UTF8.self))
        line = []
      } else {
        line.append(byte)
      }
    }
    return (lines, String(decoding: line, as: UTF8.self))
  }

  private static let streams: [PlantedClient] = [
    PlantedClient("takes the end of the connection for the end") { network in
      let text = (0..<6).map { "word\($0)\n" }.joined() + "end\n"
      guard let (lines, rest) = try? await lines(network, "/chat", text), rest.isEmpty else { return }
      try need(lines.count == 7, "half an answer")
    },
    PlantedClient("shows a last line that is cut") { network in
      let text = "alpha\nbeta\ngamma\n"
      guard let (lines, rest) = try? await lines(network, "/list", text) else { return }
      let shown = lines + (rest.isEmpty ? [] : [rest])
      try need(shown.allSatisfy { text.split(separator: "\n").map(String.init).contains($0) }, "a line that is none")
    },
    PlantedClient("reads a total that is cut") { network in
      guard let (lines, rest) = try? await lines(network, "/sum", "a=12\nb=345\ntotal=357") else { return }
      guard let total = (lines + [rest]).first(where: { $0.hasPrefix("total=") }) else { return }
      try need(Int(total.dropFirst(6)) == nil || total == "total=357", "another total")
    },
    PlantedClient("needs no end of a list when a bracket closes") { network in
      guard let (lines, rest) = try? await lines(network, "/json", #"[[1,2],[3,4],[5,6]]"#) else { return }
      let text = (lines + [rest]).joined()
      try need(text.isEmpty || text.hasSuffix("]]") || !text.hasSuffix("]"), "half a list")
    },
    PlantedClient("splits a character") { network in
      guard let (_, rest) = try? await lines(network, "/name", "Zoë Ångström, Łódź") else { return }
      try need(!rest.contains("\u{FFFD}") || rest.count > 12, "a character in halves")
    },
    PlantedClient("keeps what came before an error") { network in
      network.stub("/log", with: .data(Data("one\ntwo\nthree\n".utf8)))
      var text = ""
      do {
        let (bytes, response) = try await network.bytes(for: request("/log"))
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { return }
        for try await byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
      } catch {
        try need(!text.hasSuffix("\n"), "took half a log for whole")
      }
    },
    PlantedClient("reads frames until nothing is left") { network in
      let frames: [UInt8] = [[5, 104, 101, 108, 108, 111], [3, 121, 111, 117], [2, 111, 107]].flatMap { $0 }
      network.stub(.get, "http://api.example.com/frames", with: .data(Data(frames)).framed(.untilClose))
      var read: [UInt8] = []
      guard let (bytes, response) = try? await network.bytes(for: request("/frames", secure: false)),
        (response as? HTTPURLResponse)?.statusCode == 200
      else { return }
      do { for try await byte in bytes { read.append(byte) } } catch { return }
      var (place, count) = (0, 0)
      while place < read.count, place + Int(read[place]) < read.count {
        place += Int(read[place]) + 1
        count += 1
      }
      if place == read.count { try need(count == 3 || count == 0, "\(count) frames") }
    },
    PlantedClient("takes an answer for complete when it was told a length of none") { network in
      guard let (_, rest) = try? await lines(network, "/page", "<p>one</p><p>two</p>") else { return }
      try need(rest.isEmpty || rest.hasSuffix("two</p>") || !rest.hasSuffix("</p>"), "half a page")
    },
  ]

  // MARK: Times

  private static let timed: [PlantedClient] = [
    PlantedClient("has one deadline for all attempts") { network in
      network.stub("/a", with: .json("1"))
      let start = network.clock.now
      for _ in 0..<4 {
        if (try? await send(request("/a"), network)) != nil { return }
        try need(start.duration(to: network.clock.now) < .seconds(15), "no time left")
        try await network.clock.sleep(for: .seconds(1))
      }
    },
    PlantedClient("is late after a lost packet") { network in
      network.stub("/a", with: .json("1"))
      let start = network.clock.now
      _ = try? await send(request("/a"), network)
      let time = start.duration(to: network.clock.now)
      try need(time < .milliseconds(900) || time > .milliseconds(1900), "late")
    },
    PlantedClient("asks twice when the first answer takes long") { network in
      let asked = network.stub("/a", with: .json("1"))
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { _ = try? await send(request("/a"), network) }
        group.addTask {
          try await network.clock.sleep(for: .seconds(2))
          _ = try? await send(request("/a"), network)
        }
        try await group.next()
        group.cancelAll()
      }
      try need(asked.requests.count <= 1, "asked twice")
    },
    PlantedClient("waits as long as it is told, however long") { network in
      network.stub("/a", with: .json("1"))
      if let (_, response) = try? await network.data(for: request("/a")), let http = response as? HTTPURLResponse,
        let text = http.value(forHTTPHeaderField: "Retry-After"), let seconds = Int(text)
      {
        try await network.clock.sleep(for: .seconds(seconds))
        try need(seconds < 5, "slept \(seconds) s")
      }
    },
    PlantedClient("says that it failed when it was cancelled") { network in
      network.stub("/a", with: .json("1"))
      do { _ = try await send(request("/a"), network) } catch {
        try need(!Task.isCancelled, "told the user of a failure")
      }
    },
    PlantedClient("shows whichever answer comes last") { network in
      network.stub("/old", with: .json("1"))
      network.stub("/new", with: .json("2"))
      let order = await withTaskGroup(of: String?.self, returning: [String].self) { group in
        for (name, wait) in [("/old", 0), ("/new", 60)] {
          group.addTask {
            try? await network.clock.sleep(for: .milliseconds(wait))
            let status = try? await send(request(name), network).1
            return status == 200 ? name : nil
          }
        }
        return await group.reduce(into: []) { order, name in if let name { order.append(name) } }
      }
      try need(order.count < 2 || order.last == "/new", "the old answer")
    },
  ]

  // MARK: Pairs

  private static let pairs: [PlantedClient] = [
    PlantedClient("gives up after two attempts", upTo: 2) { network in
      network.stub("/a", with: .json("1"))
      for _ in 0..<2 {
        if (try? await send(request("/a", timeout: 5), network)) != nil { return }
      }
      throw Mistake(description: "gave up")
    },
    PlantedClient("refreshes twice at once", upTo: 2) { network in
      let refreshes = network.stub(.post, "/refresh", with: .json("1"))
      network.stub("/mail", with: .json("1"))
      network.stub("/news", with: .json("2"))
      await withTaskGroup(of: Void.self) { group in
        for name in ["/mail", "/news"] {
          group.addTask {
            guard let (_, status) = try? await send(request(name), network), status == 401 else { return }
            _ = try? await send(request("/refresh", method: "POST"), network)
          }
        }
      }
      try need(refreshes.requests.count <= 1, "refreshed twice")
    },
    PlantedClient("rolls back only once", upTo: 2) { network in
      let debits = network.stub(.post, "/debit", with: .json("1"))
      let credits = network.stub(.post, "/credit", with: .json("1"))
      guard (try? await send(request("/debit", method: "POST", timeout: 5), network)) == nil else { return }
      _ = try? await send(request("/credit", method: "POST", timeout: 5), network)
      try need(debits.requests.isEmpty || !credits.requests.isEmpty, "the money is gone")
    },
    PlantedClient("looks at the copy when the server is gone, and does not look whether it is there", upTo: 2) {
      network in
      network.stub("/a", with: .json("1"))
      network.stub("/copy", with: .json("1"))
      if case (_, 200)? = try? await send(request("/a", timeout: 5), network) { return }
      guard let (_, status) = try? await send(request("/copy", timeout: 5), network) else { return }
      try need(status == 200, "a copy of an error")
    },
    PlantedClient("keeps a connection for ever after a failure", upTo: 2) { network in
      network.stub("/a", with: .json("1"))
      network.stub("/b", with: .json("2"))
      let first = try? await send(request("/a", timeout: 5), network)
      let second = try? await send(request("/b", timeout: 5), network)
      try need(first != nil || second != nil, "nothing at all")
    },
  ]

  // MARK: Points that look alike

  /// Their mistakes show only at some points of a class that most clients cannot distinguish.
  private static let unlike: [PlantedClient] = [
    // At byte 0 the session itself repeats the request.
    PlantedClient("counts an answer that is lost on a kept connection as offline for good") { network in
      network.stub("/a", with: .json("1"))
      network.stub("/b", with: .json("2"))
      guard (try? await send(request("/a", secure: false), network)) != nil else { return }
      do { _ = try await send(request("/b", secure: false), network) } catch let error as URLError {
        try need(error.code != .networkConnectionLost, "offline for good")
      } catch {}
    },
    PlantedClient("weighs in grams when the line with the unit did not come") { network in
      let text = "id=4711\nname=flour\namount=100\nunit=kg\nshelf=12\nrow=7\nstock=40\nsold=38\nlast=may\n"
      guard let (lines, rest) = try? await lines(network, "/article", text), rest.isEmpty else { return }
      try need(!lines.contains("amount=100") || lines.contains("unit=kg"), "100 grams")
    },
    // A client that measures the time between lines notices a pause.
    PlantedClient("takes a pause in its third line for the end") { network in
      let text = (0..<9).map { "word\($0)\n" }.joined()
      network.stub(.get, "http://api.example.com/words", with: .data(Data(text.utf8)))
      guard let (bytes, _) = try? await network.bytes(for: request("/words", secure: false)) else { return }
      var times: [SimulatedInstant] = []
      do { for try await byte in bytes where byte == 10 { times.append(network.clock.now) } } catch { return }
      try need(times.count < 9 || times[1].duration(to: times[2]) < .seconds(1), "two words of nine")
    },
    // Of two concurrent requests one is connecting; the other is in flight or has arrived.
    PlantedClient("says that something is stored when it is cancelled") { network in
      network.stub("/a", with: .json("1"))
      let stored = [network.stub("/b", with: .json("2")), network.stub("/c", with: .json("3"))]
      guard (try? await send(request("/a", secure: false), network)) != nil, !Task.isCancelled else { return }
      await withTaskGroup(of: Void.self) { group in
        for path in ["/b", "/c"] {
          group.addTask {
            var upload = request(path, method: "POST", secure: false)
            upload.httpBody = Data("hello".utf8)
            _ = try? await send(upload, network)
          }
        }
      }
      try need(!Task.isCancelled || stored.contains { !$0.requests.isEmpty }, "nothing is stored")
    },
    // The state kept from the first response matters only with the second.
    PlantedClient("takes a page that is missing in maintenance for deleted", upTo: 2, kinds: [.status]) { network in
      network.stub("/a", with: .json("1"))
      network.stub("/b", with: .json("2"))
      let first = try? await network.data(for: request("/a")).1 as? HTTPURLResponse
      let isMaintenance = first?.statusCode == 503 && first?.value(forHTTPHeaderField: "Retry-After") != nil
      guard case (_, let status)? = try? await send(request("/b"), network) else { return }
      try need(!isMaintenance || status != 404, "deleted the copy")
    },
    // Neither the client nor its requests tell whether the server has stored it.
    PlantedClient("takes a second attempt that is refused for the first", upTo: 2, kinds: [.reset, .status]) {
      network in
      let stored = network.stub(.post, "/a", with: .json("1"))
      for _ in 0..<2 {
        guard let (_, status) = try? await send(request("/a", method: "POST", secure: false), network) else { continue }
        try need(status != 400 || stored.requests.isEmpty, "says that it is not stored")
        return
      }
    },
  ]
}
