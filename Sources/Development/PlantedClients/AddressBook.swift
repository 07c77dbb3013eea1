package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Syncs an address book with a server: sends local edits and reads the server's changes.
///
/// Its mistake: the cursor moves with each line, but the book with each group of three. If the feed breaks off within a
/// group, the lines read of that group are dropped and never requested again.
package struct AddressBookSync: Sendable {
  /// Sends a request and returns the body and status of the response.
  package typealias Send = @Sendable (URLRequest) async throws -> (Data, Int)

  private let base: URL
  private let book: AddressBook
  private let policy: SyncPolicy
  private let send: Send
  private let pause: @Sendable (Duration) async throws -> Void

  package init(
    base: URL, book: AddressBook, clock: any Clock<Duration>, policy: SyncPolicy = SyncPolicy(), send: @escaping Send
  ) {
    (self.base, self.book, self.policy, self.send) = (base, book, policy, send)
    pause = { try await clock.sleep(for: $0) }
  }

  /// Sends the local edits, then reads the server's changes.
  ///
  /// - Parameter open: requests a feed and returns the status and the bytes of the response.
  /// - Throws: ``SyncError``, or the network's error once the attempts are used up.
  package func sync<Bytes: AsyncSequence>(
    _ open: @Sendable (URLRequest) async throws -> (status: Int, bytes: Bytes)
  ) async throws -> SyncSummary where Bytes.Element == UInt8 {
    var summary = SyncSummary()
    for edit in await book.edits {
      switch try await push(edit) {
      case .stored: summary.pushed += 1
      case .merged: summary.merged += 1
      case .rejected: summary.rejected += 1
      }
    }
    summary.pulled = try await pull(open)
    return summary
  }

  // MARK: Sending

  private enum Pushed {
    case stored, merged, rejected
  }

  private func push(_ edit: ContactEdit) async throws -> Pushed {
    var edit = edit
    var wasMerged = false
    var failures = 0
    while true {
      do {
        let (data, status) = try await send(try request(for: edit))
        switch status {
        case 200, 201:
          let stored = try decode(StoredContact.self, data)
          await book.confirm(edit, version: stored.version)
          return wasMerged ? .merged : .stored
        case 409:
          // Another user wrote first; the response contains that version.
          let theirs = try decode(Contact.self, data)
          guard let merged = edit.merged(with: theirs) else {
            await book.discard(edit, for: theirs)
            return .rejected
          }
          (edit, wasMerged) = (merged, true)
          await book.replace(merged)
        case 408, 429, 500...: throw SyncError.busy(status)
        default: throw SyncError.refused(status)
        }
      } catch  where policy.isWorthAnotherTry(error) {
        failures += 1
        guard failures < policy.attempts else { throw error }
        try await pause(policy.pause(after: failures))
      }
    }
  }

  private func request(for edit: ContactEdit) throws -> URLRequest {
    var request = URLRequest(url: base.appendingPathComponent("contacts/\(edit.id)"), timeoutInterval: policy.timeout)
    request.httpMethod = "PUT"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("\"\(edit.baseVersion)\"", forHTTPHeaderField: "If-Match")
    // The server recognises a repeated edit by its key and does not store it twice.
    request.setValue(edit.key, forHTTPHeaderField: "Idempotency-Key")
    request.httpBody = try JSONEncoder().encode(ContactEdit.Body(name: edit.name))
    return request
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
    do { return try JSONDecoder().decode(type, from: data) } catch { throw SyncError.unreadable }
  }

  // MARK: Reading

  private func pull<Bytes: AsyncSequence>(
    _ open: @Sendable (URLRequest) async throws -> (status: Int, bytes: Bytes)
  ) async throws -> Int where Bytes.Element == UInt8 {
    var failures = 0
    var count = 0
    while true {
      do {
        try await read(open, &count)
        return count
      } catch  where policy.isWorthAnotherTry(error) {
        failures += 1
        guard failures < policy.attempts else { throw error }
        try await pause(policy.pause(after: failures))
      }
    }
  }

  private func read<Bytes: AsyncSequence>(
    _ open: @Sendable (URLRequest) async throws -> (status: Int, bytes: Bytes), _ count: inout Int
  ) async throws where Bytes.Element == UInt8 {
    var feed = URLComponents(url: base.appendingPathComponent("changes"), resolvingAgainstBaseURL: false)
    feed?.queryItems = [URLQueryItem(name: "after", value: "\(await book.cursor)")]
    guard let url = feed?.url else { throw SyncError.unreadable }
    let (status, bytes) = try await open(URLRequest(url: url, timeoutInterval: policy.timeout))
    switch status {
    case 200: break
    case 408, 429, 500...: throw SyncError.busy(status)
    default: throw SyncError.refused(status)
    }
    var group: [Contact] = []
    var line = Data()
    for try await byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        continue
      }
      let entry = try decode(FeedLine.self, line)
      line = Data()
      if let head = entry.end {
        guard await head == book.cursor else { throw SyncError.gap }
        await book.apply(group)
        count += group.count
        return
      }
      guard let number = entry.number, let contact = entry.contact else { throw SyncError.unreadable }
      try await book.advance(to: number)
      group.append(contact)
      if group.count == policy.groupSize {
        await book.apply(group)
        count += group.count
        group = []
      }
    }
    throw SyncError.unfinished
  }
}

