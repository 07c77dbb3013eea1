import Foundation

/// A text pattern with wildcards: `*` matches any characters but slashes, `**` any characters, `?` one that is no slash.
public struct Glob: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  private enum Token: Hashable, Sendable {
    case literal(UInt8)
    case one
    case run(crossesSlashes: Bool)
  }

  /// The pattern as written.
  public let description: String
  private let tokens: [Token]
  private let ignoresCase: Bool
  /// The pattern's bytes if it has no wildcards, for a plain comparison.
  private let plain: [UInt8]?

  /// Creates a pattern; any text is valid.
  ///
  /// - Parameters:
  ///   - pattern: the pattern's text.
  ///   - ignoresCase: whether ASCII letters match in either case, as in host names.
  public init(_ pattern: String, ignoresCase: Bool = false) {
    self.init(pattern, ignoresCase: ignoresCase, decodes: false)
  }

  /// - Parameter decodes: whether `%2A` stands for a literal star; otherwise it stands for the three characters.
  private init(_ pattern: String, ignoresCase: Bool = false, decodes: Bool) {
    description = pattern
    self.ignoresCase = ignoresCase
    var tokens: [Token] = []
    var rest = Array(pattern.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%") where decodes && rest.hexadecimal(at: rest.startIndex, count: 2) != nil:
        tokens.append(.literal(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? byte))
        rest.removeFirst(2)
      case UInt8(ascii: "*"):
        if case .run? = tokens.last {
          tokens[tokens.count - 1] = .run(crossesSlashes: true)
        } else {
          tokens.append(.run(crossesSlashes: false))
        }
      case UInt8(ascii: "?"): tokens.append(.one)
      default: tokens.append(.literal(ignoresCase ? ASCII.lowercased(byte) : byte))
      }
    }
    self.tokens = tokens
    let bytes = tokens.compactMap { token in if case .literal(let byte) = token { byte } else { nil } }
    plain = bytes.count == tokens.count ? bytes : nil
  }

  /// Creates a pattern for host names in their wire form: `bücher.example` becomes `xn--bcher-kva.example`.
  ///
  /// An IPv6 address loses its brackets, as in `URL.host`.
  package init(host: String) {
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    let name = isBracketed ? host.dropFirst().dropLast() : host[...]
    let labels = name.split(separator: ".", omittingEmptySubsequences: false).map { URL.wireHost(String($0)) }
    self.init(labels.joined(separator: "."), ignoresCase: true)
  }

  /// Creates a pattern for decoded paths or queries; decodes the pattern's own percent escapes, too.
  package init(decoding pattern: String) {
    self.init(pattern, decodes: pattern.utf8.contains(UInt8(ascii: "%")) && pattern.removingPercentEncoding != nil)
  }

  /// Creates a pattern from a literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// Whether the whole `text` matches; takes time proportional to both lengths' product at most.
  public func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      if let plain { return plain.count == bytes.count && zip(plain, bytes).allSatisfy { $0 == fold($1) } }
      return search(bytes.lazy.map(Token.literal))
    }
  }

  /// Whether this pattern surely matches every text that `other` matches; `false` if that cannot be decided.
  func covers(_ other: Glob) -> Bool { (ignoresCase || !other.ignoresCase) && search(other.tokens) }

  /// Tracks all possible positions in the pattern at once, because a greedy search fails for mixed `*` and `**`.
  ///
  /// The text may have wildcards; then every text that they stand for must match.
  private func search(_ text: some Sequence<Token>) -> Bool {
    // The reachable positions after each character are a set, so no input takes exponential time.
    var reachable = Set<Int>()
    add(0, to: &reachable)
    for token in text {
      var next = Set<Int>()
      // Whether the byte continues a character of several bytes, as all but the first do in UTF-8.
      let isRest = if case .literal(let byte) = token { byte & 0xC0 == 0x80 } else { false }
      for position in reachable {
        if isRest, position > 0, tokens[position - 1] == .one { add(position, to: &next) }
        guard position < tokens.count else { continue }
        switch (tokens[position], token) {
        case (.literal(let wanted), .literal(let byte)): if wanted == fold(byte) { add(position + 1, to: &next) }
        case (.one, .literal(let byte)): if byte != UInt8(ascii: "/"), !isRest { add(position + 1, to: &next) }
        case (.one, .one): add(position + 1, to: &next)
        case (.run(let crosses), .literal(let byte)):
          if crosses || byte != UInt8(ascii: "/") { add(position, to: &next) }
        case (.run(let crosses), .run(let crossing)): if crosses || !crossing { add(position, to: &next) }
        case (.run, .one): add(position, to: &next)
        case (.literal, _), (.one, .run): break
        }
      }
      if next.isEmpty { return false }
      reachable = next
    }
    return reachable.contains(tokens.count)
  }

  private func add(_ position: Int, to set: inout Set<Int>) {
    var position = position
    while set.insert(position).inserted, position < tokens.count, case .run = tokens[position] { position += 1 }
  }

  private func fold(_ byte: UInt8) -> UInt8 {
    ignoresCase ? ASCII.lowercased(byte) : byte
  }
}
