import Foundation

/// The pieces of a decoded body that wait until it is known how many bytes they were on the wire.
struct MeteredBody {
  private var pieces: [Data] = []
  private var counted: Int64 = 0

  /// Keeps a piece, and says whether it is the first that waits.
  mutating func append(_ piece: Data) -> Bool {
    pieces.append(piece)
    return pieces.count == 1
  }

  /// Takes the pieces that wait, each with its share of the bytes that have come on the wire since the last call.
  ///
  /// - Parameter count: how many bytes have come in all; `nil` when that cannot be known.
  mutating func take(_ count: Int64?) -> [(piece: Data, encodedCount: Int64?)] {
    defer { pieces = [] }
    guard let count, count > 0 else { return pieces.map { ($0, nil) } }
    let fresh = max(0, count - counted)
    counted += fresh
    if pieces.isEmpty, fresh > 0 { return [(Data(), fresh)] }
    return Array(zip(pieces, CarriedBody.shares(of: fresh, among: pieces)))
  }
}
