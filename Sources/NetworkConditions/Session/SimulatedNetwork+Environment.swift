public import Foundation
public import Internals

/// The network that the environment variables describe; see
/// ``SimulatedNetwork/fromEnvironment(pace:transport:options:environment:)``.
///
/// Here `NETCOND_SEED` may also be a range, such as `0..<1000`.
package struct NetworkEnvironment: Hashable, Sendable {
  package static let profileKey = "NETCOND_PROFILE"
  package static let seedKey = "NETCOND_SEED"
  package static let replayKey = "NETCOND_REPLAY"

  package var profile: NetworkProfile?
  /// The given seeds; a single seed is a range of one.
  package var seeds: Range<UInt64>?
  package var replay: ReplayToken?

  package init(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws(EnvironmentError) {
    if let text = environment[Self.replayKey], !text.isEmpty {
      do throws(ReplayTokenError) {
        replay = try ReplayToken(text)
      } catch {
        throw EnvironmentError(variable: Self.replayKey, reason: "\(error)")
      }
    }
    if let text = environment[Self.profileKey], !text.isEmpty {
      do throws(ProfileError) {
        profile = try text.networkProfile()
      } catch {
        throw EnvironmentError(variable: Self.profileKey, reason: "\(error)")
      }
    }
    if let text = environment[Self.seedKey], !text.isEmpty { seeds = try Self.seeds(text) }
  }

  private static func seeds(_ text: String) throws(EnvironmentError) -> Range<UInt64> {
    func wrong(_ reason: String) -> EnvironmentError {
      EnvironmentError(
        variable: seedKey, reason: "\(text.quoted) \(reason); write for example \"42\" or \"0..<1000\"")
    }
    if let seed = UInt64(text) {
      guard seed < .max else { throw wrong("is the one number that cannot be a seed of a range") }
      return seed..<seed + 1
    }
    guard let (low, end) = bounds(text) else { throw wrong("is neither a seed nor a range of seeds") }
    guard low < end else { throw wrong("is an empty range") }
    return low..<end
  }

  /// The first seed of `100..<300` or `100...299`, and the one after the last.
  package static func bounds(_ text: String) -> (UInt64, UInt64)? {
    let isClosed = text.contains("...")
    let parts = text.components(separatedBy: isClosed ? "..." : "..<")
    guard parts.count == 2, let low = UInt64(parts[0]), let high = UInt64(parts[1]), high < .max else { return nil }
    return (low, isClosed ? high + 1 : high)
  }
}

/// A mistake in an environment variable.
public struct EnvironmentError: ExplainedError, Hashable, Sendable {
  /// The variable's name.
  public let variable: String
  /// The mistake in the variable's value, and a right example.
  public let reason: String

  package init(variable: String, reason: String) {
    self.variable = variable
    self.reason = reason
  }

  /// The variable and the mistake, on one line.
  public var description: String { explanation.ending(sentence) }

  package var sentence: String { "\(variable): \(reason)" }
  package var explanation: Explanation { .environment }
}

extension SimulatedNetwork {
  /// Creates the network that the environment variables describe; `nil` if they describe none.
  ///
  /// ```swift
  /// let session = try SimulatedNetwork.fromEnvironment()?.session ?? .shared
  /// ```
  ///
  /// This puts an app or a whole test suite under a profile without further changes to its code. `NETCOND_PROFILE` is a
  /// profile's name or a `.json` file, optionally with its start (`tunnel@portal`, `mine.json@43 s`). `NETCOND_SEED` is
  /// a seed, or a range whose first seed counts. `NETCOND_REPLAY` is a replay token, which overrides both.
  ///
  /// - Parameters:
  ///   - pace: the speed of the network's time.
  ///   - transport: answers the requests that no stub answers; by default the real network.
  ///   - options: the network's patience, and the settings of the path's ends.
  ///   - environment: the variables.
  /// - Throws: ``EnvironmentError`` with the variable, its value and a right example.
  public static func fromEnvironment(
    pace: Pace = .realTime, transport: any Transport = URLSessionTransport(),
    options: NetworkOptions = NetworkOptions(),
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(EnvironmentError) -> SimulatedNetwork? {
    let asked = try NetworkEnvironment(environment)
    if let replay = asked.replay {
      return SimulatedNetwork(replaying: replay, pace: pace, transport: transport, options: options)
    }
    guard let profile = asked.profile else {
      guard asked.seeds == nil else {
        throw EnvironmentError(
          variable: NetworkEnvironment.seedKey,
          reason:
            "a seed alone does not name a network; also set \(NetworkEnvironment.profileKey), for example to \"3G\"")
      }
      return nil
    }
    return SimulatedNetwork(
      profile, seed: asked.seeds?.lowerBound ?? 0, pace: pace, transport: transport, options: options)
  }
}
