/// The conditions that packets meet in one direction of a network at one time.
///
/// In this order, for every packet: a drop-tail queue, serialisation at the rate, loss, propagation delay and jitter.
public struct LinkConditions: Hashable, Sendable {
  /// The rate of serialisation; `nil` is unlimited and ``Bandwidth/zero`` carries nothing.
  public var rate: Bandwidth?
  /// When the link can deliver, as it was recorded: stands in the place of ``rate``, which is not asked then.
  public var trace: DeliveryTrace?
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

  /// Creates the conditions of one direction.
  public init(
    rate: Bandwidth? = nil, delay: Duration = .zero, jitter: Jitter? = nil, loss: LossModel = .none,
    queue: Int = LinkConditions.defaultQueue, reorders: Bool = false, trace: DeliveryTrace? = nil
  ) {
    Self.check(delay)
    Self.check(queue)
    self.rate = rate
    self.delay = delay
    self.queue = queue
    self.reorders = reorders
    self.trace = trace
    self.jitter = jitter
    self.loss = loss
  }

  static func check(_ delay: Duration) {
    precondition(delay >= .zero, "a delay is never negative: \(delay)")
  }

  private static func check(_ queue: Int) {
    precondition(queue >= 0, "a queue holds no negative number of packets: \(queue)")
  }

  /// The mean rate of the link: its rate, or the mean of the trace; `nil` is unlimited.
  public var meanRate: Bandwidth? { trace?.meanRate ?? rate }
}
