import Foundation
import Testing

@testable import NetworkConditions

/// Checks that an archive is valid by HAR 1.2; a strict parser that is independent of the writer.
struct ArchiveValidator {
  private(set) var problems: [String] = []

  /// The violations in an archive, one line each; empty if it is valid.
  static func problems(_ data: Data) throws -> [String] {
    let kind = DocumentKind("an archive", usually: "some megabytes", atMostMebibytes: 256)
    let document = try JSONParser.parse(data, file: "archive", as: kind)
    var validator = ArchiveValidator()
    validator.object(document, "document", required: ["log": log])
    return validator.problems
  }

  private typealias Check = @Sendable (inout ArchiveValidator, JSONValue, String) -> Void

  // MARK: Kinds of values

  private static let string: Check = { validator, value, path in
    if case .string = value { return }
    validator.problems.append("\(path): \(value.shown) is not a text")
  }

  private static let bool: Check = { validator, value, path in
    if case .bool = value { return }
    validator.problems.append("\(path): \(value.shown) is not a truth value")
  }

  /// A size; -1 if it is unknown.
  private static let size: Check = { validator, value, path in
    if case .number(let text) = value, let number = Int64(text), number >= -1 { return }
    validator.problems.append("\(path): \(value.shown) is not a size")
  }

  private static let status: Check = { validator, value, path in
    if case .number(let text) = value, let number = Int(text), number == 0 || (100...999).contains(number) { return }
    validator.problems.append("\(path): \(value.shown) is not a status")
  }

  /// A time in milliseconds that must be known.
  private static let time: Check = { validator, value, path in
    if case .number(let text) = value, let number = Double(text), number >= 0 { return }
    validator.problems.append("\(path): \(value.shown) is not a time")
  }

  /// A time in milliseconds, or -1.
  private static let optionalTime: Check = { validator, value, path in
    if case .number(let text) = value, let number = Double(text), number >= 0 || number == -1 { return }
    validator.problems.append("\(path): \(value.shown) is neither a time nor -1")
  }

  /// ISO 8601 with a zone: YYYY-MM-DDThh:mm:ss.sTZD.
  private static let date: Check = { validator, value, path in
    let form = #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/#
    if case .string(let text) = value, text.wholeMatch(of: form) != nil { return }
    validator.problems.append("\(path): \(value.shown) is not a date")
  }

  private static func list(of check: @escaping Check) -> Check {
    { validator, value, path in
      guard case .array(let elements) = value else {
        validator.problems.append("\(path): \(value.shown) is not a list")
        return
      }
      for (index, element) in elements.enumerated() { check(&validator, element, "\(path)[\(index)]") }
    }
  }

  private static func object(_ required: [String: Check], _ optional: [String: Check] = [:]) -> Check {
    { validator, value, path in validator.object(value, path, required: required, optional: optional) }
  }

  private mutating func object(
    _ value: JSONValue, _ path: String, required: [String: Check], optional: [String: Check] = [:]
  ) {
    guard case .object(let members) = value else {
      problems.append("\(path): \(value.shown) is not an object")
      return
    }
    for key in required.keys.sorted() where !members.contains(where: { $0.key == key }) {
      problems.append("\(path): \(key) is missing")
    }
    for member in members where !member.key.hasPrefix("_") {
      guard let check = required[member.key] ?? optional[member.key] else {
        if member.key != "comment" { problems.append("\(path): \(member.key) is unknown and has no underscore") }
        continue
      }
      check(&self, member.value, "\(path).\(member.key)")
    }
  }

  // MARK: The format

  private static let creator = object(["name": string, "version": string])
  private static let pair = object(["name": string, "value": string])
  private static let cookie = object(
    ["name": string, "value": string],
    ["path": string, "domain": string, "expires": date, "httpOnly": bool, "secure": bool])
  private static let page = object([
    "startedDateTime": date, "id": string, "title": string,
    "pageTimings": object([:], ["onContentLoad": optionalTime, "onLoad": optionalTime]),
  ])
  private static let postData = object(["mimeType": string, "params": list(of: pair), "text": string])
  private static let request = object(
    [
      "method": string, "url": string, "httpVersion": string, "cookies": list(of: cookie), "headers": list(of: pair),
      "queryString": list(of: pair), "headersSize": size, "bodySize": size,
    ], ["postData": postData])
  private static let content: Check = { validator, value, path in
    validator.object(
      value, path, required: ["size": size, "mimeType": string],
      optional: ["text": string, "encoding": string, "compression": size])
    guard case .string(let text)? = value["text"], case .number(let size)? = value["size"] else { return }
    let isBase64 = value["encoding"] == .string("base64")
    let count = isBase64 ? Data(base64Encoded: text)?.count : text.utf8.count
    if count != Int(size) { validator.problems.append("\(path).size: \(size) is not the size of the text") }
  }
  private static let response = object([
    "status": status, "statusText": string, "httpVersion": string, "cookies": list(of: cookie),
    "headers": list(of: pair), "content": content, "redirectURL": string, "headersSize": size, "bodySize": size,
  ])
  private static let timings = object(
    ["send": time, "wait": time, "receive": time],
    ["blocked": optionalTime, "dns": optionalTime, "connect": optionalTime, "ssl": optionalTime])
  private static let entry: Check = { validator, value, path in
    validator.object(
      value, path,
      required: [
        "startedDateTime": date, "time": time, "request": request, "response": response, "cache": object([:]),
        "timings": timings,
      ], optional: ["pageref": string, "serverIPAddress": string, "connection": string])
    guard let timings = value["timings"], let time = value["time"]?.number else { return }
    // The time of the connection includes the time of TLS.
    let sum = ["blocked", "dns", "connect", "send", "wait", "receive"].compactMap { timings[$0]?.number }
      .filter { $0 > 0 }.reduce(0, +)
    if abs(sum - time) > 1e-6 { validator.problems.append("\(path).time: \(time) is not the sum \(sum)") }
    if let tls = timings["ssl"]?.number, tls > timings["connect"]?.number ?? -1 {
      validator.problems.append("\(path).timings.ssl: longer than connect")
    }
  }
  private static let log = object(
    ["version": string, "creator": creator, "entries": list(of: entry)],
    ["browser": creator, "pages": list(of: page)])
}

extension JSONValue {
  subscript(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  var number: Double? {
    guard case .number(let text) = self else { return nil }
    return Double(text)
  }
}
