import Foundation
import Internals

/// Holds the bytes of a body that a server has given until its client takes them.
///
/// Pieces are joined and copied under a lock of its own: nobody but this one server and its client waits for that.
final class GivenBody: Sendable {
  private let queue: Mutex<PieceQueue>

  /// Creates a body that begins with these pieces, of which a byte may be flipped.
  init(_ pieces: [AnswerPart.Piece] = [], flipping position: Int64? = nil) {
    var queue = PieceQueue()
    queue.append(pieces, flipping: position)
    self.queue = Mutex(queue)
  }

  /// Adds pieces at the end.
  ///
  /// - Parameter position: which of their bytes is flipped, counted from the first of these pieces.
  func append(_ pieces: [AnswerPart.Piece], flipping position: Int64?) {
    queue.withLock { $0.append(pieces, flipping: position) }
  }

  /// Takes so many bytes from the front.
  @discardableResult
  func read(_ count: Int64) -> [Data] {
    queue.withLock { queue in
      var pieces: [Data] = []
      var left = Int(clamping: count)
      while left > 0, !queue.isEmpty {
        let piece = queue.take(upTo: left)
        left -= piece.count
        pieces.append(piece)
      }
      return pieces
    }
  }
}

extension PieceQueue {
  fileprivate mutating func append(_ pieces: [AnswerPart.Piece], flipping position: Int64?) {
    var start: Int64 = 0
    for var piece in pieces.lazy.map(\.data) {
      if let offset = position.map({ $0 - start }), (0..<Int64(piece.count)).contains(offset) {
        piece[piece.startIndex + Int(offset)] ^= 0xFF
      }
      append(piece)
      start += Int64(piece.count)
    }
  }
}
