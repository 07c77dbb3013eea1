import LinkSimulator
import NetworkConditions

/// Reduces the schedule of a failure to the smallest one that fails with the same fingerprint.
///
/// First it removes faults: whole kinds, then by delta debugging. Then it tries one outage in place of several faults.
/// Then it makes faults weaker and rounder, and takes clients away. At last it tries once more to remove each fault.
///
/// At first the message must stay, too: a card charged twice must not become a card that was not charged. Messages with
/// times differ in each run, so with half of the runs used, or more than ``few`` faults left, the fingerprint is enough.
struct ScheduleReduction: Sendable {
  private var runner: SearchRunner
  let fingerprint: Fingerprint
  private(set) var schedule: FaultSchedule
  private(set) var runs: Int
  private var limit: Int
  private var length: Duration
  /// The message that must stay; `nil` if the fingerprint is enough.
  private var message: String?
  /// The candidates that were run before, each with its message if it failed with the same fingerprint.
  private var tried: [Reduced: String?] = [:]

  private struct Reduced: Hashable {
    var seed: UInt64
    var faults: [ScheduledFault]
    var clients: Int
  }

  init(
    runner: SearchRunner, failure: SearchRun.Failure, schedule: FaultSchedule, length: Duration, limit: Int, runs: Int
  ) {
    self.runner = runner
    fingerprint = failure.fingerprint
    // The words of an error of a transfer are the system's, and a run without an end has its time in its message.
    message = fingerprint.lastEvent == nil && !fingerprint.isSlow ? failure.message : nil
    self.schedule = schedule
    self.length = length
    self.limit = limit
    self.runs = runs
    // A run without any fault was made before, and does not fail.
    tried[Reduced(seed: schedule.seed, faults: [], clients: runner.clients)] = .some(nil)
  }

  var clients: Int { runner.clients }

  /// Whether a candidate was skipped, to leave runs for the last attempts.
  private var isCut = false

  var isComplete: Bool { !isCut && runs < limit }

  /// How many faults at most may be left while the message must stay.
  private static let few = 3

  mutating func run() async throws {
    let whole = limit
    limit = whole / 2
    try await reduce()
    limit = whole
    guard isCut || runs >= whole / 2 || schedule.faults.count > Self.few else { return }
    (message, isCut) = (nil, false)
    try await reduce()
  }

  private mutating func reduce() async throws {
    try await dropKinds()
    try await removeFaults()
    try await moveOneOutage()
    // With weaker faults, another fault may be unnecessary.
    for _ in 0..<Self.rounds {
      let before = schedule.faults
      try await weaken()
      try await round()
      try await reduceClients()
      try await removeFaults()
      if schedule.faults == before { return }
    }
  }

  private static let rounds = 3

  private mutating func accepts(_ faults: [ScheduledFault], seed: UInt64? = nil, clients: Int? = nil) async throws
    -> Bool
  {
    let reduced = Reduced(
      seed: seed ?? schedule.seed, faults: faults, clients: clients ?? runner.clients)
    if reduced.faults == schedule.faults, reduced.seed == schedule.seed, reduced.clients == runner.clients {
      return false
    }
    guard try await fails(reduced) else { return false }
    // The original seed does not fail without a fault. Another seed, or fewer clients, must not either.
    if reduced.seed != schedule.seed || reduced.clients != runner.clients {
      guard try await !fails(Reduced(seed: reduced.seed, faults: [], clients: reduced.clients)) else {
        return false
      }
    }
    (schedule.faults, schedule.seed, runner.clients) = (reduced.faults, reduced.seed, reduced.clients)
    return true
  }

  private mutating func fails(_ reduced: Reduced) async throws -> Bool {
    if let known = tried[reduced] { return isSame(known) }
    // Some runs are reserved for the last attempts to remove each fault.
    guard runs < limit - (reduced.faults.count < schedule.faults.count ? 0 : schedule.faults.count) else {
      isCut = true
      return false
    }
    runs += 1
    var attempt = runner
    attempt.clients = reduced.clients
    var next = schedule
    next.faults = reduced.faults
    next.seed = reduced.seed
    var failure: SearchRun.Failure?
    do {
      let verdict = try await attempt.verdict(ReplayToken(next))
      failure = verdict.failure?.fingerprint == fingerprint ? verdict.failure : nil
      if isSame(failure?.message) { length = verdict.length }
    } catch is SimulationError {
      // A run that cannot be carried to its end is a different failure.
    }
    tried[reduced] = .some(failure?.message)
    return isSame(failure?.message)
  }

  /// Whether a candidate failed in the same way, if this is its message.
  private func isSame(_ found: String?) -> Bool { found.map { message == nil || $0 == message } ?? false }

  /// Tries to remove whole kinds of faults, because hundreds of late packets are mostly irrelevant.
  private mutating func dropKinds() async throws {
    for kind in FaultClass.allCases {
      let rest = schedule.faults.filter { FaultClass(of: $0) != kind }
      if rest.count < schedule.faults.count { _ = try await accepts(rest) }
    }
  }

