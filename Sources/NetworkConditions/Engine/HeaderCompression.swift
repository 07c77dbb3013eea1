import URLLoading

/// Computes the sizes of request heads on one HTTP/2 connection, with its compression table.
///
/// It follows HPACK (RFC 7541) as nghttp2 implements it (lib/nghttp2_hd.c, `deflate_nv`). `URLSession` on Linux uses
/// nghttp2 through libcurl. Apple's implementation was not examined, and is assumed to be alike.
struct HeaderCompression {
  let opener: Int
  /// The dynamic table, newest entry last, and its size as RFC 7541, section 4.1, counts it.
  private var entries: [HeaderField] = []
  private var size = 0

  init(opener: Int) { self.opener = opener }

  /// The largest size of a table (RFC 9113, section 6.5.2), and an entry's overhead.
  private static let limit = 4_096
  private static let entryOverhead = 32
  /// Fields that change from one message to the next (`hd_deflate_decide_indexing`).
  private static let fleeting: Set<String> = [
    ":path", "age", "content-length", "etag", "if-modified-since", "if-none-match", "location", "set-cookie",
  ]

  /// The compressed size of a head; adds its fields, with lowercase names, to the table.
  mutating func bytes(of fields: [HeaderField]) -> Int64 {
    fields.reduce(0) { $0 + Int64(add($1)) }
  }

  private mutating func add(_ field: HeaderField) -> Int {
    // Secrets that message sizes could reveal stay out of the table (RFC 7541, section 7.1.3).
    let isSecret = field.name == "authorization" || field.name == "cookie" && field.value.utf8.count < 20
    if !isSecret, let index = HeaderText.fields[field] ?? index(where: { $0 == field }) {
      return HeaderText.integer(index, bits: 7)
    }
    let name = HeaderText.names[field.name] ?? index { $0.name == field.name }
    let room = field.name.utf8.count + field.value.utf8.count + Self.entryOverhead
    let isKept = !isSecret && !Self.fleeting.contains(field.name) && room <= Self.limit * 3 / 4
    if isKept { keep(field, room) }
    return (name.map { HeaderText.integer($0, bits: isKept ? 6 : 4) } ?? 1 + HeaderText.bytes(field.name))
      + HeaderText.bytes(field.value)
  }

  private func index(where isMeant: (HeaderField) -> Bool) -> Int? {
    entries.lastIndex(where: isMeant).map { HeaderText.staticEntries + entries.count - $0 }
  }

  private mutating func keep(_ field: HeaderField, _ room: Int) {
    while size + room > Self.limit {
      let oldest = entries.removeFirst()
      size -= oldest.name.utf8.count + oldest.value.utf8.count + Self.entryOverhead
    }
    entries.append(field)
    size += room
  }
}

/// Sizes of HPACK's strings and integers (RFC 7541), and its static table.
enum HeaderText {
  /// The bytes of a string with its length (section 5.2): plain, or Huffman-coded where that is shorter.
  static func bytes(_ text: String) -> Int {
    var (plain, bits) = (0, 0)
    for byte in text.utf8 {
      plain += 1
      bits += Int(codeLengths[Int(byte)])
    }
    let count = min(plain, (bits + 7) / 8)
    return integer(count, bits: 7) + count
  }

  /// The bytes of an integer with a prefix of `bits` bits (section 5.1).
  static func integer(_ value: Int, bits: Int) -> Int {
    var rest = value - (1 << bits - 1)
    if rest < 0 { return 1 }
    var count = 2
    while rest >= 128 {
      rest >>= 7
      count += 1
    }
    return count
  }

  /// The length in bits of each byte's Huffman code (appendix B).
  private static let codeLengths: [UInt8] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28,
    28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12,
    10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6,
    5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22,
    22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20,
    22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28,
    27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28,
    27, 27, 27, 27, 27, 26,
  ]

  // MARK: The static table (appendix A)

  static let staticEntries = 61
  /// The static entries with a value, and their indices.
  static let fields: [HeaderField: Int] = [
    HeaderField(":method", "GET"): 2, HeaderField(":method", "POST"): 3, HeaderField(":path", "/"): 4,
    HeaderField(":path", "/index.html"): 5, HeaderField(":scheme", "http"): 6, HeaderField(":scheme", "https"): 7,
    HeaderField("accept-encoding", "gzip, deflate"): 16,
  ]
  /// The first static index of each name.
  static let names: [String: Int] = {
    var names = [":authority": 1, ":method": 2, ":path": 4, ":scheme": 6, ":status": 8]
    for (place, name) in others.split(whereSeparator: \.isWhitespace).enumerated() { names[String(name)] = 15 + place }
    return names
  }()
  private static let others = """
    accept-charset accept-encoding accept-language accept-ranges accept access-control-allow-origin age allow authorization
    cache-control content-disposition content-encoding content-language content-length content-location content-range
    content-type cookie date etag expect expires from host if-match if-modified-since if-none-match if-range
    if-unmodified-since last-modified link location max-forwards proxy-authenticate proxy-authorization range referer refresh
    retry-after server set-cookie strict-transport-security transfer-encoding user-agent vary via www-authenticate
    """
}
