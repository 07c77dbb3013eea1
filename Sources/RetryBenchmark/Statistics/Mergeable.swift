/// A statistic that can be gathered in parts.
///
/// Merging only adds integers, or takes the least or greatest, so its order does not matter. However a run was split,
/// its merged parts equal the whole run bit for bit.
protocol Mergeable {
  mutating func merge(_ other: Self)
}

extension Sequence where Element: Mergeable {
  func merged(into first: Element) -> Element {
    reduce(into: first) { $0.merge($1) }
  }
}
