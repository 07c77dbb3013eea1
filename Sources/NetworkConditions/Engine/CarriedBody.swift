import Foundation
import Internals

/// Counts a body's bytes on the wire and its decoded bytes at the client; a content coding makes the two differ.
struct CarriedBody {
  /// The body's size up to the end of a piece: on the wire (`count`), and decoded.
  private struct Mark {
    var count: Int64 = 0
    var decoded: Int64 = 0
  }

  let isEncoded: Bool
  /// The size of the whole body on the wire; `nil` if unknown.
  let length: Int64?
  /// Whether some pieces of an encoded body were counted by decoded size, because their size on the wire is unknown.
  private(set) var isAssumed = false
  private var end = Mark()
  /// The marks at the pieces' ends; empty while both counts are equal.
  private var pieces: [Mark] = []

  init(isEncoded: Bool = false, length: Int64? = nil) {
    self.isEncoded = isEncoded
    self.length = length
  }

  /// The body's bytes on the wire so far.
  var count: Int64 { end.count }

  var decodedCount: Int64 { end.decoded }

  /// How many bytes of an encoded body are still to come on the wire; `nil` if unknown.
  var rest: Int64? { isEncoded ? length.map { max(0, $0 - end.count) } : nil }

  /// How many decoded bytes are still to come; `nil` if unknown, as for most encoded bodies.
  var room: Int64? { isEncoded && length != 0 ? nil : length.map { max(0, $0 - end.count) } }

  mutating func add(_ decoded: Int64, encodedCount said: Int64?) -> Int64 {
    // If only the sum is known, pieces count with their own size up to that sum. The end adds the rest.
    let count = said ?? rest.map { min(decoded, $0) } ?? decoded
    if isEncoded, said == nil, rest == nil, decoded > 0 { isAssumed = true }
    if count != decoded, pieces.isEmpty, end.count > 0 { pieces.append(end) }
    end.count += count
    end.decoded += decoded
    if count != decoded || !pieces.isEmpty { pieces.append(end) }
    return count
  }

  /// At the body's end, adds the announced bytes that are missing from the pieces, and returns their number.
  mutating func addRest() -> Int64 {
    guard let rest, end.decoded > 0 else { return 0 }
    return add(0, encodedCount: rest)
  }

  /// How many decoded bytes the client has after `arrived` bytes on the wire; within a piece, in proportion.
  func decoded(of arrived: Int64) -> Int64 {
    guard !pieces.isEmpty else { return min(arrived, end.decoded) }
    let low = pieces.partitioningIndex { $0.count > arrived }
    let start = low == 0 ? Mark() : pieces[low - 1]
    guard low < pieces.count else { return start.decoded }
    return start.decoded
      + Self.share(
        arrived - start.count, of: pieces[low].count - start.count, in: pieces[low].decoded - start.decoded)
  }

  /// Divides a number of bytes on the wire among pieces by their size; the shares add up to that number.
  static func shares(of count: Int64, among pieces: [Data]) -> [Int64] {
    let size = pieces.reduce(Int64(0)) { $0 + Int64($1.count) }
    var (taken, given) = (Int64(0), Int64(0))
    return pieces.map { piece in
      taken += Int64(piece.count)
      let share = size == 0 ? 0 : share(count, of: size, in: taken)
      defer { given = share }
      return share - given
    }
  }

  /// Returns `amount * part / whole`, rounded down.
  static func share(_ part: Int64, of whole: Int64, in amount: Int64) -> Int64 {
    whole.dividingFullWidth(part.multipliedFullWidth(by: amount)).quotient
  }
}
