/// A failure or disturbance of a request, set by a profile or a test.
///
/// To add a fault, add a file here, a case of ``RequestFault`` and an entry in ``FaultFormat/kinds``. Profiles,
/// schedules, tokens, the timeline and shrinking need no change.
protocol Fault: Sendable {
  /// Creates the fault with default values, before its members are read.
  init()

  static var key: String { get }
  static var form: FaultForm<Self> { get }
  var requestFault: RequestFault { get }
  var words: String { get }
  var problem: String? { get }

  /// Whether the fault affects the response, so that it is placed, reported and applied when the response begins.
  var isOfResponse: Bool { get }
  /// Returns the fault at a definite place of a message; a random place is drawn. `nil` if the message is too short.
  func placed(in message: MessageLength, by chance: KeyedRandom) -> Self?
  func canHappen(to line: RequestLine) -> Bool
  /// The fault as the path applies it to the request's stream, with its place drawn; `nil` if the server applies it.
  var streamFault: StreamFault? { get }
  /// All faults that the path applies for this one; by default only ``streamFault``.
  var streamFaults: [StreamFault] { get }
  /// Applies the fault's effect on the server's answer; returns `false` if an earlier fault already decided that.
  func decide(in plan: inout FaultPlan) -> Bool

  /// Less harmful faults, the least harmful first; taking weaker faults repeatedly always ends.
  var weaker: [RequestFault] { get }
}

/// The size of a request or a response; the body's may be unknown at first.
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

  /// This fault with rounder numbers, roundest first: all numbers rounded at once, then each alone.
  var rounder: [Self] {
    let members = Self.form.members.filter { !$0.rounder(self).isEmpty }
    let together = members.count > 1 ? members.reduce([self]) { $0.flatMap($1.rounder) } : []
    return together + members.flatMap { $0.rounder(self) }
  }
}

/// A fault with a place in a message, counted from the start of its head.
protocol PlacedFault: Fault {
  var place: BytePosition { get set }
}

extension PlacedFault {
  var isOfResponse: Bool { true }

  func placed(in message: MessageLength, by chance: KeyedRandom) -> Self? {
    // A head may announce any length.
    let length = message.body.map { message.head + min($0, 1 << 50) }
    let fault = drawn(below: length ?? message.head + BytePosition.usualLength, by: chance)
    return fault.place.isWithin(length) ? fault : nil
  }

  /// Draws a random place below `count` (at least 1); a definite place stays.
  func drawn(below count: Int64, by chance: KeyedRandom) -> Self {
    var fault = self
    if place == .anywhere { fault.place = .bytes(chance.number(below: max(1, count))) }
    return fault
  }
}
