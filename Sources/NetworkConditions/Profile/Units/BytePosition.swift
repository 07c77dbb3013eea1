/// Where in a message a fault strikes.
public enum BytePosition: Hashable, Sendable {
  /// After so many bytes.
  case after(ByteQuantity)
  /// At a place that is drawn for each message, evenly over its length.
  ///
  /// A message whose length is not known when it begins counts as one of 64 KiB. A recorded schedule gives the drawn
  /// place as a number of bytes.
  case anywhere

  /// After so many bytes; negative numbers count as 0.
  public static func bytes(_ count: Int64) -> BytePosition { .after(.bytes(count)) }

  /// After so many kibibytes, 1024 bytes each; negative numbers count as 0.
  public static func kibibytes(_ count: Int64) -> BytePosition { .after(.kibibytes(count)) }

  /// At the beginning.
  public static let zero = BytePosition.after(.zero)

  /// After how many bytes it is; `nil` where that is drawn.
  public var bytes: Int64? {
    switch self {
    case .after(let count): count.bytes
    case .anywhere: nil
    }
  }

  /// Whether so many bytes are enough to come to it, as an unknown number may be.
  func isWithin(_ count: Int64?) -> Bool {
    guard let bytes, let count else { return true }
    return bytes <= count
  }

  /// The length that is assumed of a message that does not say how long it is.
  static let usualLength: Int64 = 65_536
}

extension BytePosition: ExpressibleByIntegerLiteral {
  /// A literal is a number of bytes: `.truncate(after: 0)`.
  public init(integerLiteral count: Int64) {
    self = .bytes(count)
  }
}

extension BytePosition: CustomStringConvertible {
  /// As the format has it: `1200 bytes`, `anywhere`.
  public var description: String {
    switch self {
    case .after(let count): count.description
    case .anywhere: "anywhere"
    }
  }

  var words: String {
    switch self {
    case .after(let count): "after \(count)"
    case .anywhere: "anywhere"
    }
  }
}
