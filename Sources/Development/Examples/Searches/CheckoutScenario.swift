package import ExampleClients
import Internals
package import NetworkConditions
import URLLoading

/// A user pays for an order: whatever the app reports, the card is charged at most once.
package func payOrder(_ network: SimulatedNetwork, _ variant: Variant = .fixed) async throws {
  let shop = ShopServer()
  shop.answer(on: network)
  let client = CheckoutClient(
    base: ExampleServer.base, session: network.session, clock: network.clock, variant: variant)
  var receipt: Receipt?
  do {
    receipt = try await client.pay(try await client.order("4711"))
  } catch is URLError {
    // The app reports that the result is unknown, which is correct.
  }
  let count = shop.charges.count
  if count > 1 { throw ExampleFailure("the card was charged \(count) times") }
  if receipt != nil, count == 0 { throw ExampleFailure("there is a receipt, and the card was not charged") }
}

/// A shop that charges once per idempotency key; without a key, once per request.
private final class ShopServer: Sendable {
  private struct Ledger {
    var charges: [Order] = []
    var receipts: [String: StubResponse] = [:]
  }
  private let ledger = Mutex(Ledger())
  private static let order = Order(id: "4711", cents: 4_999)

  var charges: [Order] { ledger.withLock { $0.charges } }

  func answer(on network: SimulatedNetwork) {
    network.stub(.get, "https://api.example.com/orders/4711", with: Self.answerToOrder)
    network.stub(
      .post, "https://api.example.com/payments",
      with: .handler { (request: URLRequest) -> StubResponse in
        guard let body = request.httpBody, let order = try? JSONDecoder().decode(Order.self, from: body) else {
          return .status(400)
        }
        return self.charge(order, key: request.value(forHTTPHeaderField: "Idempotency-Key"))
      })
  }

  private func charge(_ order: Order, key: String?) -> StubResponse {
    ledger.withLock { ledger in
      if let key, let known = ledger.receipts[key] { return known }
      ledger.charges.append(order)
      let receipt = StubResponse.json(
        Receipt(order: order.id, cents: order.cents, lines: Self.lines)
      ).status(201).after(.milliseconds(150))
      if let key { ledger.receipts[key] = receipt }
      return receipt
    }
  }

  private static let answerToOrder = StubResponse.json(order)
  private static let lines = (1...40).map { "item \($0) of the order, as it was put into the basket" }
}
