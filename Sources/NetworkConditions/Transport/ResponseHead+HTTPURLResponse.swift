#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension ResponseHead {
  /// The head of a response that Foundation made; its fields are sorted by name, since Foundation keeps no order.
  public init(_ response: HTTPURLResponse) {
    let headers = response.allHeaderFields.compactMap { name, value in
      (name as? String).map { HeaderField($0, "\(value)") }
    }
    self.init(status: response.statusCode, headers: headers.sorted { $0.name < $1.name })
  }

  /// Takes away all fields of this name, without regard to case.
  mutating func remove(_ name: String) {
    headers.removeAll { $0.name.caseInsensitiveCompare(name) == .orderedSame }
  }

  /// Puts a field in the place of those of this name; cookies, of which there may be several, are added.
  mutating func set(_ field: HeaderField) {
    if field.name.caseInsensitiveCompare("Set-Cookie") != .orderedSame { remove(field.name) }
    headers.append(field)
  }
}
