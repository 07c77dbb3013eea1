/// How a message says where its body ends (RFC 9112, section 6.3).
enum HTTPBodyFraming: Equatable {
  case none
  case length(Int64)
  case chunked
  case untilClose

  init(ofRequest fields: HTTPFields, isOld: Bool) throws(HTTPError) {
    if let codings = try Self.codings(fields, isOld: isOld) {
      guard fields["content-length"].isEmpty else {
        throw HTTPError("Content-Length and Transfer-Encoding contradict each other.")
      }
      guard !codings.dropLast().contains("chunked") else {
        throw HTTPError("The transfer coding \"chunked\" has to be the last one.")
      }
      guard codings == ["chunked"] else {
        throw HTTPError("Only the transfer coding \"chunked\" is understood.", status: 501)
      }
      self = .chunked
    } else {
      let lengths = try Self.lengths(fields)
      guard lengths.count < 2 else { throw HTTPError("Content-Length is given twice.") }
      self = Self.length(lengths)
    }
  }

  init(ofAnswer fields: HTTPFields, status: Int, method: String, isOld: Bool) throws(HTTPError) {
    let (codings, lengths) = (try Self.codings(fields, isOld: isOld), try Self.lengths(fields))
    if !Self.hasBody(status, to: method) {
      self = .none
    } else if let codings {
      self = codings.last == "chunked" ? .chunked : .untilClose
    } else {
      self = lengths.isEmpty ? .untilClose : Self.length(lengths)
    }
  }

  /// Whether an answer can have a body (RFC 9110, section 6.4.1).
  static func hasBody(_ status: Int, to method: String) -> Bool {
    !(method == "HEAD" || (100..<200).contains(status) || status == 204 || status == 304)
  }

  private static func length(_ lengths: [Int64]) -> HTTPBodyFraming {
    lengths.first.map { $0 == 0 ? .none : .length($0) } ?? .none
  }

  /// The transfer codings; `nil` when the field is missing (RFC 9112, section 6.1).
  private static func codings(_ fields: HTTPFields, isOld: Bool) throws(HTTPError) -> [String]? {
    let values = fields["transfer-encoding"]
    guard !values.isEmpty else { return nil }
    guard !isOld else { throw HTTPError("HTTP/1.0 has no Transfer-Encoding.") }
    let codings = values.joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false)
    guard codings.allSatisfy({ !$0.trimmed.isEmpty }) else { throw HTTPError("Transfer-Encoding has an empty coding.") }
    let names = codings.map { $0.trimmed.lowercased() }
    guard names.filter({ $0 == "chunked" }).count < 2 else {
      throw HTTPError("Transfer-Encoding has \"chunked\" twice.")
    }
    return names
  }

  /// All values of `Content-Length`; the same value may be repeated (RFC 9110, section 8.6).
  private static func lengths(_ fields: HTTPFields) throws(HTTPError) -> [Int64] {
    var lengths: [Int64] = []
    for value in fields["content-length"] {
      for part in value.split(separator: ",", omittingEmptySubsequences: false) {
        let text = part.trimmed
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
          throw HTTPError("Content-Length is not a number.")
        }
        guard let length = Int64(text) else { throw HTTPError("Content-Length is too large.") }
        lengths.append(length)
      }
    }
    guard Set(lengths).count < 2 else { throw HTTPError("Content-Length contradicts itself.") }
    return lengths
  }
}

struct HTTPBodyReader {
  private enum Stage: Equatable {
    case content(Int64)
    case untilClose
    /// The reader is between two chunks' contents, in a size line or the trailers.
    case line
    case done
  }

  private var stage: Stage
  private var lines: ChunkLines?
  private(set) var contentCount: Int64 = 0

  init(_ framing: HTTPBodyFraming) {
    switch framing {
    case .none: stage = .done
    case .length(let count): stage = .content(count)
    case .chunked: (stage, lines) = (.line, ChunkLines())
    case .untilClose: stage = .untilClose
    }
  }

  var isDone: Bool { stage == .done }

  /// Returns how many of the bytes belong to the body; `found` becomes the index of the `wanted` content byte.
  mutating func take(_ bytes: UnsafeRawBufferPointer, wanted: Int64? = nil, found: inout Int?) throws(HTTPError) -> Int
  {
    var place = 0
    while place < bytes.count, stage != .done {
      if stage == .line {
        switch try lines?.take(bytes[place]) {
        case .content(let count): stage = .content(count)
        case .nothing: stage = .done
        case .line, nil: break
        }
        place += 1
        continue
      }
      let rest = Int64(bytes.count - place)
      var count = rest
      if case .content(let left) = stage { count = min(left, rest) }
      if let wanted, wanted >= contentCount, wanted < contentCount + count {
        found = place + Int(wanted - contentCount)
      }
      contentCount += count
      place += Int(count)
      if case .content(let left) = stage {
        stage = left > count ? .content(left - count) : lines == nil ? .done : .line
      }
    }
    return place
  }
}
