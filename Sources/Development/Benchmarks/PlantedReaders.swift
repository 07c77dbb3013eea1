import Internals
import NetworkConditions
import PlantedClients
import URLLoading

extension PlantedClient {
  // MARK: The address book

  /// A user renames a friend and syncs: afterwards no contact is missing.
  @Sendable static func keepAddresses(_ network: SimulatedNetwork) async throws {
    let server = AddressServer()
    network.stub(.put, "http://api.example.com/contacts/*", with: .handler { server.store($0) })
    let feeds = network.stub(.get, "http://api.example.com/changes", with: .handler { server.feed($0) })
    let book = AddressBook([Contact(id: "ann", name: "Ann", version: 1)])
    await book.rename("ann", to: "Anna")
    let client = AddressBookSync(
      base: PlantedServer.plain, book: book, clock: network.clock, send: PlantedServer.send(network))
    do {
      _ = try await client.sync { request in
        let (bytes, response) = try await network.bytes(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, bytes)
      }
    } catch {
      return
    }
    // Damaged data does not count here.
    guard feeds.requests.count > 1 else { return }
    let missing = server.names.subtracting(await book.contacts.keys)
    try need(missing.isEmpty, "some contacts never came")
  }

  private final class AddressServer: Sendable {
    private struct State {
      var changes = ["bob", "cid", "dora", "emil", "fay"].map { Contact(id: $0, name: $0.capitalized, version: 1) }
      var versions = ["ann": 1]
      var answers = AnswersByKey()
    }
    private let state = Mutex(State())

    var names: Set<String> { state.withLock { Set($0.changes.map(\.id)) } }

    func store(_ request: URLRequest) -> StubResponse {
      guard let id = request.url?.lastPathComponent, let name = request.json([String: String].self)?["name"] else {
        return .status(400)
      }
      return state.withLock { state in
        state.answers.answer(request.key) {
          let version = (state.versions[id] ?? 0) + 1
          state.versions[id] = version
          state.changes.append(Contact(id: id, name: name, version: version))
          return .json(#"{"version":\#(version)}"#)
        }
      }
    }

    func feed(_ request: URLRequest) -> StubResponse {
      guard let after = request.query("after").flatMap({ Int($0) }) else { return .status(400) }
      let changes = state.withLock(\.changes)
      let lines = changes.enumerated().dropFirst(after).map { number, contact in
        let fields = #""id":"\#(contact.id)","name":"\#(contact.name)","version":\#(contact.version)"#
        return #"{"n":\#(number + 1),"c":{\#(fields)}}"# + "\n"
      }
      return .text(lines.joined() + "{\"end\":\(changes.count)}\n").framed(.untilClose)
    }
  }

  // MARK: Ticker

  /// A user follows a day's trades and sees each exactly once.
  @Sendable static func followTrades(_ network: SimulatedNetwork) async throws {
    let trades = (1...4).map { Trade(number: $0, size: 10 * $0) }
    network.stub(.get, "http://api.example.com/watchlist", with: .json(#"{"symbols":["AB","CD"]}"#))
    let streams = network.stub(
      .get, "http://api.example.com/trades",
      with: .handler { (request: URLRequest) -> StubResponse in
        let last = request.value(forHTTPHeaderField: "Last-Event-ID").flatMap { Int($0) } ?? 0
        let events = trades.filter { $0.number > last }.map {
          "id: \($0.number)\nevent: trade\ndata: {\"n\":\($0.number),\"size\":\($0.size)}\n\n"
        }
        let text = "retry: 800\n: hello\n\n" + events.joined() + "event: close\ndata: bye\n\n"
        return .text(text, contentType: "text/event-stream").framed(.untilClose)
      })
    let tape = TradeTape()
    let client = TradeTicker(
      base: PlantedServer.plain, tape: tape, clock: network.clock, send: PlantedServer.send(network))
    do {
      try await client.follow { request in
        let (bytes, response) = try await network.bytes(for: request)
        let http = response as? HTTPURLResponse
        return (http?.statusCode ?? 0, http?.value(forHTTPHeaderField: "Content-Type"), bytes)
      }
    } catch {
      return
    }
    // Damaged data does not count here.
    guard streams.requests.count > 1 else { return }
    let numbers = await tape.trades.map(\.number)
    try need(Set(numbers).count == numbers.count, "a trade came twice")
    try need(numbers.count == trades.count, "a trade never came")
  }

  // MARK: Maps

  /// A user downloads maps and gets the server's bytes.
  @Sendable static func downloadMaps(_ network: SimulatedNetwork) async throws {
    let files = [
      "north": Data("road 12 34; road 56 78; river \"Elbe\" (9, 10)".utf8),
      "south": Data((0..<40).map { UInt8(truncatingIfNeeded: $0 * $0 * 7) }),
    ]
    let east = MapFile(name: "east", data: Data("wood".utf8))
    let list = MapList(files: files.sorted { $0.key < $1.key }.map { MapFile(name: $0.key, data: $0.value) } + [east])
    network.stub(.get, "http://api.example.com/regions/coast", with: .json(list))
    network.stub(
      .get, "http://api.example.com/maps/*",
      with: .handler { (request: URLRequest) -> StubResponse in
        guard let data = request.url.flatMap({ files[$0.lastPathComponent] }) else { return .status(404) }
        guard let start = request.value(forHTTPHeaderField: "Range").flatMap({ Int($0.dropFirst(6).dropLast()) }),
          request.value(forHTTPHeaderField: "If-Range") == "\"\(Adler.sum(of: data))\""
        else { return .data(data) }
        guard start < data.count else { return .status(416) }
        return .data(data[start...]).status(206)
          .header("Content-Range", "bytes \(start)-\(data.count - 1)/\(data.count)")
      })
    let client = MapDownload(
      base: PlantedServer.plain, configuration: network.sessionConfiguration, folder: UnfinishedFiles(),
      installed: ["east": east, "west": east], clock: network.clock)
    guard let maps = try? await client.update("coast").fresh else { return }
    for (name, data) in maps {
      guard let file = files[name] else { continue }
      try need(data.count == file.count, "half a map")
      try need(data == file, "a damaged map")
    }
  }
}
