import URLLoading

/// An error that says itself which errors mean the same, where what it holds would not tell.
///
/// Two runs are compared by the errors that they end with, and a search takes two failures for one when their errors mean
/// the same: type, domain, code, and what an error holds, errors beneath it included. An error that holds what differs from
/// run to run, such as a `UUID` that it was given, leaves that out of its label:
///
/// ```swift
/// struct RequestFailed: LabelledError {
///   let id = UUID()
///   let status: Int
///   var label: String { "RequestFailed \(status)" }
/// }
/// ```
///
/// It counts wherever the error is: thrown, wrapped in another error, or in an array of them.
public protocol LabelledError: Error {
  /// The same for all errors that mean the same, in every run.
  var label: String { get }
}

/// An error in words that are the same for every error that means the same.
///
/// The text that an error prints may differ: dictionaries and sets, such as the user info of an `NSError`, print in an
/// order that is left to chance. So an error is described by its type, its domain and code, and its contents, with the
/// errors beneath it. Its own description is used only where nothing in it lacks an order, and that of each value in it
/// likewise.
package struct ErrorMeaning {
  private let shortening: (String) -> String
  private var isOrdered = true
  private var asksLabels = true
  private var hasCancellation = false
  private var depth = 0
  /// An error may hold itself.
  private static let deepest = 8

  /// The words.
  ///
  /// - Parameter shortening: what becomes of values and descriptions; types, domains, codes and labels stay as they are.
  package static func text(of error: any Error, shortening: @escaping (String) -> String = { $0 }) -> String {
    if let error = error as? any LabelledError { return error.label }
    return contents(of: error, shortening: shortening)
  }

  /// The words of an error whose label is not asked for.
  package static func contents(of error: any Error, shortening: @escaping (String) -> String = { $0 }) -> String {
    var meaning = ErrorMeaning(shortening: shortening)
    let text = meaning.contents(of: error)
    return meaning.isOrdered ? "\(type(of: error)): \(shortening("\(error)"))" : text
  }

  /// Whether an error says that a task was cancelled: itself, or by an error that it carries, since many clients wrap the
  /// errors of their session.
  package static func carriesCancellation(_ error: any Error) -> Bool {
    var meaning = ErrorMeaning(shortening: { $0 })
    meaning.asksLabels = false
    _ = meaning.contents(of: error)
    return meaning.hasCancellation
  }

  /// The error of Foundation's that this one is, or stands for.
  package static func foundationError(in error: any Error) -> NSError? {
    if type(of: error) is NSError.Type { return error as NSError }
    return Mirror(reflecting: error).children.first { $0.label == "_nsError" }?.value as? NSError
  }

  private init(shortening: @escaping (String) -> String) {
    self.shortening = shortening
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
      // Of an object nothing but its type is printed.
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
      // The text that an object prints may contain its address.
      isOrdered = false
      return (value as? HTTPURLResponse).map { "HTTPURLResponse \($0.statusCode)" } ?? "\(type(of: value))"
    case .struct where !Self.printsInOrder(value), .enum where !Self.printsInOrder(value), .tuple:
      return ownWordsOrParts(of: value, mirror)
    default: return shortening("\(value)")
    }
  }

  /// Whether equal values print alike, as those of the standard library and of Foundation do.
  private static func printsInOrder(_ value: Any) -> Bool {
    guard value is any CustomStringConvertible else { return false }
    let name = String(reflecting: type(of: value))
    return name.hasPrefix("Swift.") || name.hasPrefix("Foundation")
  }

  /// The text that a value prints, or its type and its parts where it has no text of its own or holds something without
  /// an order.
  private mutating func ownWordsOrParts(of value: Any, _ mirror: Mirror) -> String {
    let wasOrdered = isOrdered
    isOrdered = true
    let parts = parts(of: value, mirror)
    defer { isOrdered = isOrdered && wasOrdered }
    return isOrdered && value is any CustomStringConvertible ? shortening("\(value)") : parts
  }

  /// A type's name and the values in it.
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
