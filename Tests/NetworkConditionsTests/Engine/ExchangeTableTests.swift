import LinkSimulator
import Testing

@testable import NetworkConditions
import URLLoading

struct ExchangeTableTests {
  private final class Sink: ExchangeSink {
    func exchangeHasOutput(_ exchange: Int) {}
  }

  private func insert(into table: inout ExchangeTable) throws -> Exchange {
    let request = URLRequest(url: try #require(URL(string: "http://a.example/")))
    var identities = RequestIdentities()
    let line = RequestLine(request, identities: &identities)
    return table.insert { id in
      Exchange(
        id: id, request: request, body: .empty, settings: ExchangeSettings(), sink: Sink(), line: line, at: .zero)
    }
  }

  @Test func `an exchange is found by its number until it is removed`() throws {
    var table = ExchangeTable()
    let exchange = try insert(into: &table)
    #expect(table[exchange.id] === exchange)
    #expect(table.remove(exchange.id) === exchange)
    #expect(table[exchange.id] == nil)
    #expect(table.remove(exchange.id) == nil)
    #expect(table.count == 0)
  }

  @Test func `after a table slot is reused, the old exchange's number finds nothing`() throws {
    var table = ExchangeTable()
    let first = try insert(into: &table)
    _ = table.remove(first.id)
    let second = try insert(into: &table)
    #expect(second.id != first.id)
    #expect(table[first.id] == nil)
    #expect(table[second.id] === second)
    #expect(table.count == 1)
  }

  @Test func `a new exchange takes the place of a removed one, so the table does not grow`() throws {
    var table = ExchangeTable()
    var places: Set<Int> = []
    for _ in 0..<10 {
      let exchange = try insert(into: &table)
      places.insert(exchange.id & 0xFF_FFFF)
      _ = table.remove(exchange.id)
    }
    #expect(places.count == 1)
  }

  @Test func `the table lists its exchanges from oldest to newest`() throws {
    var table = ExchangeTable()
    let exchanges = try (0..<5).map { _ in try insert(into: &table) }
    _ = table.remove(exchanges[1].id)
    _ = table.remove(exchanges[3].id)
    let late = try insert(into: &table)
    #expect(table.all.map(\.id) == [exchanges[0].id, exchanges[2].id, exchanges[4].id, late.id])
  }

  @Test func `a number without an exchange is not found`() throws {
    var table = ExchangeTable()
    _ = try insert(into: &table)
    #expect(table[1] == nil)
    #expect(table[1 << 40] == nil)
    #expect(table[-1] == nil)
  }
}
