/// Decides by a name's last words whether its value is a secret (`X-Api-Key`, `clientSecret`, `user[new_password]`).
final class SecretNames {
  enum Weight: Comparable {
    case none
    /// The value is a secret if it is a payment card's number.
    case card
    /// The value is a secret if it looks random.
    case likely
    case certain
  }

  enum Place: UInt64 {
    case header
    /// A name before an equals sign: in a query, a form or a cookie.
    case item
    /// A name before a colon: in JSON and similar texts.
    case member
  }

  let redaction: Redaction
  /// Whether to find also values that were masked earlier, and to record their names.
  let findsMasks: Bool
  private(set) var maskedNames: Set<String> = []
  /// A cache of names' weights by hash, because documents repeat names; a new name replaces one with the same slot.
  private var known: [(hash: UInt64, weight: Weight)] = []

  init(_ redaction: Redaction, findsMasks: Bool = false) {
    self.redaction = redaction
    self.findsMasks = findsMasks
  }

  /// Whether a JSON member of this name has a cookie, or a list of cookies, as its value, as in an echo of a request.
  func isCookie(_ name: some Collection<UInt8>) -> Bool { Self.cookies.contains(Self.plain(name)) }

  func noteMask(_ name: some Collection<UInt8>) {
    if findsMasks { maskedNames.insert(Self.plain(name)) }
  }

