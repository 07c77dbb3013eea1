package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Keeps notes locally and on a server: writes each change to an outbox and sends it from there in order.
///
/// Its mistake: the outbox merges two edits of a note's text and keeps the first edit's key. If the server did the
/// first and its response was lost, the server ignores the second as a repetition.
package actor NotesOutbox {
  private let base: URL
  private let session: URLSession
  private let pause: @Sendable (Duration) async throws -> Void
  private let policy: OutboxPolicy
  private var noteCount = 0
  private var keyCount = 0
  /// The notes, as the user sees them.
  package private(set) var notes: [String: Note] = [:]
  /// The changes that the server has not confirmed, the oldest first.
  package private(set) var waiting: [OutboxEntry] = []
  /// The changes that the server refused for good, to be shown to the user.
  package private(set) var conflicts: [OutboxEntry] = []

  package init(base: URL, session: URLSession, clock: any Clock<Duration>, policy: OutboxPolicy = OutboxPolicy()) {
    (self.base, self.session, self.policy) = (base, session, policy)
    pause = { try await clock.sleep(for: $0) }
  }

  // MARK: User actions

  /// Writes a new note.
  ///
  /// - Returns: its identifier.
  @discardableResult
  package func create(_ text: String) -> String {
    noteCount += 1
    let note = Note(id: "note-\(noteCount)", text: text, isPinned: false)
    notes[note.id] = note
    enqueue(.create(note))
    return note.id
  }

  /// Changes the text of a note.
  package func edit(_ id: String, to text: String) {
    guard notes[id] != nil, notes[id]?.text != text else { return }
    notes[id]?.text = text
    enqueue(.edit(id: id, text: text))
  }

  /// Pins a note, or unpins it.
  package func pin(_ id: String, _ isPinned: Bool) {
    guard notes[id] != nil, notes[id]?.isPinned != isPinned else { return }
    notes[id]?.isPinned = isPinned
    enqueue(.pin(id: id, isPinned))
  }

  /// Deletes a note.
  package func delete(_ id: String) {
    guard notes.removeValue(forKey: id) != nil else { return }
    enqueue(.delete(id: id))
  }

  // MARK: The server's notes

  private struct Page: Decodable {
    let notes: [Note]
    let next: Int?
  }

  /// Reads the server's notes; unsent local changes take precedence.
  ///
  /// - Returns: whether all pages were read.
  package func refresh() async -> Bool {
    var remote: [String: Note] = [:]
    var cursor: Int? = 0
    while let start = cursor {
      guard let page = await page(from: start) else { return false }
      for note in page.notes { remote[note.id] = note }
      if let next = page.next, next <= start { return false }
      cursor = page.next
    }
    // The user may have changed notes while the pages loaded.
    let busy = Set(waiting.map(\.operation.noteID))
    for (id, note) in remote where !busy.contains(id) { notes[id] = note }
    for id in notes.keys where remote[id] == nil && !busy.contains(id) { notes[id] = nil }
    return true
  }

  private func page(from start: Int) async -> Page? {
    var components = URLComponents(url: base.appendingPathComponent("notes"), resolvingAgainstBaseURL: false)
    components?.queryItems = [URLQueryItem(name: "from", value: "\(start)")]
    guard let url = components?.url else { return nil }
    let request = URLRequest(url: url, timeoutInterval: policy.timeout)
    guard let (data, response) = try? await session.data(for: request),
      (response as? HTTPURLResponse)?.statusCode == 200
    else { return nil }
    return try? JSONDecoder().decode(Page.self, from: data)
  }

  // MARK: The outbox

  private func enqueue(_ operation: NoteOperation) {
    // Of two consecutive edits only the second needs sending.
    if case .edit(let id, let text) = operation, let last = waiting.indices.last,
      case .edit(id, _) = waiting[last].operation
    {
      waiting[last].operation = .edit(id: id, text: text)
      return
    }
    keyCount += 1
    waiting.append(OutboxEntry(key: "op-\(keyCount)", operation: operation))
  }

  /// Sends the waiting changes until one fails.
  ///
  /// - Returns: whether the outbox is empty.
  package func flush() async -> Bool {
    while let entry = waiting.first {
      switch await send(entry) {
      case .done: remove(entry)
      case .refused:
        conflicts.append(entry)
        remove(entry)
      case .unknown: return false
      }
    }
    return true
  }

  private func remove(_ entry: OutboxEntry) {
    // If the entry was changed while in flight, it must be sent again.
    if waiting.first == entry { waiting.removeFirst() }
  }

  private enum Outcome {
    case done, refused
    /// The server may have done it.
    case unknown
  }

  private func send(_ entry: OutboxEntry) async -> Outcome {
    for attempt in 1...policy.attempts {
      do {
        let (data, response) = try await session.data(for: try request(for: entry))
        guard let response = response as? HTTPURLResponse else { return .unknown }
        switch response.statusCode {
        case 200..<300:
          if try JSONDecoder().decode(Confirmation.self, from: data).ok { return .done }
          return .refused
        case 400, 403, 404, 409, 410, 422: return .refused
        case 401: return .unknown
        default:
          if attempt == policy.attempts { return .unknown }
          try await pause(Self.retryAfter(response) ?? policy.pause(after: attempt))
        }
      } catch let error as URLError where policy.isWorthAnotherTry(error) && attempt < policy.attempts {
        guard (try? await pause(policy.pause(after: attempt))) != nil else { return .unknown }
      } catch {
        return .unknown
      }
    }
    return .unknown
  }

  private struct Confirmation: Decodable {
    let ok: Bool
  }

  private static func retryAfter(_ response: HTTPURLResponse) -> Duration? {
    response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }.map { .seconds(max(0, min($0, 20))) }
  }

  private func request(for entry: OutboxEntry) throws -> URLRequest {
    let (method, path, body): (String, String, NoteBody?) =
      switch entry.operation {
      case .create(let note): ("POST", "notes", NoteBody(id: note.id, text: note.text))
      case .edit(let id, let text): ("PATCH", "notes/\(id)", NoteBody(text: text))
      case .pin(let id, let isPinned): ("PATCH", "notes/\(id)", NoteBody(pinned: isPinned))
      case .delete(let id): ("DELETE", "notes/\(id)", nil)
      }
    var request = URLRequest(url: base.appendingPathComponent(path), timeoutInterval: policy.timeout)
    request.httpMethod = method
    request.setValue(entry.key, forHTTPHeaderField: "Idempotency-Key")
    if let body {
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = try JSONEncoder.sorted.encode(body)
    }
    return request
  }

  // MARK: The disk

  /// The outbox as written to disk.
  package func saved() throws -> Data {
    return try JSONEncoder.sorted.encode(SavedOutbox(keys: keyCount, count: noteCount, notes: notes, waiting: waiting))
  }

  /// Continues with the outbox read from disk.
  package func restore(_ data: Data) throws {
    let saved = try JSONDecoder().decode(SavedOutbox.self, from: data)
    (keyCount, noteCount, notes, waiting) = (saved.keys, saved.count, saved.notes, saved.waiting)
  }

  private struct SavedOutbox: Codable {
    let keys: Int
    let count: Int
    let notes: [String: Note]
    let waiting: [OutboxEntry]
  }
}

