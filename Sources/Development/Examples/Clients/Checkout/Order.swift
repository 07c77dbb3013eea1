/// An order that is to be paid for.
package struct Order: Codable, Hashable, Sendable {
  package let id: String
  package let cents: Int

  package init(id: String, cents: Int) {
    self.id = id
    self.cents = cents
  }
}

/// The shop's answer once an order is paid.
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
