/// How the end of a message's body is known (RFC 9112, section 6.3).
enum HTTPBodyFraming: Equatable {
  case none
  case length(Int64)
  case chunked
  case untilClose

  /// The framing of a request, which is never ended by its connection.
  init(ofRequest fields: HTTPFields) throws(HTTPError) {
    let codings = fields.elements(of: "transfer-encoding")
    let lengths = Set(fields.elements(of: "content-length"))
    guard codings.isEmpty || lengths.isEmpty else {
      throw HTTPError("Content-Length and Transfer-Encoding contradict each other.")
    }
    if !codings.isEmpty {
      guard codings == ["chunked"] else {
        throw HTTPError("Only the transfer coding \"chunked\" is understood.", status: 501)
      }
      self = .chunked
    } else if let length = try Self.length(lengths) {
      self = length == 0 ? .none : .length(length)
    } else {
      self = .none
    }
  }

  /// The framing of the answer with this status to a request of this method.
  init(ofAnswer fields: HTTPFields, status: Int, method: String) throws(HTTPError) {
    if method == "HEAD" || (100..<200).contains(status) || status == 204 || status == 304 {
      self = .none
      return
    }
    let codings = fields.elements(of: "transfer-encoding")
    if !codings.isEmpty {
      self = codings.last == "chunked" ? .chunked : .untilClose
    } else if let length = try Self.length(Set(fields.elements(of: "content-length"))) {
      self = length == 0 ? .none : .length(length)
    } else {
      self = .untilClose
    }
  }

  private static func length(_ values: Set<String>) throws(HTTPError) -> Int64? {
    guard let value = values.first else { return nil }
    guard values.count == 1, value.utf8.allSatisfy({ (48...57).contains($0) }), let length = Int64(value) else {
      throw HTTPError("Content-Length is no number.")
    }
    return length
  }
}

/// Follows a body to its end, and knows which of its bytes are content.
struct HTTPBodyReader {
  private enum Stage: Equatable {
    case content(Int64)
    case untilClose
    case size
    case chunkEnd
    case trailer(isEmpty: Bool)
    case done
  }

  private var stage: Stage
  private let isChunked: Bool
  private var size: Int64 = 0
  private var hasDigits = false
  private var isInExtension = false
  private var lineLength = 0
  /// How many bytes of content have been seen.
  private(set) var contentCount: Int64 = 0

  init(_ framing: HTTPBodyFraming) {
    isChunked = framing == .chunked
    switch framing {
    case .none: stage = .done
    case .length(let count): stage = .content(count)
    case .chunked: stage = .size
    case .untilClose: stage = .untilClose
    }
  }

  var isDone: Bool { stage == .done }

  /// Takes the bytes of the body from the beginning of `bytes`, and returns how many those are.
  ///
  /// - Parameter wanted: a byte of the content, by its number; where it is among them, `found` gets its place.
  mutating func take(_ bytes: UnsafeRawBufferPointer, wanted: Int64? = nil, found: inout Int?) throws(HTTPError) -> Int
  {
    var place = 0
    while place < bytes.count, stage != .done {
      switch stage {
      case .content, .untilClose:
        let rest = Int64(bytes.count - place)
        var count = rest
        if case .content(let left) = stage { count = min(left, rest) }
        if let wanted, wanted >= contentCount, wanted < contentCount + count {
          found = place + Int(wanted - contentCount)
        }
        contentCount += count
        place += Int(count)
        if case .content(let left) = stage {
          stage = left > count ? .content(left - count) : isChunked ? .chunkEnd : .done
        }
      case .size:
        try takeSize(bytes[place])
        place += 1
      case .chunkEnd:
        guard bytes[place] == 13 || bytes[place] == 10 else { throw HTTPError("A chunk does not end with a new line.") }
        if bytes[place] == 10 { beginSize() }
        place += 1
      case .trailer(let isEmpty):
        lineLength += 1
        guard lineLength <= HTTPHead.longest else { throw HTTPError("The trailer is longer than 64 KiB.") }
        if bytes[place] == 10 {
          stage = isEmpty ? .done : .trailer(isEmpty: true)
        } else if bytes[place] != 13 {
          stage = .trailer(isEmpty: false)
        }
        place += 1
      case .done: break
      }
    }
    return place
  }

  private mutating func beginSize() {
    (stage, size, hasDigits, isInExtension, lineLength) = (.size, 0, false, false, 0)
  }

  private mutating func takeSize(_ byte: UInt8) throws(HTTPError) {
    lineLength += 1
    guard lineLength <= 4_096 else { throw HTTPError("A chunk's size is longer than 4 KiB.") }
    if byte == 10 {
      guard hasDigits else { throw HTTPError("A chunk has no size.") }
      lineLength = 0
      stage = size > 0 ? .content(size) : .trailer(isEmpty: true)
      return
    }
    if isInExtension || byte == 13 { return }
    if byte == UInt8(ascii: ";") || byte == 32 || byte == 9 {
      isInExtension = true
      return
    }
    guard let digit = Character(UnicodeScalar(byte)).hexDigitValue, size < 1 << 56 else {
      throw HTTPError("A chunk's size is no number.")
    }
    hasDigits = true
    size = size << 4 | Int64(digit)
  }
}