  func weight(_ name: some BidirectionalCollection<UInt8>, as kind: Place) -> Weight {
    guard !redaction.names.isEmpty || Self.mayTell(name) else { return .none }
    if known.isEmpty { known = Array(repeating: (0, .none), count: 1 << 10) }
    var hash = 0xCBF2_9CE4_8422_2325 ^ kind.rawValue
    for byte in name { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    let place = Int(hash >> 54)
    if known[place].hash != hash { known[place] = (hash, Self.weight(Array(name), kind, redaction)) }
    return known[place].weight
  }

  private static func weight(_ name: [UInt8], _ place: Place, _ redaction: Redaction) -> Weight {
    if !redaction.names.isEmpty, redaction.names.contains(plain(name)) { return .certain }
    // Keys that are numbers or hashes are not names, and there may be millions of them.
    guard redaction.isStandard, name.count(where: \.isDigit) < 8 else { return .none }
    let words = words(name)
    if place == .header, headers.contains(words.joined()) { return .certain }
    if place == .member, cookies.contains(words.joined()) { return .certain }
    return weight(words[...], place)
  }

  private static func weight(_ words: ArraySlice<String>, _ place: Place) -> Weight {
    var words = words
    while let last = words.last, words.count > 1, last.allSatisfy(\.isNumber) || qualifiers.contains(last) {
      words.removeLast()
    }
    guard var last = words.popLast() else { return .none }
    while last.last?.isNumber == true { last.removeLast() }
    if last.count > 3, last.hasSuffix("s"), !last.hasSuffix("ss") { last.removeLast() }
    let name = words.joined() + last
    if certainWords.contains(last) { return .certain }
    if name.hasSuffix("token") {
      let owner = name.dropLast("token".count)
      return harmlessTokens.contains { owner.hasSuffix($0) } ? .none : .certain
    }
    if certainEndings.contains(where: name.hasSuffix) { return .certain }
    if name.hasSuffix("key") {
      let owner = name.dropLast("key".count)
      if secretKeys.contains(where: owner.hasSuffix) { return .certain }
      if harmlessKeys.contains(where: owner.hasSuffix) { return .none }
      if last == "key", place == .header, !words.isEmpty { return .certain }
    }
    if place == .header, headerWords.contains(last) { return .certain }
    if cardWords.contains(last) { return .card }
    if likelyWords.contains(last) || (place == .item && itemWords.contains(name)) { return .likely }
    return .none
  }

  /// Whether a name could be a secret's: it ends in the last two letters of a known word.
  ///
  /// This fast test excludes most names.
  private static func mayTell(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    let letters = name.reversed().drop { !$0.isLetter }
    return endings.contains(ending(letters))
      || letters.first.map { $0 | 0x20 == UInt8(ascii: "s") } == true
        && endings.contains(ending(letters.dropFirst()))
  }

  private static func ending(_ letters: some Collection<UInt8>) -> UInt16 {
    letters.prefix(2).reduce(0) { $0 << 8 | UInt16($1 | 0x20) }
  }

  private static let endings = Set(
    [
      Array(headers), Array(qualifiers), Array(certainWords), certainEndings, ["token", "key"], Array(headerWords),
      Array(likelyWords), Array(itemWords), Array(cardWords),
    ].joined().map { ending($0.utf8.reversed().drop { !$0.isLetter }) })

  /// A name in the form for comparisons: only its letters and digits, in lowercase.
  static func plain(_ name: some Collection<UInt8>) -> String { words(Array(name)).joined() }

  /// The words of a name in lowercase, split at punctuation and at changes of case.
  private static func words(_ name: [UInt8]) -> [String] {
    var words: [[UInt8]] = [[]]
    for (index, byte) in name.enumerated() {
      guard byte.isAlphanumeric || byte >= 0x80 else {
        words.append([])
        continue
      }
      if byte.isUppercase, index > 0 {
        let next = index + 1 < name.count ? name[index + 1] : 0
        if name[index - 1].isLowercase || name[index - 1].isUppercase && next.isLowercase { words.append([]) }
      }
      words[words.count - 1].append(byte.isUppercase ? byte | 0x20 : byte)
    }
    return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: Tables

  /// Header fields that carry credentials or challenges (RFC 9110, 11; RFC 6265; RFC 2965).
  private static let headers: Set<String> = [
    "cookie", "cookie2", "setcookie", "setcookie2", "wwwauthenticate", "proxyauthenticate", "authenticationinfo",
    "proxyauthenticationinfo",
  ]
  private static let cookies: Set<String> = ["cookie", "cookies", "setcookie", "setcookies", "cookie2", "setcookie2"]
  /// Last words that do not change a name's meaning.
  private static let qualifiers: Set<String> = [
    "value", "string", "hash", "confirm", "confirmation", "again", "repeat", "new", "old", "current", "plain",
    "encrypted", "base64", "hex", "raw",
  ]
  private static let certainWords: Set<String> = [
    "sig", "pwd", "pw", "psw", "pass", "pin", "otp", "totp", "cvv", "cvc", "cred", "bearer", "iban", "ssn",
  ]
  private static let cardWords: Set<String> = ["number", "card", "pan"]
  /// Endings of names that always name a secret; not `token` and `key`, which may be harmless.
  private static let certainEndings = [
    "secret", "password", "passwd", "passwort", "passphrase", "passcode", "credential", "signature", "sessionid",
    "sessid", "authorization", "jwt", "csrf", "xsrf", "hmac", "accesskeyid", "secretid", "codeverifier", "devicecode",
    "usercode", "verificationcode", "securitycode", "logincode", "recoverycode", "backupcode", "basicauth",
    "clientassertion", "samlresponse", "mnemonic", "seedphrase", "cardnumber", "cardno", "ccnumber", "creditcard",
  ]
  /// Words before `token` that make it harmless, such as a page token.
  private static let harmlessTokens = [
    "page", "next", "prev", "previous", "continuation", "continue", "sync", "skip", "cursor", "resume", "bos", "eos",
    "pad", "stop", "max",
  ]
  private static let secretKeys = [
    "api", "access", "secret", "private", "signing", "encryption", "auth", "subscription", "account", "shared",
    "master", "session", "client", "consumer", "license", "app", "application", "function", "service", "server",
    "admin", "deploy", "storage", "webhook", "hmac", "ssh", "rsa", "aes",
  ]
  private static let harmlessKeys = [
    "public", "idempotency", "cache", "surrogate", "primary", "foreign", "partition", "sort", "routing", "object",
    "group", "message", "translation", "index", "deduplication", "correlation",
  ]
  private static let headerWords: Set<String> = ["auth", "authentication", "oauth", "session", "ticket", "cookie"]
  private static let likelyWords: Set<String> = [
    "key", "auth", "authentication", "oauth", "code", "state", "nonce", "session", "sess", "sign", "ticket",
    "challenge", "verifier", "salt", "assertion", "cookie", "response", "k",
  ]
  private static let itemWords: Set<String> = ["sid", "appid", "connectsid"]
}

enum SecretShape {
  /// Whether a value is long and mixes digits with letters, or upper with lower case, unlike a word.
  static func looksRandom(_ value: some Collection<UInt8>) -> Bool {
    guard (16...4_096).contains(value.count) else { return false }
    var (mixes, run, longest, hasLetter) = (0, 0, 0, false)
    var last: UInt8 = 0
    for byte in value {
      guard byte > 0x20, byte < 0x7F else { return false }
      if byte.isAlphanumeric {
        run += 1
        if byte.isDigit != last.isDigit && last.isAlphanumeric || byte.isUppercase && last.isLowercase { mixes += 1 }
        if !byte.isDigit { hasLetter = true }
      } else {
        run = 0
      }
      longest = max(longest, run)
      last = byte
    }
    return hasLetter && (mixes * 6 >= value.count || longest >= 24)
  }

  /// Whether a value has a payment card number's length and check digit (ISO/IEC 7812-1, annex B).
  static func isCardNumber(_ value: some BidirectionalCollection<UInt8>) -> Bool {
    guard value.count <= 23 else { return false }
    var (sum, count) = (0, 0)
    for byte in value.reversed() where byte != UInt8(ascii: " ") && byte != UInt8(ascii: "-") {
      guard byte.isDigit else { return false }
      let digit = Int(byte - UInt8(ascii: "0"))
      sum += count % 2 == 0 ? digit : digit * 2 > 9 ? digit * 2 - 9 : digit * 2
      count += 1
    }
    return (13...19).contains(count) && sum > 0 && sum % 10 == 0
  }
}

extension UInt8 {
  package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
  var isUppercase: Bool { self &- UInt8(ascii: "A") < 26 }
  var isLowercase: Bool { self &- UInt8(ascii: "a") < 26 }
  var isLetter: Bool { (self | 0x20).isLowercase }
  var isAlphanumeric: Bool { isDigit || isLetter }
  var isSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
  var isBase64URL: Bool { isAlphanumeric || self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }
}
