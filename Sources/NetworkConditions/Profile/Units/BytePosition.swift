/// The position in a message at which a fault strikes.
public enum BytePosition: Hashable, Sendable {
  /// The position after this number of bytes.
  case after(ByteQuantity)
  /// At a position that is drawn for each message, evenly over its length.
  ///
  /// A message of unknown length counts as one of 64 KiB. A recorded schedule contains the drawn position as a number
  /// of bytes.
  case anywhere

  /// After `count` bytes; negative numbers count as 0.
  public static func bytes(_ count: Int64) -> BytePosition { .after(.bytes(count)) }

  /// At the beginning of the message.
  public static let zero = BytePosition.after(.zero)

  /// The number of bytes before the position; `nil` if the position is drawn.
  public var bytes: Int64? {
    switch self {
    case .after(let count): count.bytes
    case .anywhere: nil
    }
  }

  /// Whether a message of this length reaches the position; one of unknown length may.
  func isWithin(_ count: Int64?) -> Bool {
    guard let bytes, let count else { return true }
    return bytes <= count
  }

  /// The assumed length of a message that does not give its own.
  static let usualLength: Int64 = 65_536
}

extension BytePosition: ExpressibleByIntegerLiteral {
  /// Creates a position from a literal number of bytes: `.truncate(after: 0)`.
  public init(integerLiteral count: Int64) {
    self = .bytes(count)
  }
}

extension BytePosition: CustomStringConvertible {
  /// The position in the profile format: `1200 bytes` or `anywhere`.
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
