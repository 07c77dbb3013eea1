/// A first-in, first-out queue: an array whose front index advances; the used front is removed in bulk.
package struct Queue<Element> {
  private var elements: [Element] = []
  private var head = 0

  package init() {}

  package var count: Int { elements.count - head }
  package var isEmpty: Bool { head == elements.count }
  package var first: Element? { isEmpty ? nil : elements[head] }
  package var last: Element? { isEmpty ? nil : elements[elements.count - 1] }

  package subscript(place: Int) -> Element {
    get { elements[head + place] }
    _modify { yield &elements[head + place] }
  }

  @inline(__always)
  package mutating func append(_ element: Element) {
    elements.append(element)
  }

  package mutating func removeFirst(_ count: Int = 1) {
    head += count
    if head == elements.count {
      removeAll(keepingCapacity: true)
    } else if head > 64, head * 2 > elements.count {
      elements.removeFirst(head)
      head = 0
    }
  }

  /// Removes and returns the element at an index, which must exist.
  mutating func remove(at place: Int) -> Element {
    if place > 0 { return elements.remove(at: head + place) }
    defer { removeFirst() }
    return elements[head]
  }

  mutating func prepend(_ element: Element) {
    elements.insert(element, at: head)
  }

  package mutating func popFirst() -> Element? {
    guard let first else { return nil }
    removeFirst()
    return first
  }

  package mutating func removeLast() {
    elements.removeLast()
  }

  /// Frees all memory, if there are no elements.
  mutating func release() {
    if isEmpty { self = Queue() }
  }

  /// Removes all elements, and frees large memory unless `keeps` is true.
  package mutating func removeAll(keepingCapacity keeps: Bool = false) {
    elements.removeAll(keepingCapacity: keeps || elements.capacity <= 64)
    head = 0
  }
}

extension Queue: Sendable where Element: Sendable {}
