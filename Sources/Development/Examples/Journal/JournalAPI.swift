package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// One entry of the journal.
package struct Entry: Codable, Hashable, Sendable {
  package let id: UUID
  package let text: String

  package init(_ text: String, id: UUID = UUID()) {
    self.id = id
    self.text = text
  }
}

/// The client of the journal's server; it sends each request up to four times while the network fails.
package struct JournalAPI: Sendable {
  private let session: URLSession
  private let clock: any Clock<Duration>
  private static let base = "https://journal.example.com"

  package init(session: URLSession = .shared, clock: any Clock<Duration> = ContinuousClock()) {
    self.session = session
    self.clock = clock
  }

  /// All entries, the newest first.
  package func entries() async throws -> [Entry] {
    try JSONDecoder().decode([Entry].self, from: try await send(try Self.request("GET", "entries")))
  }

  /// Stores an entry under its identifier; storing it again changes nothing.
  package func store(_ entry: Entry) async throws {
    _ = try await send(try Self.request("PUT", "entries/\(entry.id)", body: try JSONEncoder().encode(entry)))
  }

  /// Uploads a photo of an entry.
  package func upload(_ photo: Data, of entry: Entry) async throws {
    _ = try await send(try Self.request("PUT", "photos/\(entry.id)", body: photo))
  }

  /// Sends a request and returns the response body.
  package func send(_ request: URLRequest) async throws -> Data {
    var pause = Duration.seconds(1)
    for _ in 1..<4 {
      do {
        return try await answer(to: request)
      } catch let error as URLError where error.code != .cancelled {
        try await clock.sleep(for: pause)
        pause *= 2
      }
    }
    return try await answer(to: request)
  }

  private func answer(to request: URLRequest) async throws -> Data {
    let (data, response) = try await session.data(for: request)
    guard let status = (response as? HTTPURLResponse)?.statusCode, (200...299).contains(status),
      response.mimeType != "text/html"
    else { throw URLError(.badServerResponse) }
    return data
  }

  private static func request(_ method: String, _ path: String, body: Data? = nil) throws -> URLRequest {
    guard let url = URL(string: "\(base)/\(path)") else { throw URLError(.badURL) }
    var request = URLRequest(url: url, timeoutInterval: 20)
    request.httpMethod = method
    request.httpBody = body
    return request
  }
}
