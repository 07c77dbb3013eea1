import Foundation

/// Pieces of a decoded body that wait for their count of bytes on the wire.
struct MeteredBody {
  private var pieces: [Data] = []
  private var counted: Int64 = 0

  /// Adds a piece; returns whether it is the only one that waits.
  mutating func append(_ piece: Data) -> Bool {
    pieces.append(piece)
    return pieces.count == 1
  }

  /// Takes the waiting pieces, each with its share of `count` new bytes on the wire, or with `nil` if that is unknown.
  mutating func take(_ count: Int64?) -> [(piece: Data, encodedCount: Int64?)] {
    defer { pieces = [] }
    guard let count, count > 0 else { return pieces.map { ($0, nil) } }
    let fresh = max(0, count - counted)
    counted += fresh
    if pieces.isEmpty, fresh > 0 { return [(Data(), fresh)] }
    return Array(zip(pieces, CarriedBody.shares(of: fresh, among: pieces)))
  }
}
