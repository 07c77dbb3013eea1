/// A list that forgets its oldest elements, many at a time; it grows by pieces and never copies: one that doubled would
/// touch new memory for every element twice.
struct BoundedList<Element> {
  private static var pieceSize: Int { 1_024 }

  private let limit: Int
  private var pieces: [[Element]] = []
  private(set) var count = 0
  private(set) var dropped = 0

  /// - Parameter limit: the most elements that are kept, to the next thousand or so.
  init(limit: Int) {
    self.limit = limit
  }

  var all: [Element] { Array(pieces.joined()) }

  mutating func append(_ element: Element) {
    if pieces.last.map({ $0.count == Self.pieceSize }) ?? true {
      // The memory of the forgotten is used again: new pages cost more than what is written to them.
      var piece: [Element] = []
      if count + Self.pieceSize > limit, count > 0 {
        dropped += pieces[0].count
        count -= pieces[0].count
        piece = pieces.removeFirst()
        piece.removeAll(keepingCapacity: true)
      }
      piece.reserveCapacity(Self.pieceSize)
      pieces.append(piece)
    }
    pieces[pieces.count - 1].append(element)
    count += 1
  }
}
