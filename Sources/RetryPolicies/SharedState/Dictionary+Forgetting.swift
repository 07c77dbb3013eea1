extension Dictionary where Key == String {
  /// Forgets the server of the least weight, where more than so many are remembered; never this host.
  mutating func forgetLeast(beyond limit: Int, except host: String, by weight: (Value) -> some Comparable) {
    guard count > limit else { return }
    let others = filter { $0.key != host }
    let least = others.min { (weight($0.value), $0.key) < (weight($1.value), $1.key) }
    if let least { self[least.key] = nil }
  }
}
