/// A failure or a disturbance of a request, set by a profile or a test.
///
/// A fault is one file of this folder, one case of ``RequestFault`` and one of ``FaultKind``. Profiles, schedules, tokens,
/// the timeline and shrinking follow from these.
protocol Fault: Sendable {
  /// The fault before its members are read.
  init()

  static var kind: FaultKind { get }
  static var form: FaultForm<Self> { get }
  var requestFault: RequestFault { get }
  var words: String { get }
  var problem: String? { get }

  /// Whether it strikes the response, so that it is placed, told and done when that begins.
  var isOfResponse: Bool { get }
  /// The fault at its place in a message, drawn where that is left to chance; `nil` where there is no such place.
  func placed(in message: MessageLength, by chance: KeyedRandom) -> Self?
  func canHappen(to line: RequestLine) -> Bool
  /// What the path inflicts on the request's stream, at a place that is drawn before; `nil` where the fault is not the
  /// path's.
  var streamFault: StreamFault? { get }
  /// All of them, where there are several; by default the one.
  var streamFaults: [StreamFault] { get }
  /// Adds the part of the fault that is not the path's; returns `false` where an earlier fault has decided the same.
  func decide(in plan: inout FaultPlan) -> Bool

  /// Faults that do less harm than this one, the most harmless first; each of them leads to another, until there is none.
  var weaker: [RequestFault] { get }
}

/// How many bytes a request or a response has; the body's may not be known when it begins.
typealias MessageLength = (head: Int64, body: Int64?)

extension Fault {
  static var form: FaultForm<Self> { .happens }
  var problem: String? { nil }
  var isOfResponse: Bool { false }
  func placed(in message: MessageLength, by chance: KeyedRandom) -> Self? { self }
  func canHappen(to line: RequestLine) -> Bool { true }
  var streamFault: StreamFault? { nil }
  var streamFaults: [StreamFault] { [streamFault].compactMap(\.self) }
  func decide(in plan: inout FaultPlan) -> Bool { true }
  var weaker: [RequestFault] { [.delay(.seconds(1))] }

  /// The same fault with rounder numbers, the roundest first: all of them at once, then each alone.
  var rounder: [Self] {
    let members = Self.form.members.filter { !$0.rounder(self).isEmpty }
    let together = members.count > 1 ? members.reduce([self]) { $0.flatMap($1.rounder) } : []
    return together + members.flatMap { $0.rounder(self) }
  }
}

/// A fault that strikes at a place in a message, counted from the beginning of its head.
protocol PlacedFault: Fault {
  var place: BytePosition { get set }
}

extension PlacedFault {
  var isOfResponse: Bool { true }

  func placed(in message: MessageLength, by chance: KeyedRandom) -> Self? {
    let fault = drawn(below: message.head + (message.body ?? BytePosition.usualLength), by: chance)
    return fault.place.isWithin(message.body.map { message.head + $0 }) ? fault : nil
  }

  /// The fault with its place drawn from so many, at least one, where that is left to chance.
  func drawn(below count: Int64, by chance: KeyedRandom) -> Self {
    var fault = self
    if place == .anywhere { fault.place = .bytes(chance.number(below: max(1, count))) }
    return fault
  }
}