/// How often to try, how long to wait, and how many changes are written at once.
package struct SyncPolicy: Sendable {
  var attempts = 3
  var timeout: TimeInterval = 20
  var groupSize = 3

  package init() {}

  func pause(after failures: Int) -> Duration {
    min(.milliseconds(400) * (1 << failures), .seconds(5))
  }

  func isWorthAnotherTry(_ error: any Error) -> Bool {
    if Task.isCancelled { return false }
    return switch error {
    case let error as URLError: error.code != .cancelled && error.code != .badURL
    case SyncError.busy, SyncError.unfinished: true
    default: false
    }
  }
}

/// Why a synchronization failed.
package enum SyncError: Error, Hashable, Sendable {
  /// The server is busy: retry later.
  case busy(Int)
  /// The server responded with another status.
  case refused(Int)
  /// A response could not be decoded.
  case unreadable
  /// The feed ended before its last line.
  case unfinished
  /// The feed lacks a change.
  case gap
}

/// The numbers of edits sent and changes read in a synchronization.
package struct SyncSummary: Hashable, Sendable {
  package var pushed = 0
  package var merged = 0
  package var rejected = 0
  package var pulled = 0
}

/// A person in the address book.
package struct Contact: Codable, Hashable, Sendable {
  package let id: String
  package var name: String
  package var version: Int

  package init(id: String, name: String, version: Int) {
    (self.id, self.name, self.version) = (id, name, version)
  }
}

/// A local change that the server has not confirmed.
package struct ContactEdit: Hashable, Sendable {
  let id: String
  let name: String
  /// The name before the edit, and its version.
  let baseName: String
  let baseVersion: Int
  let key: String

  struct Body: Encodable {
    let name: String
  }

  /// The edit applied to another user's version; `nil` if both changed the name.
  func merged(with theirs: Contact) -> ContactEdit? {
    guard theirs.id == id, theirs.name == baseName else { return nil }
    return ContactEdit(
      id: id, name: name, baseName: theirs.name, baseVersion: theirs.version, key: "\(key)-\(theirs.version)")
  }
}

private struct StoredContact: Decodable {
  let version: Int
}

/// A line of the feed: a change with its number, or the end with the last change's number.
private struct FeedLine: Decodable {
  let number: Int?
  let contact: Contact?
  let end: Int?

  private enum CodingKeys: String, CodingKey {
    case number = "n", contact = "c", end
  }
}

/// The contacts, the unsent edits and the number of the last change read.
package actor AddressBook {
  package private(set) var contacts: [String: Contact] = [:]
  package private(set) var cursor = 0
  package private(set) var edits: [ContactEdit] = []
  private var editCount = 0

  package init(_ contacts: [Contact]) {
    for contact in contacts { self.contacts[contact.id] = contact }
  }

  /// Renames a contact locally and queues the edit.
  package func rename(_ id: String, to name: String) {
    guard var contact = contacts[id] else { return }
    editCount += 1
    let former = edits.first { $0.id == id }
    edits.removeAll { $0.id == id }
    edits.append(
      ContactEdit(
        id: id, name: name, baseName: former?.baseName ?? contact.name,
        baseVersion: former?.baseVersion ?? contact.version, key: "edit-\(editCount)"))
    contact.name = name
    contacts[id] = contact
  }

  func confirm(_ edit: ContactEdit, version: Int) {
    edits.removeAll { $0.id == edit.id }
    contacts[edit.id]?.version = version
  }

  func replace(_ edit: ContactEdit) {
    edits.removeAll { $0.id == edit.id }
    edits.append(edit)
  }

  func discard(_ edit: ContactEdit, for theirs: Contact) {
    edits.removeAll { $0.id == edit.id }
    contacts[theirs.id] = theirs
  }

  func advance(to number: Int) throws {
    guard number == cursor + 1 else { throw SyncError.gap }
    cursor = number
  }

  func apply(_ group: [Contact]) {
    for contact in group where contact.version > contacts[contact.id]?.version ?? 0 { contacts[contact.id] = contact }
  }
}
