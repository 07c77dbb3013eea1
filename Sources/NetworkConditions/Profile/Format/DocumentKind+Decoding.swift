import Foundation

extension DocumentKind {
  /// Checks a document with ``JSONCursor/survey(longestRow:number:)`` and decodes it as `Value`.
  package func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from json: Data, file: String, longestRow: Int,
    number: ((_ digits: String, _ key: String) -> String?)? = nil
  ) throws(ProfileError) -> Value {
    let bytes = try bytes(of: json, file: file)
    var cursor = JSONCursor(bytes, file: file)
    try cursor.survey(longestRow: longestRow, number: number)
    do {
      return try JSONDecoder().decode(Value.self, from: json)
    } catch let error as DecodingError {
      throw error.problem(bytes, file)
    } catch {
      throw .unreadable(file: file, reason: "\(error)")
    }
  }
}

extension DecodingError {
  fileprivate func problem(_ bytes: [UInt8], _ file: String) -> ProfileError {
    func problem(_ context: Context, _ reason: (_ shown: String) -> String) -> ProfileError {
      let path = context.codingPath.reduce("") { path, key in
        key.intValue.map { "\(path)[\($0)]" } ?? FormatReader.path(path, to: key.stringValue)
      }
      let shown = JSONParser.shown(at: path, in: bytes) ?? "the value there"
      return .value(file: file, path: path, reason: reason(shown))
    }
    switch self {
    case .keyNotFound(let key, let context):
      return problem(context) { _ in "the key \(key.stringValue.quoted) is missing" }
    case .typeMismatch(let type, let context): return problem(context) { "\($0) is not \(Self.words(for: type))" }
    case .valueNotFound(let type, let context): return problem(context) { _ in "null is not \(Self.words(for: type))" }
    case .dataCorrupted(let context): return problem(context) { _ in context.debugDescription }
    @unknown default: return .unreadable(file: file, reason: "\(self)")
    }
  }

  private static func words(for type: any Any.Type) -> String {
    switch type {
    case is any BinaryInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is String.Type: "a string in quotation marks"
    case is Bool.Type: "true or false"
    default:
      "\(type)".contains(":") || "\(type)".hasPrefix("Dictionary")
        ? "an object in braces" : "a list in square brackets"
    }
  }
}
