import Foundation
public import Internals

/// A run in one line, to be put into a bug report, a test, or `NETCOND_REPLAY`.
///
/// It holds either a schedule of faults or a profile with a seed, and guards itself by a checksum, and by a hash of the
/// profile and the package's version. It hides nothing: the URLs of a schedule are in it as texts show them.
public struct ReplayToken: Hashable, Sendable {
  /// The source of the adverse events of the run.
  public indirect enum Content: Hashable, Sendable {
    /// A schedule of faults.
    case schedule(FaultSchedule)
    /// Chance, by a seed, under a profile that begins so far into its phases.
    case seed(UInt64, NetworkProfile, start: Duration)
  }

  /// The schedule that the token holds, or the profile with the seed.
  public var content: Content

  /// Makes a token of a schedule.
  public init(_ schedule: FaultSchedule) {
    content = .schedule(schedule)
  }

  /// Makes a token of a profile and a seed.
  ///
  /// - Parameters:
  ///   - profile: the profile from its first phase on.
  ///   - seed: decides everything that is left to chance.
  ///   - start: how far into its phases the profile begins (``NetworkProfile/starting(at:)-(Duration)``).
  public init(_ profile: NetworkProfile, seed: UInt64, start: Duration = .zero) {
    content = .seed(seed, profile, start: start)
  }

  /// Reads a token.
  ///
  /// - Parameters:
  ///   - text: the token, `netcond1:` and what follows; spaces around it do no harm.
  ///   - acceptsStale: whether a token is taken whose profile or package has changed since: the run may differ then.
  /// - Throws: ``ReplayTokenError``, which says what is wrong and what to do.
  public init(_ text: String, acceptsStale: Bool = false) throws(ReplayTokenError) {
    self = try ReplayTokenFormat.read(text, acceptsStale: acceptsStale)
  }

  package static func isToken(_ text: String) -> Bool { ReplayTokenFormat.isToken(text) }

  /// The text of a token with any payload and the right checksum, so that damage behind the checksum can be tried.
  package static func text(signing payload: String) -> String { ReplayTokenFormat.signed(payload) }

  package var course: (profile: NetworkProfile, seed: UInt64, faults: FaultSource) {
    switch content {
    case .schedule(let schedule): (schedule.profile, schedule.seed, .replayed(schedule))
    case .seed(let seed, let profile, let start): (profile.begun(at: start), seed, .drawn)
    }
  }
}

extension ReplayToken: CustomStringConvertible {
  /// The token's text: `netcond1:` and what follows.
  public var description: String { ReplayTokenFormat.write(self) }
}

/// Why a token cannot be used.
public enum ReplayTokenError: ExplainedError, Hashable, Sendable {
  /// The text is no token at all.
  case foreign(String)
  /// The token is of a version that this package does not read.
  case newer(String)
  /// A part of the token is missing or was changed.
  case damaged(String)
  /// The profile or the package has changed since the token was made.
  case stale(String)

  /// One sentence that says what is wrong, and what to do.
  public var description: String { explanation.ending(sentence) }

  package var explanation: Explanation { .badToken }

  package var sentence: String {
    switch self {
    case .foreign(let text): "\(text.quoted) is no replay token; one begins with \"\(ReplayTokenFormat.prefix)\"."
    case .newer(let version):
      "The replay token is of version \(version); this package reads version \(ReplayTokenFormat.version). Use the package that it was made with, or a newer one."
    case .damaged(let reason): "The replay token is damaged: \(reason). Copy it again, in whole."
    case .stale(let reason):
      "The replay token is stale: \(reason). Search for the failure again, or read it with `ReplayToken(_:acceptsStale:)`."
    }
  }
}
