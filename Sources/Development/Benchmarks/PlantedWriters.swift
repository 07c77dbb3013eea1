import Internals
import NetworkConditions
import PlantedClients
import URLLoading

extension PlantedClient {
  // MARK: Notes

  /// A user writes a note and edits it twice: after sending, the server has the local text.
  @Sendable static func keepNotes(_ network: SimulatedNetwork) async throws {
    let server = NoteServer()
    network.stub(.get, "https://api.example.com/notes", with: .json(#"{"notes":[]}"#))
    network.stub(.post, "https://api.example.com/notes", with: .handler { server.create($0) })
    network.stub(.patch, "https://api.example.com/notes/*", with: .handler { server.change($0) })
    network.stub(.delete, "https://api.example.com/notes/*", with: .handler { server.delete($0) })
    let client = NotesOutbox(base: PlantedServer.base, session: network.session, clock: network.clock)
    guard await client.refresh() else { return }
    let id = await client.create("milk")
    _ = await client.flush()
    await client.edit(id, to: "milk, eggs")
    _ = await client.flush()
    try? await network.clock.sleep(for: .seconds(3))
    await client.edit(id, to: "milk, eggs, tea")
    for _ in 0..<3 {
      if await client.flush() { break }
      try? await network.clock.sleep(for: .seconds(2))
    }
    // The app shows the user each refused change.
    guard await client.waiting.isEmpty, await client.conflicts.isEmpty else { return }
    try need(await client.notes == server.notes, "the server has an older text")
  }

  private final class NoteServer: Sendable {
    private struct State {
      var notes: [String: Note] = [:]
      var answers = AnswersByKey()
    }
    private let state = Mutex(State())
    private static let done = StubResponse.json(#"{"ok":true}"#)

    var notes: [String: Note] { state.withLock(\.notes) }

    func create(_ request: URLRequest) -> StubResponse {
      guard let body = request.json(NoteBody.self), let id = body.id, let text = body.text else { return .status(400) }
      return state.withLock { state in
        state.answers.answer(request.key) {
          if state.notes[id] != nil { return .status(409) }
          state.notes[id] = Note(id: id, text: text, isPinned: false)
          return Self.done
        }
      }
    }

    func change(_ request: URLRequest) -> StubResponse {
      guard let id = request.url?.lastPathComponent, let body = request.json(NoteBody.self) else { return .status(400) }
      return state.withLock { state in
        state.answers.answer(request.key) {
          guard var note = state.notes[id] else { return .status(404) }
          note.text = body.text ?? note.text
          note.isPinned = body.pinned ?? note.isPinned
          state.notes[id] = note
          return Self.done
        }
      }
    }

    func delete(_ request: URLRequest) -> StubResponse {
      guard let id = request.url?.lastPathComponent else { return .status(400) }
      return state.withLock { state in
        state.answers.answer(request.key) { state.notes.removeValue(forKey: id) == nil ? .status(404) : Self.done }
      }
    }
  }

  // MARK: Photos

  /// A user uploads a photo: if the app reports success, the server has the whole photo.
  @Sendable static func uploadPhoto(_ network: SimulatedNetwork) async throws {
    let photo = Data((0..<60).map { UInt8(truncatingIfNeeded: $0 * 37) })
    let server = PhotoServer()
    network.stub(.post, "http://api.example.com/uploads", with: .handler { server.begin($0) })
    network.stub(.put, "http://api.example.com/uploads/*/*", with: .handler { server.store($0) })
    network.stub(.post, "http://api.example.com/uploads/*/complete", with: .handler { server.complete($0) })
    network.stub(.delete, "http://api.example.com/uploads/*", with: .status(204))
    let client = PhotoUpload(base: PlantedServer.plain, session: network.session, clock: network.clock)
    guard (try? await client.send(photo, named: "beach")) != nil else { return }
    let stored = server.photos
    try need(stored.count == 1, "\(stored.count) photos")
    try need(stored.first == photo, "half a photo")
  }

  private final class PhotoServer: Sendable {
    private struct State {
      var uploads: [[Int: Data]] = []
      var photos: [Data] = []
      var answers = AnswersByKey()
    }
    private let state = Mutex(State())

    var photos: [Data] { state.withLock(\.photos) }

    func begin(_ request: URLRequest) -> StubResponse {
      state.withLock { state in
        state.answers.answer(request.key) {
          state.uploads.append([:])
          return .json(#"{"id":"u\#(state.uploads.count)"}"#).status(201)
        }
      }
    }

    func store(_ request: URLRequest) -> StubResponse {
      let path = request.url?.pathComponents ?? []
      guard path.count == 4, let part = Int(path[3]), let body = request.httpBody else { return .status(400) }
      return state.withLock { state in
        guard let upload = Self.place(path[2], state) else { return .status(404) }
        state.uploads[upload][part] = body
        return .status(204)
      }
    }

    func complete(_ request: URLRequest) -> StubResponse {
      let path = request.url?.pathComponents ?? []
      return state.withLock { state in
        guard path.count == 4, let upload = Self.place(path[2], state) else { return .status(404) }
        return state.answers.answer(request.key) {
          let parts = state.uploads[upload].sorted { $0.key < $1.key }
          state.photos.append(parts.reduce(into: Data()) { $0.append($1.value) })
          return .json(#"{"photo":"p\#(state.photos.count)"}"#).status(201)
        }
      }
    }

    /// The index of an upload, whose identifier is `u1` or the like.
    private static func place(_ id: String, _ state: borrowing State) -> Int? {
      guard id.hasPrefix("u"), let number = Int(id.dropFirst()), state.uploads.indices.contains(number - 1) else {
        return nil
      }
      return number - 1
    }
  }

  // MARK: Usage

  /// A user's events are each counted once, or known to be unsent or dropped.
  @Sendable static func trackUsage(_ network: SimulatedNetwork) async throws {
    let counted = Mutex<(events: [Int], answers: AnswersByKey)>(([], AnswersByKey()))
    network.stub(.get, "http://api.example.com/settings", with: .json(#"{"batch":2,"every":2000,"muted":["scroll"]}"#))
    network.stub(
      .post, "http://api.example.com/events",
      with: .handler { (request: URLRequest) -> StubResponse in
        struct Batch: Decodable { let events: [UsageEvent] }
        guard let batch = request.json(Batch.self) else { return .status(400) }
        return counted.withLock { counted in
          counted.answers.answer(request.key) {
            counted.events += batch.events.map(\.number)
            return .status(202)
          }
        }
      })
    let client = UsageTracker(base: PlantedServer.plain, session: network.session, clock: network.clock)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await client.run(rounds: 2) }
      group.addTask {
        for (name, wait) in [("open", 100), ("scroll", 300), ("tap", 200), ("buy", 3_000)] {
          try? await network.clock.sleep(for: .milliseconds(wait))
          await client.track(name)
        }
      }
    }
    // An app sends the rest before it closes, or keeps it.
    await client.flush()
    let report = await client.report
    let unsent = await client.unsent.count
    let received = counted.withLock(\.events)
    try need(Set(received).count == received.count, "an event is counted twice")
    try need(received.count + unsent + report.dropped >= report.tracked, "an event is lost")
  }

  // MARK: Pump

  /// A pump never runs without the lease.
  @Sendable static func runPump(_ network: SimulatedNetwork) async throws {
    let server = LeaseServer(clock: network.clock)
    network.stub(.post, "http://api.example.com/leases/pump", with: .handler { server.acquire($0) })
    network.stub(.put, "http://api.example.com/leases/pump", with: .handler { server.renew($0) })
    network.stub(.delete, "http://api.example.com/leases/pump", with: .handler { server.release($0) })
    let client = PumpLease(
      base: PlantedServer.plain, session: network.session, station: "east", clock: network.clock,
      pump: { server.stroke() })
    _ = try? await client.work(strokes: 7)
    try need(server.collisions == 0, "two pumps at once")
  }

  /// A lease of four seconds.
  ///
  /// Another station waits for it: when it expires, that station holds it for five seconds.
  private final class LeaseServer: Sendable {
    private struct State {
      var token = 0
      var end = SimulatedInstant.zero
      var isReleased = true
      var collisions = 0
    }
    private let state = Mutex(State())
    private let clock: SimulatedClock
    private static let length = 4_000

    init(clock: SimulatedClock) {
      self.clock = clock
    }

    var collisions: Int { state.withLock(\.collisions) }

    func acquire(_ request: URLRequest) -> StubResponse {
      let now = clock.now
      return state.withLock { state in
        let isOthers = !state.isReleased && now >= state.end && now < state.end.advanced(by: .seconds(5))
        if isOthers { return .status(409) }
        state.token += 1
        return Self.grant(&state, now)
      }
    }

    func renew(_ request: URLRequest) -> StubResponse {
      let now = clock.now
      return state.withLock { state in
        guard request.json(LeaseRequest.self)?.token == state.token, now < state.end, !state.isReleased else {
          return .status(409)
        }
        return Self.grant(&state, now)
      }
    }

    func release(_ request: URLRequest) -> StubResponse {
      let now = clock.now
      return state.withLock { state in
        guard request.json(LeaseRequest.self)?.token == state.token, now < state.end else { return .status(409) }
        state.isReleased = true
        return .status(204)
      }
    }

    func stroke() {
      let now = clock.now
      state.withLock { state in
        if state.isReleased || now >= state.end { state.collisions += 1 }
      }
    }

    private static func grant(_ state: inout State, _ now: SimulatedInstant) -> StubResponse {
      state.end = now.advanced(by: .milliseconds(length))
      state.isReleased = false
      return .json(LeaseGrant(token: state.token, milliseconds: length))
    }
  }
}
