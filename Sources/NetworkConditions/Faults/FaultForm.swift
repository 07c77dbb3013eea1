/// The JSON form of a fault in a profile, for both reading and writing.
enum FaultForm<Value: Sendable>: Sendable {
  /// `true`, for a fault without quantities.
  case happens
  /// One quantity, such as `"500 ms"`.
  case quantity(FaultMember<Value>)
  /// An object with keys, such as `{ "after": "1200 bytes" }`, and its name in errors.
  case object(String, [FaultMember<Value>])

  var members: [FaultMember<Value>] {
    switch self {
    case .happens: []
    case .quantity(let member): [member]
    case .object(_, let members): members
    }
  }
}

extension Fault {
  static func read(_ reader: FormatReader) throws(ProfileError) -> RequestFault {
    var fault = Self()
    switch form {
    case .happens:
      guard reader.value == .bool(true) else { throw reader.error("write \(key.quoted): true") }
    case .quantity(let member): try member.read(reader, &fault)
    case .object(let name, let members):
      let object = try reader.object(keys: members.map(\.key), of: name)
      try object.read(members, into: &fault)
    }
    if let problem = fault.problem { throw reader.error(problem) }
    return fault.requestFault
  }

  var member: JSONValue.Member {
    let members = Self.form.members.compactMap { member in member.write(self).map { JSONValue.Member(member.key, $0) } }
    let value: JSONValue =
      switch Self.form {
      case .happens: .bool(true)
      case .quantity: members[0].value
      case .object: .object(members)
      }
    return .init(Self.key, value)
  }
}

extension FormatObject {
  func read<Value>(_ members: [FaultMember<Value>], into value: inout Value) throws(ProfileError) {
    for member in members where member.example != nil || self[member.key] != nil {
      let remedy = "write for example \(member.key.quoted): \(member.example ?? "")"
      try member.read(try required(member.key, remedy), &value)
    }
  }
}

/// One quantity of a fault, or of a host's settings: its key, its JSON form, and its rounder values.
struct FaultMember<Value: Sendable>: Sendable {
  typealias Path<Quantity> = WritableKeyPath<Value, Quantity> & Sendable

  let key: String
  /// An example value for the error if the key is missing; `nil` if the key is optional.
  let example: String?
  let read: @Sendable (FormatReader, inout Value) throws(ProfileError) -> Void
  /// Returns the quantity as JSON, or `nil` to omit the key.
  let write: @Sendable (Value) -> JSONValue?
  /// Returns copies with a rounder quantity, roundest first.
  let rounder: @Sendable (Value) -> [Value]

  private init<Quantity>(
    _ key: String, _ path: any Path<Quantity>, example: String?,
    _ read: @escaping @Sendable (FormatReader) throws(ProfileError) -> Quantity,
    _ write: @escaping @Sendable (Quantity) -> JSONValue?, _ rounder: @escaping @Sendable (Quantity) -> [Quantity]
  ) {
    (self.key, self.example) = (key, example)
    self.read = { reader, value throws(ProfileError) in value[keyPath: path] = try read(reader) }
    self.write = { write($0[keyPath: path]) }
    self.rounder = { value in
      rounder(value[keyPath: path]).map { quantity in
        var value = value
        value[keyPath: path] = quantity
        return value
      }
    }
  }

  static func place(_ key: String, _ path: any Path<BytePosition>) -> Self {
    Self(
      key, path, example: "\"1200 bytes\", or \"anywhere\"", { reader throws(ProfileError) in try reader.place() },
      { .string($0.description) }, \.rounder)
  }

  /// A duration; a shorter one makes the fault weaker, or a longer one if `isWeakerLater`.
  static func duration(
    _ key: String, _ path: any Path<Duration>, example: String? = "\"2 s\"", isWeakerLater: Bool = false
  ) -> Self {
    Self(
      key, path, example: example, { reader throws(ProfileError) in try reader.duration() },
      { .string($0.formatText) }, isWeakerLater ? \.rounder : \.rounderAndShorter)
  }

  /// An optional duration; if it belongs to a fault, which errors call `name`, it must be above zero.
  static func duration(
    _ key: String, _ path: any Path<Duration?>, of name: String? = nil, example: String? = nil
  ) -> Self {
    Self(
      key, path, example: example,
      { reader throws(ProfileError) in if let name { try reader.length(of: name) } else { try reader.duration() } },
      { $0.map { .string($0.formatText) } }, { $0?.rounderAndShorter ?? [] })
  }

  static func direction(_ key: String, _ path: any Path<Direction>) -> Self {
    Self(
      key, path, example: nil, { reader throws(ProfileError) in try reader.direction() },
      { $0 == .down ? nil : .string($0.rawValue) }, { _ in [] })
  }

  static func text(_ key: String, _ path: any Path<String>, of name: String, example: String) -> Self {
    Self(
      key, path, example: example.quoted, { reader throws(ProfileError) in try reader.string(name) },
      { .string($0) }, { _ in [] })
  }

  static func text(_ key: String, _ path: any Path<String?>, of name: String) -> Self {
    Self(
      key, path, example: nil, { reader throws(ProfileError) in try reader.string(name) },
      { $0.map { .string($0) } }, { _ in [] })
  }

  /// A whole number within a range, omitted in JSON if it equals `usual`; errors call it `name`.
  static func count(
    _ key: String, _ path: any Path<Int>, _ range: ClosedRange<Int>, of name: String, usually usual: Int? = nil,
    example: Int? = nil
  ) -> Self {
    Self(
      key, path, example: example.map { "\($0)" }, { reader throws(ProfileError) in try reader.count(range, name) },
      { $0 == usual ? nil : .number("\($0)") }, { _ in [] })
  }

  static func bytes(_ key: String, _ path: any Path<Int64>) -> Self {
    Self(
      key, path, example: nil, { reader throws(ProfileError) in try reader.bytes().bytes },
      { .string(ByteQuantity.bytes($0).description) }, { _ in [] })
  }

  static func flag(_ key: String, _ path: any Path<Bool>) -> Self {
    Self(key, path, example: nil, { reader throws(ProfileError) in try reader.bool() }, { .bool($0) }, { _ in [] })
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ key: String, _ path: any Path<Choice>, of name: String, example: Choice? = nil
  ) -> Self {
    Self(
      key, path, example: example?.rawValue.quoted,
      { reader throws(ProfileError) in try reader.choice(name) }, { .string($0.rawValue) }, { _ in [] })
  }
}
