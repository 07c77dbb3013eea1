import Internals

/// Parses a plan and tracks the position for error messages.
struct PolicyReader {
  /// The units of time, the largest first.
  static let units: [(name: String, nanoseconds: Int64)] = [
    ("h", 3_600_000_000_000), ("min", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000),
    ("ns", 1),
  ]

  private let text: [Character]
  private var place = 0

  init(_ text: String) {
    self.text = Array(text)
  }

  /// Consumes a character and the blanks around it, if it is next.
  mutating func takes(_ character: Character) -> Bool {
    skipBlanks()
    guard place < text.count, text[place] == character else { return false }
    place += 1
    skipBlanks()
    return true
  }

  mutating func end() throws(RetryError) {
    skipBlanks()
    guard place == text.count else {
      throw problem("\(rest.quoted) is left over; join parts with +, and write their values in parentheses")
    }
  }

  /// Parses one part: a name, and values in parentheses.
  mutating func part(among kinds: [PolicyPart]) throws(RetryError) -> RetryPolicyPlan.Part {
    skipBlanks()
    let begin = place
    let name = String(word).lowercased()
    guard let kind = kinds.first(where: { $0.name == name }) else {
      if begin == 0, !name.isEmpty { throw .unknownPolicy(name, near: NearNames.find(name, among: kinds.map(\.name))) }
      place = begin
      let near = NearNames.question(NearNames.find(name, among: kinds.map(\.name), atMost: 3)) ?? ""
      throw problem(
        "\(name.isEmpty ? "nothing" : name.quoted) is not a part of a policy; the parts are "
          + "\(kinds.map(\.name).joined(separator: ", "))\(near)")
    }
    var values = kind.parameters.map(\.usual)
    var given: Set<Int> = []
    if takes("("), !takes(")") {
      repeat {
        let start = place
        let index = try parameter(of: kind)
        guard given.insert(index).inserted else {
          place = start
          throw problem("\(kind.parameters[index].name) is given twice")
        }
        values[index] = try value(kind.parameters[index])
      } while takes(",")
      guard takes(")") else { throw problem("\(rest.quoted) where a comma or ) is expected") }
    }
    if let needed = kind.parameters.first, values[0] == .word("") {
      throw problem("\(kind.name) needs \(needed.form.example)")
    }
    return RetryPolicyPlan.Part(kind: kind, values: values)
  }

  /// Returns the index of the next parameter: the named one, or the one without a name.
  private mutating func parameter(of kind: PolicyPart) throws(RetryError) -> Int {
    let begin = place
    let name = String(word)
    if let index = kind.parameters.firstIndex(where: { $0.name == name && !$0.isBare }) {
      skipBlanks()
      return index
    }
    place = begin
    if let index = kind.parameters.firstIndex(where: \.isBare),
      name.isEmpty || ["any", "none", "ignored"].contains(name)
    {
      return index
    }
    let names = kind.parameters.filter { !$0.isBare }.map(\.name)
    let has = names.isEmpty ? "its values have no names" : "it has \(names.joined(separator: ", "))"
    throw problem("\((name.isEmpty ? rest : name).quoted) is not a value of \(kind.name); \(has)")
  }

  private mutating func value(_ parameter: PolicyPart.Parameter) throws(RetryError) -> PolicyPart.Value {
    let begin = place
    guard let value = read(parameter.form) else {
      place = begin
      let written = rest.prefix { $0 != "," && $0 != ")" }
      throw problem("\(String(written).quoted) is not \(parameter.form.example)")
    }
    return value
  }

