package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Keeps messages in a file until they are sent, so that none is lost when the app ends.
///
/// Its mistake without identifiers: a message that the server has and the file still contains is sent twice.
package final class StoredOutbox {
  private let file: URL
  private let base: URL
  private let session: URLSession
  /// Whether each message has a unique identifier by which the server recognises it.
  private let namesMessages: Bool

  private struct Message: Codable {
    let id: UUID
    let text: String
  }

  package init(folder: URL, base: URL, session: URLSession, namesMessages: Bool) {
    file = folder.appendingPathComponent("outbox.json")
    (self.base, self.session, self.namesMessages) = (base, session, namesMessages)
  }

  /// Whether everything was sent.
  package var isEmpty: Bool { messages.isEmpty }

  /// Saves a message; ``flush()`` sends it.
  package func add(_ text: String) throws { try save(messages + [Message(id: UUID(), text: text)]) }

  /// Sends all messages in order.
  ///
  /// - Throws: the network's error, or ``StoredClientError``; unsent messages stay in the file.
  package func flush() async throws {
    while let message = messages.first {
      var request = URLRequest(url: base.appendingPathComponent("messages"))
      (request.httpMethod, request.httpBody) = ("POST", Data(message.text.utf8))
      if namesMessages { request.setValue(message.id.uuidString, forHTTPHeaderField: "Idempotency-Key") }
      let (_, response) = try await session.data(for: request)
      try StoredClientError.check(response)
      try save(Array(messages.dropFirst()))
    }
  }

  private var messages: [Message] {
    (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode([Message].self, from: $0) } ?? []
  }

  private func save(_ messages: [Message]) throws {
    try JSONEncoder.sorted.encode(messages).write(to: file, options: .atomic)
  }
}

/// The server responded with an error status.
package struct StoredClientError: Error {
  package let status: Int

  static func check(_ response: URLResponse) throws {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    if status / 100 != 2 { throw StoredClientError(status: status) }
  }
}
