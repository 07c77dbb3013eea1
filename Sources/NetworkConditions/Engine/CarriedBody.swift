import Foundation
import Internals

/// A body as the wire carries it beside what that gives the client: the same bytes, or fewer that are decoded.
struct CarriedBody {
  /// How far both are behind a piece.
  private struct Mark {
    var count: Int64 = 0
    var decoded: Int64 = 0
  }

  /// Whether the bytes on the wire are others than the client's.
  let isEncoded: Bool
  /// How many bytes the body is to have on the wire in all; `nil` when nothing says so.
  let length: Int64?
  /// Whether an encoded body was taken to be as long as it is decoded, for want of a better number.
  private(set) var isAssumed = false
  private var end = Mark()
  /// The ends of the pieces; empty while both are the same.
  private var pieces: [Mark] = []

  init(isEncoded: Bool = false, length: Int64? = nil) {
    self.isEncoded = isEncoded
    self.length = length
  }

  /// How many bytes there are on the wire so far.
  var count: Int64 { end.count }

  /// How many bytes of the client's that gives so far.
  var decodedCount: Int64 { end.decoded }

  /// How many bytes of an encoded body are still to come on the wire; `nil` when nothing says so.
  var rest: Int64? { isEncoded ? length.map { max(0, $0 - end.count) } : nil }

  /// How many bytes of the client's are still to come; `nil` when nothing says so, as the length of an encoded body does not.
  var room: Int64? { isEncoded && length != 0 ? nil : length.map { max(0, $0 - end.count) } }

  /// How many bytes on the wire a piece is.
  ///
  /// - Parameter said: what the transport knows of it.
  func encodedCount(of decoded: Int64, _ said: Int64?) -> Int64 {
    // Where only the sum is known, the pieces take their own size of it; what is left comes with the end.
    said ?? rest.map { min(decoded, $0) } ?? decoded
  }

  /// Adds a piece, and says how many bytes on the wire it is.
  mutating func add(_ decoded: Int64, encodedCount said: Int64?) -> Int64 {
    let count = encodedCount(of: decoded, said)
    if isEncoded, said == nil, rest == nil, decoded > 0 { isAssumed = true }
    if count != decoded, pieces.isEmpty, end.count > 0 { pieces.append(end) }
    end.count += count
    end.decoded += decoded
    if count != decoded || !pieces.isEmpty { pieces.append(end) }
    return count
  }

  /// Adds what was announced and is in no piece, and says how much that is.
  mutating func addRest() -> Int64 {
    guard let rest, end.decoded > 0, rest > 0 else { return 0 }
    return add(0, encodedCount: rest)
  }

  /// How many bytes the client has once so many have arrived; within a piece, in proportion.
  func decoded(of arrived: Int64) -> Int64 {
    guard !pieces.isEmpty else { return min(arrived, end.decoded) }
    let low = pieces.partitioningIndex { $0.count > arrived }
    let start = low == 0 ? Mark() : pieces[low - 1]
    guard low < pieces.count else { return start.decoded }
    return start.decoded
      + Self.share(
        arrived - start.count, of: pieces[low].count - start.count, in: pieces[low].decoded - start.decoded)
  }

  /// The shares that pieces have of a number of bytes on the wire, by their size; together they are all of it.
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

  /// The part of an amount that a part of another one stands for, rounded down.
  static func share(_ part: Int64, of whole: Int64, in amount: Int64) -> Int64 {
    whole.dividingFullWidth(part.multipliedFullWidth(by: amount)).quotient
  }
}
