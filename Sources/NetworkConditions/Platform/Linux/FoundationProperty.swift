#if canImport(FoundationNetworking)
  @_spi(Reflection) import Swift
  import Synchronization

  /// A private stored property of some of Foundation's classes.
  final class FoundationProperty: Sendable {
    /// A class that has the property, and its offset.
    ///
    /// Reflection at each request would cost a tenth of its time.
    private final class Place: Sendable {
      let owner: ObjectIdentifier
      let offset: Int
      let next = AtomicLazyReference<Place>()

      init(_ owner: ObjectIdentifier, _ offset: Int) { (self.owner, self.offset) = (owner, offset) }
    }

    private let name: String
    /// The places where the property holds an object; a list that any thread reads without a lock.
    private let first = AtomicLazyReference<Place>()

    init(_ name: String) { self.name = name }

    /// Reads the property by reflection, or at its offset once that is known to hold an object.
    func read(from object: AnyObject) -> Any? {
      let owner = ObjectIdentifier(type(of: object))
      var place = first.load()
      while let known = place {
        if known.owner == owner {
          let word = Self.word(at: known.offset, in: object)
          return word.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
        }
        place = known.next.load()
      }
      var mirror: Mirror? = Mirror(reflecting: object)
      while let current = mirror {
        if let value = current.children.first(where: { $0.label == name })?.value {
          if let offset = offset(in: object), let found = FoundationInternals.unwrap(value).map({ $0 as AnyObject }),
            Self.word(at: offset, in: object) == Unmanaged.passUnretained(found).toOpaque()
          {
            add(Place(owner, offset))
          }
          return value
        }
        mirror = current.superclassMirror
      }
      return nil
    }

    private func add(_ new: Place) {
      var last = first.storeIfNil(new)
      while last !== new { last = last.next.storeIfNil(new) }
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