  /// Removes faults by delta debugging (Zeller, Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002).
  private mutating func removeFaults() async throws {
    var parts = 2
    while schedule.faults.count > 1, parts <= schedule.faults.count, runs < limit {
      let faults = schedule.faults
      var hasShrunk = false
      for part in 0..<parts {
        let range = faults.count * part / parts..<faults.count * (part + 1) / parts
        if parts > 2 || faults.count > 2, try await accepts(Array(faults[range])) {
          (parts, hasShrunk) = (2, true)
          break
        }
        let rest = Array(faults[..<range.lowerBound] + faults[range.upperBound...])
        var isAccepted = try await accepts(rest)
        if !isAccepted, range.count == 1, let earlier = faults[range.lowerBound].movingUp(rest) {
          isAccepted = try await accepts(earlier)
        }
        if isAccepted {
          (parts, hasShrunk) = (max(2, parts - 1), true)
          break
        }
      }
      if hasShrunk { continue }
      if parts == schedule.faults.count { return }
      parts = min(parts * 2, schedule.faults.count)
    }
  }

  // MARK: One outage for several faults

  /// Tries one outage in place of all faults.
  ///
  /// First it tries one from the first fault to the end of the last. Then it tries the whole run, and smaller and
  /// smaller parts of it. At last it tries the lengths that happened, at several places.
  private mutating func moveOneOutage() async throws {
    let spans = schedule.faults.compactMap(\.span)
    guard schedule.faults.count > 1, !spans.isEmpty || schedule.faults.contains(where: \.isLoss) else { return }
    let run = length.wholeNanoseconds
    var windows = spans.dropFirst().isEmpty ? [] : [spans.dropFirst().reduce(spans[0]) { $0.joined($1) }]
    for part in 0...Self.finestPart {
      let length = run >> part
      windows += stride(from: 0, through: run - length, by: max(1, Int(length / 2))).map { FaultSpan($0, length) }
    }
    let lengths = spans.compactMap(\.length)
    for length in Set(lengths + [lengths.reduce(0, +)]).sorted() where length > 0 {
      windows += (0..<Self.places).map { FaultSpan(run / Int64(Self.places) * Int64($0), length) }
    }
    let model = spans.first { $0.outage != nil } ?? spans.first
    for window in windows where try await accepts([window.outage(like: model)]) { return }
  }

  /// How small the tried outages become, as 1/2^n of the run; `places` is how many positions are tried for each length.
  private static let finestPart = 4
  private static let places: Int64 = 12

  private mutating func weaken() async throws {
    for place in schedule.faults.indices {
      var goesOn = true
      while goesOn, runs < limit {
        goesOn = false
        for weaker in schedule.faults[place].weaker where try await replaces(place, with: weaker) {
          goesOn = true
          break
        }
      }
    }
  }

  private mutating func round() async throws {
    for place in schedule.faults.indices {
      for rounder in schedule.faults[place].rounder where try await replaces(place, with: rounder) { break }
    }
    if schedule.seed != 0 { _ = try await accepts(schedule.faults, seed: 0) }
  }

  private mutating func replaces(_ place: Int, with fault: ScheduledFault) async throws -> Bool {
    var faults = schedule.faults
    guard faults[place] != fault else { return false }
    faults[place] = fault
    return try await accepts(faults)
  }

  private mutating func reduceClients() async throws {
    while runner.clients > 1, try await accepts(schedule.faults, clients: runner.clients / 2) {}
    while runner.clients > 1, try await accepts(schedule.faults, clients: runner.clients - 1) {}
  }
}

extension ScheduledFault {
  /// Moves faults of later requests with this request's match to the request before; returns `nil` if there are none.
  ///
  /// Without this fault, a client need not ask again.
  fileprivate func movingUp(_ others: [ScheduledFault]) -> [ScheduledFault]? {
    guard case .request(let own, _) = kind, let turn = own.nth else { return nil }
    let moved = others.map { other in
      guard case .request(var match, let fault) = other.kind, let nth = match.nth, nth > turn else { return other }
      match.nth = turn
      guard match == own, other.via == via else { return other }
      match.nth = nth - 1
      return ScheduledFault(.request(match, fault), via: via)
    }
    return moved == others ? nil : moved
  }
}

/// The kinds of faults that ``ScheduleReduction`` tries to remove as a whole, in this order.
private enum FaultClass: Hashable, CaseIterable {
  case packet(ImpairmentKind)
  case phase
  case outage
  case cancellation
  case kill
  case powerLoss
  case clockJump
  case brownOut
  case suspension
  case request

  static let allCases =
    ImpairmentKind.allCases.map { packet($0) } + [
      .phase, .outage, .cancellation, .kill, .powerLoss, .clockJump, .brownOut, .suspension, .request,
    ]

  init(of fault: ScheduledFault) {
    self =
      switch fault.kind {
      case .packet(_, let effect): .packet(effect.kind)
      case .phase: .phase
      case .outage: .outage
      case .cancellation: .cancellation
      case .kill: .kill
      case .powerLoss: .powerLoss
      case .clockJump: .clockJump
      case .brownOut: .brownOut
      case .suspension: .suspension
      case .request: .request
      }
  }
}
