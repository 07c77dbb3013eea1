/// The HTTP methods that a route answers: one, or any.
public struct MethodPattern: Hashable, Sendable, CustomStringConvertible {
  /// The method in upper case; `nil` matches any.
  public let name: String?

  /// Matches every method.
  public static let any = MethodPattern(name: nil)
  /// `GET`.
  public static let get = MethodPattern("GET")
  /// `HEAD`.
  public static let head = MethodPattern("HEAD")
  /// `POST`.
  public static let post = MethodPattern("POST")
  /// `PUT`.
  public static let put = MethodPattern("PUT")
  /// `PATCH`.
  public static let patch = MethodPattern("PATCH")
  /// `DELETE`.
  public static let delete = MethodPattern("DELETE")
  /// `OPTIONS`.
  public static let options = MethodPattern("OPTIONS")

  /// Creates a pattern for a method's name, in any case.
  public init(_ name: String) {
    self.init(name: name.uppercased())
  }

  private init(name: String?) {
    self.name = name
  }

  /// The method, or `*` for any.
  public var description: String { name ?? "*" }

  func matches(_ method: String) -> Bool {
    name == nil || name == method
  }
}
