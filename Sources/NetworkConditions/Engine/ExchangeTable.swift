/// The exchanges that are under way, by their numbers.
///
/// They are looked up many times for every packet, so a number says where its exchange stands: the lowest bits are its
/// place, the rest is a count that tells it from earlier ones there.
struct ExchangeTable {
  private static let placeBits = 24

  private var places: [Exchange?] = []
  private var free: [Int] = []
  private var serial = 0
  /// How many there are.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// All exchanges, the oldest first.
  var all: [Exchange] { places.compactMap { $0 }.sorted { $0.id < $1.id } }

  /// The exchange of a number; `nil` once it is forgotten.
  subscript(id: Int) -> Exchange? {
    let place = id & (1 << Self.placeBits - 1)
    guard place < places.count, let exchange = places[place], exchange.id == id else { return nil }
    return exchange
  }

  /// Takes in an exchange that `make` creates with the number it is given.
  mutating func insert(_ make: (Int) -> Exchange) -> Exchange {
    let place = free.popLast() ?? places.count
    let exchange = make(serial << Self.placeBits | place)
    serial += 1
    count += 1
    if place < places.count { places[place] = exchange } else { places.append(exchange) }
    return exchange
  }

  /// Forgets an exchange, and gives it back.
  mutating func remove(_ id: Int) -> Exchange? {
    guard let exchange = self[id] else { return nil }
    let place = id & (1 << Self.placeBits - 1)
    places[place] = nil
    free.append(place)
    count -= 1
    return exchange
  }
}
