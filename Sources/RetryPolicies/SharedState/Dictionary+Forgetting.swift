/// The most servers that a state shared by requests remembers; beyond it, the least important one is forgotten.
let mostServers = 1_000

extension Dictionary where Key == String {
  /// Removes the server with the least weight, except `host`, if there are more than `limit`.
  mutating func forgetLeast(beyond limit: Int = mostServers, except host: String, by weight: (Value) -> some Comparable)
  {
    guard count > limit else { return }
    let others = filter { $0.key != host }
    let least = others.min { (weight($0.value), $0.key) < (weight($1.value), $1.key) }
    if let least { self[least.key] = nil }
  }
}
