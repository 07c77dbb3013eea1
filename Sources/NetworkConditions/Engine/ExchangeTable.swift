/// The open exchanges, by their numbers.
///
/// They are looked up many times for every packet. So the lowest bits of a number are the exchange's place, and the
/// rest is a serial number.
struct ExchangeTable {
  private static let placeBits = 24

  private var places: [Exchange?] = []
  private var free: [Int] = []
  private var serial = 0
  private(set) var count = 0

  /// All exchanges, the oldest first.
  var all: [Exchange] { places.compactMap { $0 }.sorted { $0.id < $1.id } }

  subscript(id: Int) -> Exchange? {
    let place = id & (1 << Self.placeBits - 1)
    guard place < places.count, let exchange = places[place], exchange.id == id else { return nil }
    return exchange
  }

  /// Inserts an exchange that `make` creates with its number.
  mutating func insert(_ make: (Int) -> Exchange) -> Exchange {
    let place = free.popLast() ?? places.count
    let exchange = make(serial << Self.placeBits | place)
    serial += 1
    count += 1
    if place < places.count { places[place] = exchange } else { places.append(exchange) }
    return exchange
  }

  mutating func remove(_ id: Int) -> Exchange? {
    guard let exchange = self[id] else { return nil }
    let place = id & (1 << Self.placeBits - 1)
    places[place] = nil
    free.append(place)
    count -= 1
    return exchange
  }
}
