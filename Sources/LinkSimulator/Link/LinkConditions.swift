/// The conditions for packets in one direction of a network at one time.
///
/// They apply in this order: drop-tail queue, serialisation at the rate, loss, propagation delay and jitter.
public struct LinkConditions: Hashable, Sendable {
  /// How fast a link sends packets.
  public enum Capacity: Hashable, Sendable {
    /// No limit: packets leave at once.
    case unlimited
    /// A constant rate; ``Bandwidth/zero`` sends nothing.
    case rate(Bandwidth)
    /// The delivery times of a recorded trace.
    case trace(DeliveryTrace)
  }

  /// How fast the link sends packets.
  public var capacity: Capacity
  /// The one-way propagation delay; a negative one is a precondition failure.
  public var delay: Duration { didSet { Self.check(delay) } }
  /// How many packets the queue holds, without the one being sent; a negative number is a precondition failure.
  public var queue: Int { didSet { Self.check(queue) } }
  /// Whether jitter may let a packet overtake another; otherwise packets keep their order.
  public var reorders: Bool
  /// The impairments of single packets, including ``loss`` and ``jitter``.
  var impairments = Impairments()

  /// The default queue length: 100 packets, common in access equipment.
  public static let defaultQueue = 100

  /// A link without a rate limit, delay or loss.
  public static let unlimited = LinkConditions()

  /// Creates the conditions of one direction; `nil` for `rate` means unlimited.
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

  /// Creates the conditions of one direction that delivers packets by a recorded trace.
  public init(
    delay: Duration = .zero, jitter: Jitter? = nil, loss: LossModel = .none, queue: Int = LinkConditions.defaultQueue,
    reorders: Bool = false, trace: DeliveryTrace
  ) {
    self.init(delay: delay, jitter: jitter, loss: loss, queue: queue, reorders: reorders)
    capacity = .trace(trace)
  }

  /// The rate of serialisation; `nil` without a limit or with a trace.
  ///
  /// Setting it, even to `nil`, removes the trace.
  public var rate: Bandwidth? {
    // Not inlined into other modules: there Swift 6.3.1's optimizer ends the value's lifetime before its last use, and
    // stops with "Found ownership error".
    @inline(never)
    get { if case .rate(let rate) = capacity { rate } else { nil } }
    set { capacity = newValue.map(Capacity.rate) ?? .unlimited }
  }

  /// The trace of delivery times; `nil` without one.
  public var trace: DeliveryTrace? {
    @inline(never)
    get { if case .trace(let trace) = capacity { trace } else { nil } }
  }

  static func check(_ delay: Duration) {
    precondition(delay >= .zero, "a delay cannot be negative: \(delay)")
  }

  private static func check(_ queue: Int) {
    precondition(queue >= 0, "a queue cannot hold a negative number of packets: \(queue)")
  }

  /// The average rate: the rate itself, or the trace's mean; `nil` is unlimited.
  public var meanRate: Bandwidth? { trace?.meanRate ?? rate }
}
