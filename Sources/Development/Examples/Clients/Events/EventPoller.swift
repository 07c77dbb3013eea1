package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Polls a server for new events.
package struct EventPoller: Sendable {
  private let ask: @Sendable (URLRequest) async throws -> (Data, Int)
  private let pause: @Sendable (Duration) async throws -> Void
  private let base: URL
  private let variant: Variant

  private struct Answer: Decodable {
    var events: [String]
    var next: Int
  }

  /// - Parameter ask: sends a request and returns the body and status of the response.
  package init(
    base: URL, clock: any Clock<Duration>, variant: Variant,
    ask: @escaping @Sendable (URLRequest) async throws -> (Data, Int)
  ) {
    (self.base, self.variant, self.ask) = (base, variant, ask)
    pause = { try await clock.sleep(for: $0) }
  }

  /// Polls until `count` events have arrived; throws the last poll's error if it failed.
  package func events(_ count: Int, atMost polls: Int) async throws -> [String] {
    var events: [String] = []
    var next = 0
    var failure: (any Error)?
    for _ in 0..<polls where events.count < count {
      var parts = URLComponents(url: base.appendingPathComponent("events"), resolvingAgainstBaseURL: false)
      // The next poll acknowledges the events of this response. Without `after`, the server hands out each event once,
      // and the events of a lost response never come again.
      if variant == .fixed { parts?.queryItems = [URLQueryItem(name: "after", value: "\(next)")] }
      guard let url = parts?.url else { return events }
      do {
        let (data, status) = try await ask(URLRequest(url: url, timeoutInterval: 20))
        guard status == 200 else { throw URLError(.badServerResponse) }
        let answer = try JSONDecoder().decode(Answer.self, from: data)
        events += answer.events
        next = answer.next
        failure = nil
      } catch {
        if Task.isCancelled { throw error }
        failure = error
        try await pause(.seconds(1))
      }
    }
    if let failure { throw failure }
    return events
  }
}
