import Foundation
public import Internals

/// A run in one line of text, for a bug report, a test, or `NETCOND_REPLAY`.
///
/// It contains a fault schedule, or a profile and a seed. A checksum detects damage. The package's version and a hash
/// of the profile detect changes. It is not encrypted: it contains the schedule's URLs as texts show them.
public struct ReplayToken: Hashable, Sendable {
  /// The source of the run's faults.
  public indirect enum Content: Hashable, Sendable {
    /// A schedule of faults.
    case schedule(FaultSchedule)
    /// A seed that decides all chance under a profile; the profile begins at `start` within its phases.
    case seed(UInt64, NetworkProfile, start: Duration)
  }

  /// The token's schedule, or its profile and seed.
  public var content: Content

  /// Creates a token of a fault schedule.
  public init(_ schedule: FaultSchedule) {
    content = .schedule(schedule)
  }

  /// Creates a token of a profile and a seed.
  ///
  /// - Parameters:
  ///   - profile: the profile from its first phase on.
  ///   - seed: decides all chance.
  ///   - start: the time within its phases at which the profile begins (``NetworkProfile/starting(at:)-(Duration)``).
  public init(_ profile: NetworkProfile, seed: UInt64, start: Duration = .zero) {
    content = .seed(seed, profile, start: start)
  }

  /// Reads a token.
  ///
  /// - Parameters:
  ///   - text: the token, `netcond1:` and the rest; surrounding spaces are ignored.
  ///   - acceptsStale: whether to accept a token whose profile or package has changed; its run may then differ.
  /// - Throws: ``ReplayTokenError`` with the mistake and the remedy.
  public init(_ text: String, acceptsStale: Bool = false) throws(ReplayTokenError) {
    self = try ReplayTokenFormat.read(text, acceptsStale: acceptsStale)
  }

  package static func isToken(_ text: String) -> Bool { ReplayTokenFormat.isToken(text) }

  /// Creates a token's text with any payload and a valid checksum, for tests of damaged payloads.
  package static func text(signing payload: String) -> String { ReplayTokenFormat.signed(payload) }

  package var inputs: (profile: NetworkProfile, seed: UInt64, faults: FaultSource) {
    switch content {
    case .schedule(let schedule): (schedule.profile, schedule.seed, .replayed(schedule))
    case .seed(let seed, let profile, let start): (profile.begun(at: start), seed, .drawn)
    }
  }
}

extension ReplayToken: CustomStringConvertible {
  /// The token's text: `netcond1:` and the rest.
  public var description: String { ReplayTokenFormat.write(self) }
}

/// The reason why a token cannot be used.
public enum ReplayTokenError: ExplainedError, Hashable, Sendable {
  /// The text is not a token.
  case foreign(String)
  /// The token's format is too new for this package.
  case newer(String)
  /// A part of the token is missing or changed.
  case damaged(String)
  /// The profile or the package has changed since the token was made.
  case stale(String)

  /// The mistake and the remedy, in one sentence.
  public var description: String { explanation.ending(sentence) }

  package var explanation: Explanation { .badToken }

  package var sentence: String {
    switch self {
    case .foreign(let text):
      "\(text.quoted) is not a replay token; a token begins with \"\(ReplayTokenFormat.prefix)\"."
    case .newer(let version):
      "The replay token has version \(version); this package reads version \(ReplayTokenFormat.version). Use the package that made it, or a newer one."
    case .damaged(let reason): "The replay token is damaged: \(reason). Copy the whole token again."
    case .stale(let reason):
      "The replay token is stale: \(reason). Search for the failure again, or read it with `ReplayToken(_:acceptsStale:)`."
    }
  }
}
