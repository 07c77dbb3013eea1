/// Tells equal requests apart by their turn, so that chance is keyed by what a request is and not by when it came.
///
/// Secrets make no difference: a token may be another one in each run, and a run is repeated from texts without it.
///
/// Each line of a request, which is its method and URL, is counted for as long as the network lives: a turn that were
/// forgotten would be given twice. A line is kept as a hash of 128 bits with its count, in a table that is between
/// three eighths and three quarters full: 32 to 64 bytes, however long the URL. Two lines would have to agree in all
/// 128 bits to be taken for one: among a billion of them that has a chance of 10^-21.
struct RequestIdentities {
  private struct Line: Hashable {
    var method: String
    var url: String
  }
  private struct Fingerprint: Hashable {
    let one: UInt64
    let other: UInt64
  }
  /// The facts about a line beside its turns, worked out again when they were forgotten.
  private struct Known {
    let hash: KeyedRandom
    let fingerprint: Fingerprint
    let server: ServerAddress
    let shownURL: String
  }
  private static let rememberedLines = 1_024

  private var turns: [Fingerprint: Int] = [:]
  private var known: [Line: Known] = [:]

  /// Takes secrets out of URLs; to be set before there are requests.
  var redaction = Redaction.standard {
    didSet { known.removeAll() }
  }

  /// The shown URL of the next request with this method and URL, where it goes, which one it is, counted from 1, and its
  /// key in every draw.
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

  /// A key with a text as more parts, eight bytes each and its length: nothing that the hash of the whole text knows.
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
