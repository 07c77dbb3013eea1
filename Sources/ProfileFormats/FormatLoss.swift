/// Something that did not survive the way from one format to another, and why.
public struct FormatLoss: Hashable, Sendable {
  /// What was lost or changed, as its side writes it, such as `duplicate 1%` or `down.jitter`.
  public let subject: String
  /// Why, and what stands in its place.
  public let reason: String

  /// Creates the record of a loss.
  public init(_ subject: String, _ reason: String) {
    self.subject = subject
    self.reason = reason
  }
}

extension FormatLoss: CustomStringConvertible {
  /// The loss in one line, such as `duplicate 1%: the simulator sends no packet twice`.
  public var description: String { "\(subject): \(reason)" }
}

/// A list of losses that holds none twice, and not more than a person would read.
struct LossList {
  private(set) var losses: [FormatLoss] = []
  private var known = Set<FormatLoss>()

  /// A damaged or hostile document could fill memory with losses.
  private static let most = 100

  mutating func add(_ subject: String, _ reason: String) {
    add([FormatLoss(subject, reason)])
  }

  mutating func add(_ others: [FormatLoss]) {
    for loss in others where losses.count <= Self.most && known.insert(loss).inserted {
      losses.append(losses.count < Self.most ? loss : FormatLoss("more", "what else cannot be held is not listed"))
    }
  }
}
