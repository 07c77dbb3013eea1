/// Parses the size lines and trailers of a chunked body (RFC 9112, section 7.1).
///
/// It refuses everything that two programs might read differently.
struct ChunkLines {
  enum Next {
    case line
    case content(Int64)
    case nothing
  }

  private enum Stage {
    case size, blanks, extending, sizeFeed
    case contentEnd, contentFeed
    case trailer, trailerName, trailerValue, trailerFeed
    case lastFeed
  }

  private var stage = Stage.size
  private var size: Int64 = 0
  private var hasDigits = false
  private var lineLength = 0

  mutating func take(_ byte: UInt8) throws(HTTPError) -> Next {
    let isFeed = byte == 10
    lineLength += 1
    switch stage {
    case .size, .blanks, .extending: try takeSize(byte)
    case .sizeFeed:
      guard isFeed else { throw HTTPError("A chunk's size does not end with a new line.") }
      lineLength = 0
      stage = size > 0 ? .contentEnd : .trailer
      if size > 0 { return .content(size) }
    case .contentEnd, .contentFeed:
      guard byte == (stage == .contentEnd ? 13 : 10) else { throw HTTPError("A chunk does not end with a new line.") }
      if isFeed { self = ChunkLines() } else { stage = .contentFeed }
    case .trailer, .trailerName, .trailerValue: try takeTrailer(byte)
    case .trailerFeed, .lastFeed:
      guard isFeed else { throw HTTPError("A line of the trailer does not end with a new line.") }
      if stage == .lastFeed { return .nothing }
      stage = .trailer
    }
    return .line
  }

  private mutating func takeSize(_ byte: UInt8) throws(HTTPError) {
    guard lineLength <= 4_096 else { throw HTTPError("A chunk's size is longer than 4 KiB.") }
    let isBlank = byte == 32 || byte == 9
    if byte == 13, hasDigits {
      stage = .sizeFeed
    } else if stage == .extending {
      guard Self.isText(byte) else { throw HTTPError("A chunk's extension has a control character.") }
    } else if hasDigits, byte == UInt8(ascii: ";") {
      stage = .extending
    } else if hasDigits, isBlank {
      stage = .blanks
    } else {
      guard stage == .size, let digit = Character(UnicodeScalar(byte)).hexDigitValue, size < 1 << 56 else {
        throw HTTPError("A chunk's size is not a number.")
      }
      hasDigits = true
      size = size << 4 | Int64(digit)
    }
  }

  private mutating func takeTrailer(_ byte: UInt8) throws(HTTPError) {
    guard lineLength <= HTTPHead.longest else { throw HTTPError("The trailer is longer than 64 KiB.") }
    switch stage {
    case .trailer where byte == 13: stage = .lastFeed
    case .trailerName where byte == UInt8(ascii: ":"): stage = .trailerValue
    case .trailer, .trailerName:
      guard HTTPHead.isToken(byte) else { throw HTTPError("A line of the trailer is not a field.") }
      stage = .trailerName
    default:
      guard byte == 13 || Self.isText(byte) else { throw HTTPError("The trailer has a control character.") }
      if byte == 13 { stage = .trailerFeed }
    }
  }

  private static func isText(_ byte: UInt8) -> Bool { byte == 9 || byte >= 32 && byte != 127 }
}
