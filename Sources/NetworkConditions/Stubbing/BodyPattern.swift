public import Foundation

/// A pattern for the request bodies that a route answers.
public struct BodyPattern: Sendable, CustomStringConvertible {
  /// The pattern in words.
  public let description: String
  private let test: @Sendable (Data) -> Bool
  /// Whether the test is the user's code.
  let isClosure: Bool

  /// Matches exactly these bytes.
  public static func bytes(_ data: Data) -> BodyPattern {
    BodyPattern("a body of exactly \(data.count) given bytes") { $0 == data }
  }

  /// Matches exactly this text, in UTF-8.
  public static func text(_ text: String) -> BodyPattern {
    BodyPattern("the body \"\(text)\"") { $0 == Data(text.utf8) }
  }

  /// Matches a body that contains this text.
  public static func contains(_ text: String) -> BodyPattern {
    BodyPattern("a body with \"\(text)\"") { $0.range(of: Data(text.utf8)) != nil }
  }

  /// Matches a body with equal JSON, regardless of white space and the order of keys.
  public static func json(_ text: String) -> BodyPattern {
    let wanted = canonical(Data(text.utf8))
    return BodyPattern(wanted == nil ? "a body equal to text that is not JSON: \(text)" : "a body equal to \(text)") {
      wanted != nil && canonical($0) == wanted
    }
  }

  /// Matches a body whose JSON equals that of an encoded value.
  public static func json(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder()) -> BodyPattern {
    json((try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "")
  }

  /// Matches a body for which a closure returns `true`; the closure may run on any thread.
  public static func matching(
    _ description: String = "a body that a closure accepts", _ test: @escaping @Sendable (Data) -> Bool
  ) -> BodyPattern {
    BodyPattern(description, isClosure: true, test)
  }

  private init(_ description: String, isClosure: Bool = false, _ test: @escaping @Sendable (Data) -> Bool) {
    self.description = description
    self.isClosure = isClosure
    self.test = test
  }

  func matches(_ body: RequestBody) -> Bool {
    guard let data = try? body.load() else { return false }
    return test(data)
  }

  private static func canonical(_ data: Data) -> Data? {
    guard let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) else { return nil }
    return try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
  }
}
