public import Foundation
public import NetworkConditions

/// Something that did not survive the way from one format to another, and why.
public struct FormatLoss: Hashable, Sendable {
  /// The part that was lost or changed, as its side writes it, such as `duplicate 1%` or `down.jitter`.
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

/// A profile that was read from another tool's format.
public struct ImportedProfile: Hashable, Sendable {
  /// The profile; its source names the format and repeats the losses, so that a file made of it shows them, too.
  public var profile: NetworkProfile
  /// The parts of the format that the simulator cannot hold.
  public var losses: [FormatLoss]

  /// Creates a record of an import, and notes format and losses as the profile's source.
  public init(_ profile: NetworkProfile, from format: some ProfileCoding, losses: [FormatLoss] = []) {
    self.profile = profile
    self.losses = losses
    var source = "imported from \(format.name)"
    if !losses.isEmpty {
      let most = 20
      source += "; not held: \(losses.prefix(most).map(\.description).joined(separator: "; "))"
      if losses.count > most { source += "; and \(losses.count - most) more" }
    }
    self.profile.source = source
  }
}

/// A document that another tool reads, with what it could not hold.
public struct ExportedDocument: Hashable, Sendable {
  /// The document, in UTF-8.
  public let text: String
  /// The parts of the profile, or of the trace, that the format cannot hold.
  public let losses: [FormatLoss]

  /// Creates a record of an export.
  public init(text: String, losses: [FormatLoss] = []) {
    self.text = text
    self.losses = losses
  }

  /// The bytes of the document.
  public var data: Data { Data(text.utf8) }
}
