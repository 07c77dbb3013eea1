package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Pays for an order and retries when the network fails.
package struct CheckoutClient: Sendable {
  private let base: URL
  private let session: URLSession
  private let clock: any Clock<Duration>
  private let variant: Variant
  private let attempts = 4

  package init(base: URL, session: URLSession, clock: any Clock<Duration>, variant: Variant = .fixed) {
    self.base = base
    self.session = session
    self.clock = clock
    self.variant = variant
  }

  /// The order on the server.
  package func order(_ id: String) async throws -> Order {
    try await send(URLRequest(url: base.appendingPathComponent("orders").appendingPathComponent(id)))
  }

  /// Pays for an order, once.
  package func pay(_ order: Order) async throws -> Receipt {
    var request = URLRequest(url: base.appendingPathComponent("payments"))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    if variant == .fixed { request.setValue(order.id, forHTTPHeaderField: "Idempotency-Key") }
    request.httpBody = try JSONEncoder().encode(order)
    return try await send(request)
  }

  private func send<Answer: Decodable>(_ request: URLRequest) async throws -> Answer {
    var backoff = Backoff()
    var attempt = 1
    while true {
      do {
        let (data, response) = try await session.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200...299).contains(status), let answer = try? JSONDecoder().decode(Answer.self, from: data) else {
          throw URLError(.badServerResponse)
        }
        return answer
      } catch let error as URLError where error.code != .cancelled && attempt < attempts {
        attempt += 1
        try await clock.sleep(for: backoff.next())
      }
    }
  }
}

/// An order to pay for.
package struct Order: Codable, Hashable, Sendable {
  package let id: String
  package let cents: Int

  package init(id: String, cents: Int) {
    self.id = id
    self.cents = cents
  }
}

/// The shop's response to a payment.
package struct Receipt: Codable, Hashable, Sendable {
  package let order: String
  package let cents: Int
  package let lines: [String]

  package init(order: String, cents: Int, lines: [String]) {
    self.order = order
    self.cents = cents
    self.lines = lines
  }
}
