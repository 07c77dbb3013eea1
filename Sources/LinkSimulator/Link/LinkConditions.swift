/// The conditions that packets meet in one direction of a network at one time.
///
/// In this order, for every packet: a drop-tail queue, serialisation at the rate, loss, propagation delay and jitter.
public struct LinkConditions: Hashable, Sendable {
  /// How much a link carries, and when.
  public enum Capacity: Hashable, Sendable {
    /// Everything at once.
    case unlimited
    /// Bits one after another; at ``Bandwidth/zero`` none.
    case rate(Bandwidth)
    /// Packets when they could be delivered while the trace was recorded.
    case trace(DeliveryTrace)
  }

  /// How much the link carries, and when.
  public var capacity: Capacity
  /// The one-way propagation delay, never negative: that is a precondition.
  public var delay: Duration { didSet { Self.check(delay) } }
  /// How many packets may wait, not counting the one being sent.
  public var queue: Int { didSet { Self.check(queue) } }
  /// Whether jitter may let a packet overtake another; otherwise order is kept.
  public var reorders: Bool
  /// The impairments of single packets, ``loss`` and ``jitter`` among them.
  var impairments = Impairments()

  /// The queue length of a link that does not say otherwise: 100 packets, a common default of access equipment.
  public static let defaultQueue = 100

  /// A link without a limit, a delay or a loss.
  public static let unlimited = LinkConditions()

  /// Creates the conditions of one direction; without a rate it is unlimited.
  public init(
    rate: Bandwidth? = nil, delay: Duration = .zero, jitter: Jitter? = nil, loss: LossModel = .none,
    queue: Int = LinkConditions.defaultQueue, reorders: Bool = false
  ) {
    Self.check(delay)
    Self.check(queue)
    capacity = rate.map(Capacity.rate) ?? .unlimited
    self.delay = delay
    self.queue = queue
    self.reorders = reorders
    self.jitter = jitter
    self.loss = loss
  }

  /// Creates the conditions of one direction that delivers as a trace was recorded.
  public init(
    delay: Duration = .zero, jitter: Jitter? = nil, loss: LossModel = .none, queue: Int = LinkConditions.defaultQueue,
    reorders: Bool = false, trace: DeliveryTrace
  ) {
    self.init(delay: delay, jitter: jitter, loss: loss, queue: queue, reorders: reorders)
    capacity = .trace(trace)
  }

  /// The rate of serialisation; `nil` without a limit, and where a trace says when packets are delivered.
  ///
  /// Setting it, also to `nil`, takes a trace away.
  public var rate: Bandwidth? {
    // Not inlined into other modules: there Swift 6.3.1's optimizer ends the enumeration's life before its last use, and
    // stops with "Found ownership error".
    @inline(never)
    get { if case .rate(let rate) = capacity { rate } else { nil } }
    set { capacity = newValue.map(Capacity.rate) ?? .unlimited }
  }

  /// The trace that says when packets are delivered; `nil` where none does.
  public var trace: DeliveryTrace? {
    @inline(never)
    get { if case .trace(let trace) = capacity { trace } else { nil } }
  }

  static func check(_ delay: Duration) {
    precondition(delay >= .zero, "a delay is never negative: \(delay)")
  }

  private static func check(_ queue: Int) {
    precondition(queue >= 0, "a queue holds no negative number of packets: \(queue)")
  }

  /// The rate on average: the rate itself, or the mean of the trace; `nil` is unlimited.
  public var meanRate: Bandwidth? { trace?.meanRate ?? rate }
}
