/// A list that drops its oldest elements, about a thousand at a time.
///
/// It grows piece by piece, without copying, so that memory for each element is touched only once.
struct BoundedList<Element> {
  private static var pieceSize: Int { 1_024 }

  private let limit: Int
  private var pieces: [[Element]] = []
  private(set) var count = 0
  private(set) var dropped = 0

  /// - Parameter limit: the most elements to keep, to within about a thousand.
  init(limit: Int) {
    self.limit = limit
  }

  var all: [Element] { Array(pieces.joined()) }

  mutating func append(_ element: Element) {
    if pieces.last.map({ $0.count == Self.pieceSize }) ?? true {
      // Reuse the dropped piece's memory: touching new pages costs more than writing the elements.
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
