#if canImport(FoundationNetworking)
  @_spi(Reflection) import Swift
  import Synchronization

  /// A private stored property of one of Foundation's classes and of its subclasses.
  final class FoundationProperty: Sendable {
    private let name: String
    /// The offset of a property that holds an object; 0 if unknown.
    ///
    /// Reflection at each request would cost a tenth of its time.
    private let offset = Atomic(0)

    init(_ name: String) { self.name = name }

    /// Reads the property by reflection, or at its offset once that is known to hold an object.
    func read(from object: AnyObject) -> Any? {
      let known = offset.load(ordering: .relaxed)
      if known != 0 {
        return Self.word(at: known, in: object).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
      }
      var mirror: Mirror? = Mirror(reflecting: object)
      while let current = mirror {
        if let value = current.children.first(where: { $0.label == name })?.value {
          if let offset = offset(in: object), let found = FoundationInternals.unwrap(value).map({ $0 as AnyObject }),
            Self.word(at: offset, in: object) == Unmanaged.passUnretained(found).toOpaque()
          {
            self.offset.store(offset, ordering: .relaxed)
          }
          return value
        }
        mirror = current.superclassMirror
      }
      return nil
    }

    /// The offset of the property if its value may begin with a reference to an object.
    private func offset(in object: AnyObject) -> Int? {
      var found: Int?
      let ofClasses = _EachFieldOptions(rawValue: 1)
      _ = _forEachField(of: type(of: object), options: ofClasses) { label, offset, _, kind in
        // Other kinds may be smaller than a reference.
        if String(cString: label) == name, [.class, .existential, .optional].contains(kind) { found = offset }
        return found == nil
      }
      return found
    }

    private static func word(at offset: Int, in object: AnyObject) -> UnsafeMutableRawPointer? {
      withExtendedLifetime(object) {
        (Unmanaged.passUnretained(object).toOpaque() + offset).load(as: UnsafeMutableRawPointer?.self)
      }
    }
  }
#endif
