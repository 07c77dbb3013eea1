import NetworkConditions

/// Reads property lists in Apple's binary form, version 00 (CFBinaryPList.c of swift-corelibs-foundation).
///
/// Every offset and count is checked before it is used. A value that contains itself, or that is referenced too often,
/// is refused.
struct BinaryPropertyList {
  private let bytes: [UInt8]
  private let file: String
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let table: Int
  /// How many more bytes of values may be produced: references may repeat a value many times.
  private var budget = 4 << 20

  static let magic = Array("bplist00".utf8)

  static func parse(_ bytes: [UInt8], file: String) throws(ProfileError) -> JSONValue {
    var (parser, top) = try Self.header(bytes, file: file)
    return try parser.value(top, depth: 0)
  }

  private static func header(_ bytes: [UInt8], file: String) throws(ProfileError) -> (BinaryPropertyList, top: Int) {
    func broken(_ reason: String) -> ProfileError { Self.broken(file, reason) }
    guard bytes.count >= magic.count + 32 else { throw broken("it ends before its trailer") }
    let trailer = bytes.count - 32
    func number(_ place: Int) -> UInt64 { Self.number(bytes[place..<(place + 8)]) }
    let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    let (count, top, table) = (number(trailer + 8), number(trailer + 16), number(trailer + 24))
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
      throw broken("its numbers have \(offsetSize) and \(referenceSize) bytes, where 1 to 8 are possible")
    }
    guard table >= UInt64(magic.count), table < UInt64(trailer), count > 0,
      count <= (UInt64(trailer) - table) / UInt64(offsetSize), top < count
    else { throw broken("its table of values lies outside of the list") }
    let parser = BinaryPropertyList(
      bytes: bytes, file: file, offsetSize: offsetSize, referenceSize: referenceSize, count: Int(count),
      table: Int(table))
    return (parser, Int(top))
  }

  private mutating func value(_ index: Int, depth: Int) throws(ProfileError) -> JSONValue {
    guard depth < XMLPropertyList.deepest else { throw broken("nested deeper than \(XMLPropertyList.deepest)") }
    try spend(40)
    var place = try offset(of: index)
    let marker = bytes[place]
    place += 1
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0:
      switch low {
      case 8: return .bool(false)
      case 9: return .bool(true)
      default: return .null
      }
    case 0x1:
      guard low <= 4 else { throw broken("a whole number of \(1 << low) bytes") }
      let size = 1 << low
      let data = try slice(place, size)
      // Values of eight bytes are signed. Of sixteen bytes only the lower half counts; no setting needs more.
      let bits = Self.number(data.suffix(8))
      return .number(size >= 8 ? String(Int64(bitPattern: bits)) : String(bits))
    case 0x2:
      guard low == 2 || low == 3 else { throw broken("a real number of \(1 << low) bytes") }
      let bits = Self.number(try slice(place, 1 << low))
      let number = low == 2 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
      guard number.isFinite else { throw broken("a number that is not finite") }
      // A four-byte number is written as its shortest decimal form.
      return .number(low == 2 ? "\(Float(number))" : "\(number)")
    case 0x3, 0x4: return .null
    case 0x5:
      let length = try length(low, &place)
      try spend(length)
      return .string(String(decoding: try slice(place, length), as: UTF8.self))
    case 0x6:
      let length = try length(low, &place)
      let data = Array(try slice(place, length * 2))
      try spend(data.count)
      let units = stride(from: 0, to: data.count, by: 2).map { UInt16(data[$0]) << 8 | UInt16(data[$0 + 1]) }
      return .string(String(decoding: units, as: UTF16.self))
    case 0xA:
      let length = try length(low, &place)
      var elements: [JSONValue] = []
      try spend(length)
      for reference in try references(place, length) { elements.append(try value(reference, depth: depth + 1)) }
      return .array(elements)
    case 0xD:
      let length = try length(low, &place)
      let all = try references(place, length * 2)
      try spend(all.count)
      var members: [JSONValue.Member] = []
      for (key, reference) in zip(all.prefix(length), all.suffix(length)) {
        guard case .string(let name) = try value(key, depth: depth + 1) else { throw broken("a key that is not text") }
        members.append(JSONValue.Member(name, try value(reference, depth: depth + 1)))
      }
      return .object(members)
    default: throw broken("a value of an unknown kind")
    }
  }

  private mutating func spend(_ bytes: Int) throws(ProfileError) {
    budget -= bytes
    guard budget > 0 else { throw broken("it expands to more than 4 MiB of values") }
  }

  private func offset(of index: Int) throws(ProfileError) -> Int {
    guard index < count else { throw broken("a reference to a missing value") }
    let place = table + index * offsetSize
    let offset = Self.number(bytes[place..<(place + offsetSize)])
    guard offset >= UInt64(Self.magic.count), offset < UInt64(table) else {
      throw broken("a value outside of the list")
    }
    return Int(offset)
  }

  private func length(_ low: Int, _ place: inout Int) throws(ProfileError) -> Int {
    guard low == 0xF else { return low }
    let marker = try slice(place, 1).first ?? 0
    guard marker >> 4 == 0x1, marker & 0x0F <= 3 else { throw broken("a length that is not a whole number") }
    let size = 1 << Int(marker & 0x0F)
    let bits = Self.number(try slice(place + 1, size))
    place += 1 + size
    guard bits <= UInt64(bytes.count) else { throw broken("a value longer than the list") }
    return Int(bits)
  }

  private func references(_ place: Int, _ count: Int) throws(ProfileError) -> [Int] {
    let data = Array(try slice(place, count * referenceSize))
    return try (0..<count).map { index throws(ProfileError) in
      let bits = Self.number(data[(index * referenceSize)..<((index + 1) * referenceSize)])
      guard bits < UInt64(self.count) else { throw broken("a reference to a missing value") }
      return Int(bits)
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  private func slice(_ place: Int, _ length: Int) throws(ProfileError) -> ArraySlice<UInt8> {
    guard place <= table, length <= table - place else { throw broken("a value that ends outside of the list") }
    return bytes[place..<(place + length)]
  }

  private func broken(_ reason: String) -> ProfileError { Self.broken(file, reason) }

  private static func broken(_ file: String, _ reason: String) -> ProfileError {
    .unreadable(file: file, reason: "is a broken binary property list: \(reason)")
  }
}
