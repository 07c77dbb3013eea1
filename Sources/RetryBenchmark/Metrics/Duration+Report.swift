package import Foundation
import LinkSimulator

extension Duration {
  /// How many whole units the time contains, rounded down.
  func count(of unit: Duration) -> Int {
    let (count, rest) = wholeNanoseconds.quotientAndRemainder(dividingBy: unit.wholeNanoseconds)
    return Int(clamping: rest < 0 ? count - 1 : count)
  }

  var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }
}

extension Encodable {
  /// JSON with sorted keys, so that equal values give equal bytes.
  package func stableJSON() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}

// A report stores times as whole nanoseconds. The compiler's `Codable` code prefers these methods, since they name the
// type.
extension KeyedEncodingContainer {
  mutating func encode(_ time: Duration, forKey key: Key) throws { try encode(time.wholeNanoseconds, forKey: key) }

  mutating func encodeIfPresent(_ time: Duration?, forKey key: Key) throws {
    try encodeIfPresent(time?.wholeNanoseconds, forKey: key)
  }

  mutating func encode(_ spans: [Range<Duration>], forKey key: Key) throws {
    try encode(spans.map { $0.lowerBound.wholeNanoseconds..<$0.upperBound.wholeNanoseconds }, forKey: key)
  }
}

extension KeyedDecodingContainer {
  func decode(_ type: Duration.Type, forKey key: Key) throws -> Duration {
    .nanoseconds(try decode(Int64.self, forKey: key))
  }

  func decodeIfPresent(_ type: Duration.Type, forKey key: Key) throws -> Duration? {
    try decodeIfPresent(Int64.self, forKey: key).map { .nanoseconds($0) }
  }

  func decode(_ type: [Range<Duration>].Type, forKey key: Key) throws -> [Range<Duration>] {
    try decode([Range<Int64>].self, forKey: key).map { .nanoseconds($0.lowerBound)..<(.nanoseconds($0.upperBound)) }
  }
}
