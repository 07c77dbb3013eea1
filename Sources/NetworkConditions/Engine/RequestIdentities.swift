/// Numbers equal requests, so that random draws depend on a request's contents and number, not on its time.
///
/// Secrets make no difference, because a token may differ between runs.
///
/// The count for each line (method and URL) is kept for ever; otherwise a number would occur twice. The table holds a
/// 128-bit hash and a count for each line: 32 to 64 bytes, however long the URL. Among a billion lines, two share a
/// hash with a probability of 10^-21.
struct RequestIdentities {
  private struct Line: Hashable {
    var method: String
    var url: String
  }
  private struct Fingerprint: Hashable {
    let one: UInt64
    let other: UInt64
  }
  private struct Known {
    let hash: KeyedRandom
    let fingerprint: Fingerprint
    let server: ServerAddress
    let shownURL: String
  }
  private static let rememberedLines = 1_024

  private var turns: [Fingerprint: Int] = [:]
  private var known: [Line: Known] = [:]

  /// Removes secrets from URLs; set it before the first request.
  var redaction = Redaction.standard {
    didSet { known.removeAll() }
  }

  /// Takes the next request with this method and URL: returns its shown URL, server, number from 1, and key for draws.
  mutating func next(
    _ method: String, _ url: String, server: () -> ServerAddress
  ) -> (shownURL: String, server: ServerAddress, occurrence: Int, key: UInt64) {
    let line = Line(method: method, url: url)
    let about = known[line] ?? remember(line, server())
    let turn = turns[about.fingerprint, default: 0] + 1
    turns[about.fingerprint] = turn
    return (about.shownURL, about.server, turn, about.hash.keyed(by: UInt64(turn)).bits)
  }

  private mutating func remember(_ line: Line, _ server: ServerAddress) -> Known {
    let shownURL = redaction.url(line.url)
    let hash = KeyedRandom(seed: 0).keyed(by: line.method).keyed(by: shownURL)
    let other = Self.mix(shownURL, into: Self.mix(line.method, into: KeyedRandom(seed: 1)))
    let about = Known(
      hash: hash, fingerprint: Fingerprint(one: hash.bits, other: other.bits), server: server, shownURL: shownURL)
    if known.count >= Self.rememberedLines { known.removeAll(keepingCapacity: true) }
    known[line] = about
    return about
  }

  /// Mixes a text's 8-byte words and its length into a key: a second hash, independent of the first.
  private static func mix(_ text: String, into key: KeyedRandom) -> KeyedRandom {
    var key = key
    var word: UInt64 = 0
    var count: UInt64 = 0
    for byte in text.utf8 {
      word = word << 8 | UInt64(byte)
      count += 1
      if count % 8 == 0 { key = key.keyed(by: word) }
    }
    return key.keyed(by: word).keyed(by: count)
  }
}
