import Foundation

/// A pattern of text in which `*` stands for any run of characters without a slash, `**` for any run at all, and `?`
/// for one character that is no slash.
public struct Glob: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  private enum Token: Hashable, Sendable {
    case literal(UInt8)
    case one
    case run(crossesSlashes: Bool)
  }

  /// The pattern as it was written.
  public let description: String
  private let tokens: [Token]
  private let ignoresCase: Bool
  /// The pattern's bytes when nothing in it is special, for a comparison without a search.
  private let plain: [UInt8]?

  /// Creates a pattern; every text is one.
  ///
  /// - Parameters:
  ///   - pattern: the pattern's text.
  ///   - ignoresCase: whether ASCII letters match without regard to case, as in host names.
  public init(_ pattern: String, ignoresCase: Bool = false) {
    description = pattern
    self.ignoresCase = ignoresCase
    var tokens: [Token] = []
    for byte in pattern.utf8 {
      switch byte {
      case UInt8(ascii: "*"):
        if case .run? = tokens.last {
          tokens[tokens.count - 1] = .run(crossesSlashes: true)
        } else {
          tokens.append(.run(crossesSlashes: false))
        }
      case UInt8(ascii: "?"): tokens.append(.one)
      default: tokens.append(.literal(ignoresCase ? Self.lowered(byte) : byte))
      }
    }
    self.tokens = tokens
    let bytes = tokens.compactMap { token in if case .literal(let byte) = token { byte } else { nil } }
    plain = bytes.count == tokens.count ? bytes : nil
  }

  /// Creates a pattern of a host's name, as names go over the wire: `bücher.example` is `xn--bcher-kva.example` there.
  package init(host: String) {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false).map { URL.wireHost(String($0)) }
    self.init(labels.joined(separator: "."), ignoresCase: true)
  }

  /// Creates a pattern from a literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// Whether the whole of `text` matches; never slower than the product of both lengths.
  public func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      if let plain { return plain.count == bytes.count && zip(plain, bytes).allSatisfy { $0 == fold($1) } }
      return search(bytes)
    }
  }

  /// Greedy search: a run that may cross slashes is a point of return that a run that may not cannot take away.
  private func search(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    // The positions in the pattern that are reachable after each character: a set, so no input is exponential.
    var reachable = Set<Int>()
    add(0, to: &reachable)
    for byte in text {
      var next = Set<Int>()
      for position in reachable where position < tokens.count {
        switch tokens[position] {
        case .literal(let wanted): if wanted == fold(byte) { add(position + 1, to: &next) }
        case .one: if byte != UInt8(ascii: "/") { add(position + 1, to: &next) }
        case .run(let crosses): if crosses || byte != UInt8(ascii: "/") { add(position, to: &next) }
        }
      }
      if next.isEmpty { return false }
      reachable = next
    }
    return reachable.contains(tokens.count)
  }

  /// Adds a position, and those behind it that need no character.
  private func add(_ position: Int, to set: inout Set<Int>) {
    var position = position
    while set.insert(position).inserted, position < tokens.count, case .run = tokens[position] { position += 1 }
  }

  private func fold(_ byte: UInt8) -> UInt8 {
    ignoresCase ? Self.lowered(byte) : byte
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
  }
}
