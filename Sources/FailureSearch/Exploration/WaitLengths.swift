import NetworkConditions

/// Lengths of faults, chosen around the client's own waits: timers, deadlines, back-offs, keep-alives.
///
/// A client that compares times, for example because its token expires, shows no waits. So lengths are also doubled
/// until its behaviour stays the same.
struct WaitLengths: Hashable, Sendable {
  private(set) var waits: [Duration] = []
  /// Lengths beyond the usual ones, each twice the previous one.
  private(set) var beyond: [Duration] = []
  private(set) var hasMore = false

  /// The most waits around which lengths are tried; the longest are chosen.
  private static let most = 6
  /// The shortest wait that is used: shorter ones look like a link's own delay.
  private static let least = Duration.milliseconds(10)
  /// Two waits must differ by this factor: with closer ones, such as waits with jitter, runs hardly differ.
  private static let ratio = 1.25
  /// The distance of the edges from the end of a wait.
  private static let step = Duration.milliseconds(1)

  init() {}

  /// Chooses from all observed waits that are shorter than `limit`.
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

  var all: [Duration] { Set(Self.around(waits) + beyond).sorted() }

  static func around(_ waits: [Duration]) -> [Duration] { waits.flatMap { [$0 - step, $0 + step, $0 * 3 / 2] } }
}
