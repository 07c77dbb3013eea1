/// Finds secrets in bytes by name and shape, and inside nested encodings.
///
/// It parses nothing, so that it also works on text that is cut off or damaged.
package struct SecretScanner {
  package enum Syntax {
    /// JSON, a header field, an error's text, or other text with pairs of names and values.
    case text
    case url
    /// A form (`application/x-www-form-urlencoded`).
    case form
    case multipart
    case xml
    /// HTML, scripts and style sheets, where most equals signs do not separate a name from a value.
    case markup
  }

  package struct Secret {
    var range: Range<Int>
    var isNumber = false
  }

  static let longestName = 64
  /// The most encodings nested inside each other.
  private static let deepest = 5

  let bytes: UnsafeBufferPointer<UInt8>
  let syntax: Syntax
  let names: SecretNames
  let depth: Int
  private(set) var secrets: [Secret] = []
  private var stringStart = 0
  /// Where the URL that is being scanned ends; only set in code.
  private(set) var urlEnd = 0
  /// The number of open braces, counted from an object under a secret's name.
  private var openBraces = 0
  /// Whether each text in that object is a secret, as in `"cookies": {"sid": …}`.
  private var holdsSecrets = false
  /// The end of a list of secrets, each an object with a name and a value.
  private var listEnd = 0
  /// Whether the last member `name` named a secret: the member `value` that follows is then secret.
  private var expectsValue = false

  /// Returns the secrets in order, without overlaps.
  static func secrets(
    in bytes: UnsafeBufferPointer<UInt8>, _ syntax: Syntax, _ names: SecretNames, depth: Int = 0
  ) -> [Secret] {
    var scanner = SecretScanner(bytes: bytes, syntax: syntax, names: names, depth: depth)
    scanner.scan()
    var merged: [Secret] = []
    for secret in scanner.secrets.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      if let last = merged.last, secret.range.lowerBound < last.range.upperBound {
        merged[merged.count - 1].range = last.range.lowerBound..<max(last.range.upperBound, secret.range.upperBound)
        merged[merged.count - 1].isNumber = false
      } else {
        merged.append(secret)
      }
    }
    return merged
  }

  private mutating func scan() {
    let isStandard = names.redaction.isStandard
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: ":"): index = colon(at: index)
      case UInt8(ascii: "="): index = equalsSign(at: index)
      case UInt8(ascii: ".") where isStandard: index = dot(at: index)
      case UInt8(ascii: "%"): index = percentSign(at: index)
      case UInt8(ascii: " ") where isStandard && syntax != .markup: index = credentials(at: index)
      case UInt8(ascii: "\\"): index = backslash(at: index)
      case UInt8(ascii: ">") where syntax == .xml: index = element(at: index)
      case UInt8(ascii: "\""):
        index += 1
        stringStart = index
        if syntax == .markup { noteURL(from: index) }
      case UInt8(ascii: "'") where syntax == .markup:
        index += 1
        noteURL(from: index)
      case UInt8(ascii: "{"):
        if openBraces > 0 { openBraces += 1 }
        index += 1
      case UInt8(ascii: "}"):
        if openBraces > 0 { openBraces -= 1 }
        expectsValue = false
        index += 1
      default: index += 1
      }
    }
  }

  /// Adds a value if it is a secret; returns whether the scan can skip it.
  mutating func take(
    _ range: Range<Int>, named name: Range<Int>, _ weight: SecretNames.Weight, isNumber: Bool = false
  ) -> Bool {
    guard !range.isEmpty else { return false }
    let isMask = SecretMask.isMask(bytes[range], isNumber: isNumber)
    if isMask {
      names.noteMask(bytes[name])
      guard names.findsMasks else { return true }
    }
    let isSecret =
      switch weight {
      case .certain: true
      case .likely: SecretShape.looksRandom(bytes[range])
      case .card: SecretShape.isCardNumber(bytes[range])
      case .none: false
      }
    guard isMask || isSecret else { return false }
    secrets.append(Secret(range: range, isNumber: isNumber))
    return true
  }

  // MARK: Members, as JSON has them

  private mutating func colon(at colon: Int) -> Int {
    if starts(with: "//", at: colon + 1) { return userInfo(from: colon + 3) }
    guard let (name, isQuoted) = memberName(before: colon) else { return colon + 1 }
    var start = colon + 1
    while start < bytes.count, bytes[start].isSpace { start += 1 }
    if syntax == .markup { return assigned(from: start, to: name) }
    // A time of day, such as 12:30, is no pair.
    guard start < bytes.count, start > colon + 1 || !bytes[colon - 1].isDigit || isBotName(name) else {
      return colon + 1
    }
    var weight = weight(of: name, as: .member, .json)
    if isQuoted { weight = max(weight, inherited(name, start)) }
    switch bytes[start] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      guard weight != .none || mayBeMask(start + 1) else { return start }
      let range = start + 1..<end(ofString: bytes[start], from: start + 1)
      return take(range, named: name, weight) ? range.upperBound : start
    case UInt8(ascii: "[") where weight != .none: return elements(from: start, name, weight)
    case UInt8(ascii: "{") where weight == .certain:
      openBraces = 1
      let isCookie = names.isCookie(bytes[name])
      holdsSecrets = isCookie || bytes[name.upperBound - 1] | 0x20 == UInt8(ascii: "s")
      return start + 1
    case let byte where (byte.isDigit || byte == UInt8(ascii: "-")) && isQuoted:
      return weight == .certain || weight == .card ? number(from: start, name, weight) : start
    default:
      return bareValue(from: start, name, weight, isQuoted: isQuoted) ?? (start > colon + 1 ? start : colon + 1)
    }
  }

  /// The quoted or bare name that ends before a colon.
  private func memberName(before colon: Int) -> (range: Range<Int>, isQuoted: Bool)? {
    var end = colon
    while end > 0, colon - end < Self.longestName, bytes[end - 1].isSpace { end -= 1 }
    guard end > 0 else { return nil }
    let mark = bytes[end - 1]
    let isQuoted = mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'")
    if isQuoted { end -= 1 }
    var start = end
    while start > 0, end - start < Self.longestName, isQuoted ? bytes[start - 1] != mark : bytes[start - 1].isNamePart {
      start -= 1
    }
    return start < end ? (start..<end, isQuoted) : nil
  }

  /// The weight that a member gets from its context: an object under a secret's name, or a preceding member `name`.
  private mutating func inherited(_ name: Range<Int>, _ start: Int) -> SecretNames.Weight {
    switch name.count {
    case 3, 4:
      guard bytes[start] == UInt8(ascii: "\""), equals(name, "name") || equals(name, "key") else { break }
      let range = start + 1..<min(end(ofString: bytes[start], from: start + 1), start + 1 + Self.longestName)
      expectsValue = names.weight(bytes[range], as: .item) == .certain
    case 5 where equals(name, "value"):
      if expectsValue || openBraces == 1 || start < listEnd { return .certain }
    default: break
    }
    guard openBraces == 1 else { return .none }
    let isText = bytes[start] == UInt8(ascii: "\"")
    return isText && (holdsSecrets || equals(name, "raw")) ? .certain : .likely
  }

  /// Adds the elements of a list under a secret's name; stops at an object, whose members have their own names.
  private mutating func elements(from start: Int, _ name: Range<Int>, _ weight: SecretNames.Weight) -> Int {
    var (index, open) = (start, 0)
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "{"):
        if weight == .certain, start >= listEnd { listEnd = end(ofList: start) }
        return index
      case UInt8(ascii: "["):
        open += 1
        index += 1
      case UInt8(ascii: "]"):
        open -= 1
        index += 1
        if open == 0 { return index }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let range = index + 1..<end(ofString: byte, from: index + 1)
        if !take(range, named: name, weight) { lookInto(range) }
        index = min(range.upperBound + 1, bytes.count)
      case _ where byte.isDigit && weight == .certain: index = number(from: index, name, weight)
      default: index += 1
      }
    }
    return index
  }

  /// Adds a number, unless its name is a plural: a count of tokens is no secret.
  private mutating func number(from start: Int, _ name: Range<Int>, _ weight: SecretNames.Weight) -> Int {
    var end = start
    while end < bytes.count, bytes[end].isNumberPart { end += 1 }
    if bytes[name.upperBound - 1] | 0x20 != UInt8(ascii: "s") {
      _ = take(start..<end, named: name, weight, isNumber: true)
    }
    return max(end, start + 1)
  }

  /// Adds a secret value without quotation marks, such as a damaged string, or a header field's value in a text.
  private mutating func bareValue(
    from start: Int, _ name: Range<Int>, _ weight: SecretNames.Weight, isQuoted: Bool
  ) -> Int? {
    if !isQuoted, isBotName(name), endOfToken(from: start) - start >= 30 {
      return take(start..<endOfToken(from: start), named: name, .certain) ? endOfToken(from: start) : nil
    }
    if !isQuoted, let line = lineValue(name, start, weight) {
      return take(line, named: name, .certain) ? line.upperBound : nil
    }
    guard weight == .certain else { return nil }
    var range = start..<endOfBareValue(from: start)
    guard isQuoted else {
      if ["bearer", "basic", "token"].contains(where: { equals(range, $0) }) {
        let next = range.upperBound + 1
        range = min(next, bytes.count)..<endOfBareValue(from: next)
      }
      return take(range, named: name, .likely) ? range.upperBound : nil
    }
    if ["true", "false", "null"].contains(where: { equals(range, $0) }) { return nil }
    return take(range, named: name, weight) ? range.upperBound : nil
  }

  /// Whether a name is a Telegram bot's: in URLs, its token follows the bot's number and a colon.
  private func isBotName(_ name: Range<Int>) -> Bool {
    name.count > 8 && starts(with: "bot", at: name.lowerBound) && bytes[name.dropFirst(3)].allSatisfy(\.isDigit)
  }

  private mutating func userInfo(from start: Int) -> Int {
    if syntax == .markup { noteURL(from: start - 1) }
    guard names.redaction.isStandard else { return start }
    var (index, at) = (start, -1)
    while index < bytes.count, !bytes[index].endsAuthority {
      if bytes[index] == UInt8(ascii: "@") { at = index }
      index += 1
    }
    guard at > start else { return start }
    let colon = bytes[start..<at].firstIndex(of: UInt8(ascii: ":")) ?? at
    let password = min(colon + 1, at)..<at
    let isFiller = ["", "x", "x-oauth-basic"].contains { equals(password, $0) }
    if !isFiller { _ = take(password, named: at..<at, .certain) }
    _ = take(start..<colon, named: at..<at, isFiller ? .certain : .likely)
    return at
  }

  /// Adds a JSON Web Token (RFC 7519); `eyJ` is an opening brace and a quotation mark in base64url.
  private mutating func dot(at dot: Int) -> Int {
    var start = dot
    while start > 0, bytes[start - 1].isBase64URL { start -= 1 }
    while start + 10 < dot, !starts(with: "eyJ", at: start) { start += 1 }
    guard start + 10 < dot, dot + 4 < bytes.count, bytes[dot + 1..<dot + 5].allSatisfy(\.isBase64URL) else {
      return dot + 1
    }
    var end = dot + 1
    while end < bytes.count, bytes[end].isBase64URL || bytes[end] == UInt8(ascii: ".") { end += 1 }
    _ = take(start..<end, named: start..<start, .certain)
    return end
  }

  // MARK: Encodings

  /// Scans percent-encoded text after decoding it, such as a URL inside a URL, or JSON in a form.
  private mutating func percentSign(at index: Int) -> Int {
    guard Escape.percent.decode(bytes, index) != nil else { return index + 1 }
    var (start, end) = (index, index)
    while start > 0, !bytes[start - 1].endsEncoded { start -= 1 }
    while end < bytes.count, !bytes[end].endsEncoded { end += 1 }
    lookInto(start..<end, .percent)
    return end
  }

  /// Scans a string after unescaping it, such as JSON inside JSON, or a URL with `\/`.
  private mutating func backslash(at index: Int) -> Int {
    guard syntax != .url else { return index + 1 }
    let end = end(ofString: UInt8(ascii: "\""), from: index)
    lookInto(min(stringStart, index)..<end, .json)
    return end
  }

  /// Notes a URL in code: it follows `://`, or begins with a slash after a quotation mark.
  private mutating func noteURL(from start: Int) {
    guard start >= urlEnd, start < bytes.count, bytes[start] == UInt8(ascii: "/") else { return }
    urlEnd = start
    while urlEnd < bytes.count, !bytes[urlEnd].endsURL { urlEnd += 1 }
  }

  private mutating func lookInto(_ range: Range<Int>, _ escape: Escape? = nil) {
    guard depth < Self.deepest else { return }
    let inner: Syntax = syntax == .markup ? .markup : .text
    var source = range.lowerBound
    func next() -> UInt8 {
      let (byte, length) = escape?.decode(bytes, source) ?? (bytes[source], 1)
      source += length
      return byte
    }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(range.count)
    while source < range.upperBound { decoded.append(next()) }
    let found = decoded.withUnsafeBufferPointer { Self.secrets(in: $0, inner, names, depth: depth + 1) }
    source = range.lowerBound
    var position = 0
    for secret in found {
      while position < secret.range.lowerBound { (_, position) = (next(), position + 1) }
      let start = source
      while position < secret.range.upperBound { (_, position) = (next(), position + 1) }
      secrets.append(Secret(range: start..<min(source, range.upperBound), isNumber: secret.isNumber))
    }
  }
}
