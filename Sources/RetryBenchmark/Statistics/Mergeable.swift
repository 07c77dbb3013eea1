/// A statistic that can be gathered in parts.
///
/// Merging is associative and does not depend on the order: it adds integers, or takes the least or greatest. The parts
/// of a run, merged, are therefore the whole, bit for bit, however it was split.
public protocol Mergeable {
  /// Adds what another part has gathered.
  mutating func merge(_ other: Self)
}

extension Sequence where Element: Mergeable {
  /// All parts merged into a first one.
  public func merged(into first: Element) -> Element {
    reduce(into: first) { $0.merge($1) }
  }
}
