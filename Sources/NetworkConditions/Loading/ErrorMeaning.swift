import URLLoading

/// An error that supplies a label for comparisons between runs, because its contents differ from run to run.
///
/// Runs are compared by their final errors. A search groups failures whose errors mean the same. That depends on the
/// type, domain, code, contents and underlying errors. An error whose contents differ from run to run, such as a
/// `UUID`, leaves those out of its label:
///
/// ```swift
/// struct RequestFailed: LabelledError {
///   let id = UUID()
///   let status: Int
///   var label: String { "RequestFailed \(status)" }
/// }
/// ```
///
/// The label counts wherever the error is: thrown, wrapped in another error, or in an array.
public protocol LabelledError: Error {
  /// A text for the error's meaning: errors with the same meaning must have the same text in every run.
  var label: String { get }
}

/// Describes an error with the same words for every error of the same meaning.
///
/// An error's own description may differ, because dictionaries and sets print in random order. So the words are its
/// type, domain, code and contents, with underlying errors. The error's own description, or a value's, is used only if
/// it contains nothing unordered.
package struct ErrorMeaning {
  private let shortening: (String) -> String
  private var isOrdered = true
  private var asksLabels = true
  private var hasCancellation = false
  private var depth = 0
  /// The deepest nesting, because an error may contain itself.
  private static let deepest = 8

  /// Describes an error, by its label if it has one; `shortening` applies to values and descriptions only.
  package static func text(of error: any Error, shortening: @escaping (String) -> String = { $0 }) -> String {
    if let error = error as? any LabelledError { return error.label }
    return contents(of: error, shortening: shortening)
  }

  package static func contents(of error: any Error, shortening: @escaping (String) -> String = { $0 }) -> String {
    var meaning = ErrorMeaning(shortening: shortening)
    let text = meaning.contents(of: error)
    guard meaning.isOrdered else { return text }
    let (name, words) = ("\(type(of: error))", shortening("\(error)"))
    // Without a description, and in some of Foundation's, an error's words begin with its type.
    return words.hasPrefix("\(name)(") || words.hasPrefix("\(name).") ? words : "\(name): \(words)"
  }

  /// Whether the error, or one inside it, says that a task was cancelled: many clients wrap their session's errors.
  package static func carriesCancellation(_ error: any Error) -> Bool {
    var meaning = ErrorMeaning(shortening: { $0 })
    meaning.asksLabels = false
    _ = meaning.contents(of: error)
    return meaning.hasCancellation
  }

  /// The `NSError` that this error is or wraps.
  package static func foundationError(in error: any Error) -> NSError? {
    if type(of: error) is NSError.Type { return error as NSError }
    return Mirror(reflecting: error).children.first { $0.label == "_nsError" }?.value as? NSError
  }

  private mutating func text(of error: any Error) -> String {
    if asksLabels, let error = error as? any LabelledError {
      isOrdered = false
      return error.label
    }
    return contents(of: error)
  }

  private mutating func contents(of error: any Error) -> String {
    guard let known = Self.foundationError(in: error) else {
      if error is CancellationError { hasCancellation = true }
      let mirror = Mirror(reflecting: error)
      // An object prints only its type.
      if mirror.displayStyle == .class { isOrdered = false }
      return parts(of: error, mirror)
    }
    isOrdered = false
    if (known.domain, known.code) == (NSURLErrorDomain, NSURLErrorCancelled) { hasCancellation = true }
    var name = "\(type(of: error)) \(known.domain) \(known.code)"
    if known.domain == NSURLErrorDomain, let code = URLError.Code(rawValue: known.code) as URLError.Code? {
      name = "URLError.\(URLErrorNames.name(of: code))"
    }
    var beneath = [known.userInfo[NSUnderlyingErrorKey] as? any Error].compactMap { $0 }
    beneath += known.userInfo["NSMultipleUnderlyingErrorsKey"] as? [any Error] ?? []
    return beneath.isEmpty ? name : "\(name) (\(beneath.map { value($0) }.joined(separator: ", ")))"
  }

  private mutating func value(_ value: Any) -> String {
    guard depth < Self.deepest else {
      isOrdered = false
      return "…"
    }
    depth += 1
    defer { depth -= 1 }
    if let error = value as? any Error { return text(of: error) }
    let mirror = Mirror(reflecting: value)
    let children = mirror.children.map(\.value)
    switch mirror.displayStyle {
    case .optional: return children.first.map { self.value($0) } ?? "nil"
    case .collection: return "[\(children.map { self.value($0) }.joined(separator: ", "))]"
    case .set, .dictionary:
      isOrdered = false
      return "[\(children.map { self.value($0) }.sorted().joined(separator: ", "))]"
    case .class:
      // An object's description may contain its address.
      isOrdered = false
      return (value as? HTTPURLResponse).map { "HTTPURLResponse \($0.statusCode)" } ?? "\(type(of: value))"
    case .struct where !Self.printsInOrder(value), .enum where !Self.printsInOrder(value), .tuple:
      return ownWordsOrParts(of: value, mirror)
    default: return shortening("\(value)")
    }
  }

  /// Whether equal values have equal descriptions, as in the standard library and Foundation.
  private static func printsInOrder(_ value: Any) -> Bool {
    guard value is any CustomStringConvertible else { return false }
    let name = String(reflecting: type(of: value))
    return name.hasPrefix("Swift.") || name.hasPrefix("Foundation")
  }

  /// A value's description, or its type and parts if it has none or contains something unordered.
  private mutating func ownWordsOrParts(of value: Any, _ mirror: Mirror) -> String {
    let wasOrdered = isOrdered
    isOrdered = true
    let parts = parts(of: value, mirror)
    defer { isOrdered = isOrdered && wasOrdered }
    return isOrdered && value is any CustomStringConvertible ? shortening("\(value)") : parts
  }

  private mutating func parts(of value: Any, _ mirror: Mirror) -> String {
    var mirrors = [mirror]
    while let next = mirrors.last?.superclassMirror { mirrors.append(next) }
    let parts = mirrors.reversed().flatMap(\.children).map { part in
      (part.label.flatMap { $0.hasPrefix(".") ? nil : "\($0): " } ?? "") + self.value(part.value)
    }
    if mirror.displayStyle == .enum, parts.isEmpty { return shortening("\(value)") }
    return "\(mirror.displayStyle == .tuple ? "" : "\(type(of: value))")(\(parts.joined(separator: ", ")))"
  }
}