/// The attempts and the timeout of sending a change.
package struct OutboxPolicy: Sendable {
  var attempts: Int
  var timeout: TimeInterval = 12

  package init(attempts: Int = 1) {
    self.attempts = max(1, attempts)
  }

  func pause(after failures: Int) -> Duration { .milliseconds(500) * failures }

  func isWorthAnotherTry(_ error: URLError) -> Bool {
    switch error.code {
    case .cancelled, .badURL, .userAuthenticationRequired: false
    default: !Task.isCancelled
    }
  }
}

package struct Note: Codable, Hashable, Sendable {
  package let id: String
  package var text: String
  package var isPinned: Bool

  package init(id: String, text: String, isPinned: Bool) {
    (self.id, self.text, self.isPinned) = (id, text, isPinned)
  }
}

/// The fields of a note that a request carries.
package struct NoteBody: Codable, Hashable, Sendable {
  package var id: String?
  package var text: String?
  package var pinned: Bool?
}

/// A change to the notes.
package enum NoteOperation: Codable, Hashable, Sendable {
  case create(Note)
  case edit(id: String, text: String)
  case pin(id: String, Bool)
  case delete(id: String)

  var noteID: String {
    switch self {
    case .create(let note): note.id
    case .edit(let id, _), .pin(let id, _), .delete(let id): id
    }
  }
}

/// A change in the outbox, with the key by which the server recognises repetitions.
package struct OutboxEntry: Codable, Hashable, Sendable {
  package let key: String
  package var operation: NoteOperation
}
