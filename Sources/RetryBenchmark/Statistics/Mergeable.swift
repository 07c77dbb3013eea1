/// A statistic that can be gathered in parts.
///
/// Merging only adds integers, or takes the least or greatest, so its order does not matter. However a run was split,
/// its merged parts equal the whole run bit for bit.
public protocol Mergeable {
  /// Adds the data of another part.
  mutating func merge(_ other: Self)
}

extension Sequence where Element: Mergeable {
  /// Merges all elements into a first one.
  public func merged(into first: Element) -> Element {
    reduce(into: first) { $0.merge($1) }
  }
}
