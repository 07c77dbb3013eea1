import Foundation
import Internals

/// Buffers a body's bytes between the server and the client.
///
/// It joins and copies pieces under its own lock, so that only this server and its client wait for that.
final class GivenBody: Sendable {
  private let queue: Mutex<PieceQueue>

  /// Creates a body that begins with these pieces; `position` flips one byte.
  init(_ pieces: [AnswerPart.Piece] = [], flipping position: Int64? = nil) {
    var queue = PieceQueue()
    queue.append(pieces, flipping: position)
    self.queue = Mutex(queue)
  }

  /// Appends pieces, and flips the byte at `position`, counted from the first of them.
  func append(_ pieces: [AnswerPart.Piece], flipping position: Int64?) {
    queue.withLock { $0.append(pieces, flipping: position) }
  }

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
