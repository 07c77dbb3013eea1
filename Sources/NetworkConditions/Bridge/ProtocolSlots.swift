import Internals
import URLLoading

/// Gives each session configuration a URLProtocol class of its own.
///
/// A URLProtocol is made by the URL loading system from a class alone, and on Linux it sees neither the session nor the
/// configuration's headers: the class is the only thing that can say which network it belongs to. So classes are made at
/// run time, as many as are asked for, by nesting the bits of a number in a generic parameter.
enum ProtocolSlots {
  private enum Zero {}
  private enum One {}
  private enum Bits<Bit, Rest> {}
  private final class Slot<Number>: SimulatedURLProtocol {}

  private struct Table {
    var next = 1
    var bindings: [ObjectIdentifier: SessionBinding] = [:]
  }
  private static let table = Mutex(Table())

  /// A class that no one else has, bound to `binding` until ``release(_:)``.
  static func claim(for binding: SessionBinding) -> SimulatedURLProtocol.Type {
    let number = table.withLock { table in
      defer { table.next += 1 }
      return table.next
    }
    let slot = build(number, Never.self)
    table.withLock { $0.bindings[ObjectIdentifier(slot)] = binding }
    return slot
  }

  /// Removes the binding of a class.
  ///
  /// The class stays in the process; requests that still reach it fail.
  static func release(_ slot: AnyClass) {
    table.withLock { $0.bindings[ObjectIdentifier(slot)] = nil }
  }

  /// Returns the binding of a class.
  static func binding(of slot: AnyClass) -> SessionBinding? {
    table.withLock { $0.bindings[ObjectIdentifier(slot)] }
  }

  /// Returns the binding of a session's class.
  static func binding(of session: URLSession) -> SessionBinding? {
    session.configuration.protocolClasses?.lazy.compactMap(binding(of:)).first
  }

  private static func build<Number>(_ rest: Int, _: Number.Type) -> SimulatedURLProtocol.Type {
    if rest == 0 { return Slot<Number>.self }
    return rest & 1 == 0 ? build(rest >> 1, Bits<Zero, Number>.self) : build(rest >> 1, Bits<One, Number>.self)
  }
}
