import Internals
import URLLoading

/// Makes a separate URLProtocol class for each session configuration.
///
/// The URL loading system makes a URLProtocol from a class alone. On Linux the protocol sees neither the session nor
/// the configuration's headers, so only the class can name its network. Each new class is the generic `Slot`,
/// specialised at run time; its nested type parameters spell a number in bits.
enum ProtocolSlots {
  private enum Zero {}
  private enum One {}
  private enum Bits<Bit, Rest> {}
  private final class Slot<Number>: SimulatedURLProtocol {}

  private struct Table {
    var next = 1
    var bindings: [ObjectIdentifier: SessionBinding] = [:]
    /// The classes that have no network any more, but that a client's own session may still use.
    var left: Set<ObjectIdentifier> = []
  }
  private static let table = Mutex(Table())

  static func claim(for binding: SessionBinding) -> SimulatedURLProtocol.Type {
    let number = table.withLock { table in
      defer { table.next += 1 }
      return table.next
    }
    let slot = build(number, Never.self)
    table.withLock { $0.bindings[ObjectIdentifier(slot)] = binding }
    return slot
  }

  /// Removes a class's binding to its network; the class itself remains, and later requests to it fail.
  static func release(_ slot: AnyClass) {
    table.withLock { table in
      let binding = table.bindings.removeValue(forKey: ObjectIdentifier(slot))
      if binding?.isAdopted == true { table.left.insert(ObjectIdentifier(slot)) }
    }
  }

  /// Whether a client's own session may still use a class, for example because the client never ended.
  static func isLeft(_ slot: AnyClass) -> Bool {
    table.withLock { $0.left.contains(ObjectIdentifier(slot)) }
  }

  /// Forgets a class that no session uses any more.
  static func forget(_ slot: AnyClass) {
    table.withLock { _ = $0.left.remove(ObjectIdentifier(slot)) }
  }

  static func binding(of slot: AnyClass) -> SessionBinding? {
    table.withLock { $0.bindings[ObjectIdentifier(slot)] }
  }

  static func binding(of session: URLSession) -> SessionBinding? {
    session.configuration.protocolClasses?.lazy.compactMap(binding(of:)).first
  }

  private static func build<Number>(_ rest: Int, _: Number.Type) -> SimulatedURLProtocol.Type {
    if rest == 0 { return Slot<Number>.self }
    return rest & 1 == 0 ? build(rest >> 1, Bits<Zero, Number>.self) : build(rest >> 1, Bits<One, Number>.self)
  }
}
