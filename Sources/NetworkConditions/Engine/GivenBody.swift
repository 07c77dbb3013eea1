import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a server has given of a body, until its client takes it.
///
/// It may go to disk, and so has a lock of its own: nobody but this one server and its client waits for that.
final class GivenBody: Sendable {
  private let spool = Mutex(BodySpool())

  /// Adds pieces at the end.
  ///
  /// - Parameter position: which of their bytes is flipped, counted from the first of these pieces.
  func append(_ pieces: [Data], flipping position: Int64?) throws(URLError) {
    try spool.withLock { spool throws(URLError) in
      var start: Int64 = 0
      for var piece in pieces {
        if let offset = position.map({ $0 - start }), (0..<Int64(piece.count)).contains(offset) {
          piece[piece.startIndex + Int(offset)] ^= 0xFF
        }
        try spool.append(piece)
        start += Int64(piece.count)
      }
    }
  }

  /// Takes so many bytes from the front.
  func read(_ count: Int64) throws(URLError) -> [Data] {
    try spool.withLock { spool throws(URLError) in
      var pieces: [Data] = []
      var left = count
      while left > 0 {
        let piece = try spool.read(upTo: Int(clamping: left))
        guard !piece.isEmpty else { break }
        left -= Int64(piece.count)
        pieces.append(piece)
      }
      return pieces
    }
  }
}
