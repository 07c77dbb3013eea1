package import Foundation

/// A file with the entries that are not sent yet.
package struct Outbox: Sendable {
  private let file: URL
  private let api: JournalAPI

  package init(in folder: URL, api: JournalAPI) {
    file = folder.appendingPathComponent("outbox.json")
    self.api = api
  }

  /// The unsent entries, the oldest first.
  package var waiting: [Entry] {
    (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode([Entry].self, from: $0) } ?? []
  }

  /// Keeps an entry until ``flush()`` has sent it.
  package func add(_ entry: Entry) throws { try save(waiting + [entry]) }

  /// Sends the waiting entries.
  package func flush() async throws {
    while let entry = waiting.first {
      try await api.store(entry)
      try save(waiting.filter { $0.id != entry.id })
    }
  }

  private func save(_ entries: [Entry]) throws {
    try JSONEncoder().encode(entries).write(to: file, options: .atomic)
  }
}
