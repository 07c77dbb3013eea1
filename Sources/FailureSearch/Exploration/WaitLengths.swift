import NetworkConditions

/// Lengths of faults, chosen around the client's own waits: timers, deadlines, back-offs, keep-alives.
///
/// A client that goes by the clock, such as one whose token expires, shows no waits. For it lengths are doubled until
/// its behaviour stays the same.
struct WaitLengths: Hashable, Sendable {
  private(set) var waits: [Duration] = []
  /// Lengths beyond the usual ones, each twice the previous one.
  private(set) var beyond: [Duration] = []
  private(set) var hasMore = false

  /// The most waits around which lengths are tried; the longest are chosen.
  private static let most = 6
  /// The shortest wait that is used: a shorter one cannot be told from a link's own delay.
  private static let least = Duration.milliseconds(10)
  /// Two waits must differ by this factor: with closer ones, such as waits with jitter, runs hardly differ.
  private static let ratio = 1.25
  /// How far from the end of a wait its edges are.
  private static let step = Duration.milliseconds(1)

  init() {}

  /// Chooses among all waits that were seen; those of `limit` or longer are left out.
  init(_ seen: Set<Duration>, beyond: [Duration], below limit: Duration) {
    self.beyond = beyond
    let all = seen.filter { $0 >= Self.least && $0 < limit }.sorted(by: >)
    for wait in all where waits.last.map({ wait * Self.ratio <= $0 }) ?? true {
      if waits.count == Self.most {
        hasMore = true
        break
      }
      waits.append(wait)
    }
    waits.reverse()
  }

  /// The lengths just before and just after the end of each wait.
  var edges: [Duration] { waits.flatMap { [$0 - Self.step, $0 + Self.step] } }

  /// The lengths just after the end of each wait and half as long again.
  var after: [Duration] { waits.flatMap { [$0 + Self.step, $0 * 3 / 2] } }

  var all: [Duration] { Set(Self.around(waits) + beyond).sorted() }

  static func around(_ waits: [Duration]) -> [Duration] { waits.flatMap { [$0 - step, $0 + step, $0 * 3 / 2] } }
}