  private mutating func read(_ form: PolicyPart.Form) -> PolicyPart.Value? {
    switch form {
    case .time: return time().map { .time($0) }
    case .window: return time().flatMap { (.seconds(1)...(.seconds(60))).contains($0) ? .time($0) : nil }
    case .attempts(let range):
      if range.upperBound == 1_000, takes(word: "any") { return .word("any") }
      return count(range).map { .count($0) }
    case .count(let range): return count(range).map { .count($0) }
    case .factor: return thousandths(1_000...1_000_000).map { .thousandths($0) }
    case .share:
      guard let value = thousandths(0...1_000_000), value == 0 || value >= 100, takes("%") else { return nil }
      return .share(value)
    case .failureRate:
      guard let value = thousandths(100...100_000), takes("%") else { return nil }
      return .share(value)
    case .backoff:
      guard let low = time(), takes("."), takes("."), let high = time(), low <= high, takes("x") else { return nil }
      return thousandths(1_000...1_000_000).map { .backoff(from: low, to: high, by: $0) }
    case .tokens:
      if takes(word: "none") { return .word("none") }
      guard let tokens = count(1...1_000), takes("/") else { return nil }
      return thousandths(1...1_000_000).map { .tokens(tokens, $0) }
    case .perSecond:
      guard let value = count(0...1_000_000), takes("/"), takes(word: "s") else { return nil }
      return .perSecond(value)
    case .sharing:
      guard takes(word: "by") else { return .sharing(.all) }
      return count(1...100_000).map { .sharing(.process(of: $0)) }
    case .hedge:
      guard takes("p") else { return time().map { .time($0) } }
      return thousandths(1...99_999).map { .percentile($0) }
    case .limit:
      guard let least = count(1...100_000) else { return nil }
      guard takes(".") else { return .limit(least, least) }
      guard takes("."), let most = count(least...100_000) else { return nil }
      return .limit(least, most)
    case .slow: return takes(word: "never") ? .word("never") : time().flatMap { $0 > .zero ? .time($0) : nil }
    case .retryAfter: return takes(word: "ignored") ? .word("ignored") : time().map { .time($0) }
    }
  }

  /// Parses a time of at most a year, exact to the nanosecond.
  private mutating func time() -> Duration? {
    guard let (digits, places) = decimal() else { return nil }
    skipBlanks()
    let name = String(word)
    guard let unit = Self.units.first(where: { $0.name == name }) else { return nil }
    var scale: Int128 = 1
    for _ in 0..<places { scale *= 10 }
    let product = Int128(digits) * Int128(unit.nanoseconds)
    guard product % scale == 0, product / scale <= 31_536_000_000_000_000 else { return nil }
    return .nanoseconds(Int64(product / scale))
  }

  private mutating func thousandths(_ range: ClosedRange<Int>) -> Int? {
    guard let (digits, places) = decimal(), places <= 3 else { return nil }
    let value = Int(clamping: Int128(digits) * [1_000, 100, 10, 1][places])
    return range.contains(value) ? value : nil
  }

  private mutating func count(_ range: ClosedRange<Int>) -> Int? {
    guard let (digits, places) = decimal(), places == 0, range.contains(Int(clamping: digits)) else { return nil }
    return Int(digits)
  }

  /// Parses a decimal number of at most 18 digits; `places` counts the digits behind its point.
  private mutating func decimal() -> (digits: Int64, places: Int)? {
    skipBlanks()
    var (digits, places, count) = (Int64(0), 0, 0)
    var isBehind = false
    while place < text.count {
      let character = text[place]
      if character == ".", !isBehind, place + 1 < text.count, text[place + 1].wholeNumberValue != nil {
        isBehind = true
      } else if let digit = character.wholeNumberValue, character.isASCII, count < 18 {
        digits = digits * 10 + Int64(digit)
        count += 1
        if isBehind { places += 1 }
      } else {
        break
      }
      place += 1
    }
    return count > 0 ? (digits, places) : nil
  }

  private mutating func takes(word wanted: String) -> Bool {
    skipBlanks()
    let begin = place
    if String(word) == wanted { return true }
    place = begin
    return false
  }

  /// Consumes a word: a letter, then letters, digits and hyphens.
  private var word: [Character] {
    mutating get {
      let begin = place
      while place < text.count, text[place].isLetter || (place > begin && (text[place] == "-" || text[place].isNumber))
      {
        place += 1
      }
      return Array(text[begin..<place])
    }
  }

  private var rest: String { String(text[place...]) }

  private mutating func skipBlanks() {
    while place < text.count, text[place].isWhitespace { place += 1 }
  }

  private func problem(_ reason: String) -> RetryError {
    .policyText(String(text), place: place + 1, reason: reason)
  }
}

extension String {
  /// A piece of the input in quotation marks, shortened to 60 characters.
  fileprivate var quoted: String { "\"\(count > 60 ? "\(prefix(60))…" : self)\"" }
}
