import NetworkConditions

/// Lengths of faults that follow the client's own waits: timers, deadlines, back-offs, keep-alives.
///
/// A client that goes by the clock, such as one whose token expires, shows no waits. For it lengths are doubled until
/// its behaviour stays the same.
struct WaitLengths: Hashable, Sendable {
  private(set) var waits: [Duration] = []
  /// Lengths beyond the usual ones, each twice the one before.
  private(set) var beyond: [Duration] = []
  private(set) var hasMore = false

  /// Around so many waits lengths are tried, the longest first.
  private static let most = 6
  /// A shorter wait is no longer than what a link takes by itself.
  private static let least = Duration.milliseconds(10)
  /// Between waits that differ by less, as those with jitter do, a client's runs hardly differ.
  private static let ratio = 1.25
  /// How long before or after the end of a wait is just before or just after.
  private static let step = Duration.milliseconds(1)

  init() {}

  /// Chooses among all waits that were seen, those left out that are as long as `limit`.
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

  /// Just before and just after the end of each wait.
  var edges: [Duration] { waits.flatMap { [$0 - Self.step, $0 + Self.step] } }

  /// Just after the end of each wait, and well after it.
  var after: [Duration] { waits.flatMap { [$0 + Self.step, $0 * 3 / 2] } }

  var all: [Duration] { Set(Self.around(waits) + beyond).sorted() }

  static func around(_ waits: [Duration]) -> [Duration] { waits.flatMap { [$0 - step, $0 + step, $0 * 3 / 2] } }
}
