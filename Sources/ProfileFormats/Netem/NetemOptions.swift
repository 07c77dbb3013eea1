import LinkSimulator

/// The options of one netem queue, as they were written.
struct NetemOptions {
  /// What a delay is drawn from.
  enum Table: Equatable {
    case jitter(Jitter.Distribution)
    /// Measured values that iproute2 brings along and that have no formula.
    case experimental
  }

  /// How many packets the queue may hold, those that are being delayed among them; 1000 unless it is said otherwise.
  var limit: Int64 = 1_000
  /// Whether the limit was written down.
  var hasLimit = false
  /// In nanoseconds.
  var delay: Int64 = 0
  /// In nanoseconds.
  var jitter: Int64 = 0
  var correlation = Probability.zero
  /// `nil` when no distribution is given, for which the kernel draws evenly.
  var table: Table?
  var loss = LossModel.none
  var reordering = Probability.zero
  /// Every how manieth packet may be reordered.
  var gap = 1
  var duplication = Probability.zero
  var corruption = Probability.zero
  /// `nil`, as 0, is no limit.
  var rate: Bandwidth?
  /// What was written and cannot be simulated.
  var losses = LossList()
}
