public import Foundation
public import NetworkConditions

/// Something that was lost or changed between two formats, and why.
public struct FormatLoss: Hashable, Sendable {
  /// The part that was lost or changed, in the words of its own format, such as `duplicate 1%` or `down.jitter`.
  public let subject: String
  /// Why the part was lost or changed, and what replaces it.
  public let reason: String

  init(_ subject: String, _ reason: String) {
    self.subject = subject
    self.reason = reason
  }
}

extension FormatLoss: CustomStringConvertible {
  /// The loss in one line, such as `duplicate 1%: the simulator sends no packet twice`.
  public var description: String { "\(subject): \(reason)" }
}

/// A list of losses without repetitions, of limited length.
struct LossList {
  private(set) var losses: [FormatLoss] = []
  private var known = Set<FormatLoss>()

  /// The most losses: a damaged or hostile document could otherwise fill the memory.
  private static let most = 100

  mutating func add(_ subject: String, _ reason: String) {
    add([FormatLoss(subject, reason)])
  }

  mutating func add(_ others: [FormatLoss]) {
    for loss in others where losses.count <= Self.most && known.insert(loss).inserted {
      losses.append(losses.count < Self.most ? loss : FormatLoss("more", "further losses are not listed"))
    }
  }
}

/// A profile read from another tool's format, with a list of the parts that the simulator cannot represent.
public struct ImportedProfile: Hashable, Sendable {
  /// The profile; its `source` names the format and the losses, so that a file written from it shows them, too.
  public var profile: NetworkProfile
  /// The parts of the document that the simulator cannot represent.
  public var losses: [FormatLoss]

  init(_ profile: NetworkProfile, from format: some ProfileCoding, losses: [FormatLoss] = []) {
    self.profile = profile
    self.losses = losses
    var source = "imported from \(format.name)"
    if !losses.isEmpty {
      let most = 20
      source += "; left out: \(losses.prefix(most).map(\.description).joined(separator: "; "))"
      if losses.count > most { source += "; and \(losses.count - most) more" }
    }
    self.profile.source = source
  }
}

/// A document for another tool, with a list of the parts that its format cannot hold.
public struct ExportedDocument: Hashable, Sendable {
  /// The document, in UTF-8.
  public let text: String
  /// The parts of the profile, or of the trace, that the format cannot hold.
  public internal(set) var losses: [FormatLoss] = []

  /// The bytes of the document.
  public var data: Data { Data(text.utf8) }
}
