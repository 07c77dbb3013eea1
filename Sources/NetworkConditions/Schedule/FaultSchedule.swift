public import Foundation
import Internals

/// A list of all faults in a run, which is enough to repeat the run.
///
/// A network that replays a schedule keeps its profile's base conditions: rates, delays and queues. Of loss, jitter,
/// phases and faults it has only the listed ones. So people can read, shorten and write a schedule:
///
/// ```swift
/// let schedule = try FaultSchedule(
///   "3G",
///   faults: [
///     .request(.post, "/pay", nth: 2, .reset(after: 1200)),
///     .outage(from: .seconds(4), for: .seconds(12)),
///   ])
/// let run = try await Simulation(replaying: schedule) { network in try await checkout(network) }
/// ```
public struct FaultSchedule: Hashable, Sendable {
  /// The profile that gives the base conditions and the phases that can be scheduled.
  public var profile: NetworkProfile
  /// The seed of harmless random choices, such as when a host's clock ticks.
  public var seed: UInt64
  /// The faults that happen in the run.
  public var faults: [ScheduledFault]

  /// Creates a schedule over a profile: a built-in one, one in a file, or one made in code.
  ///
  /// - Throws: an error with similar names, if no profile has the given name.
  public init<Source: ProfileSource>(
    _ profile: Source, seed: UInt64 = 0, faults: [ScheduledFault] = []
  ) throws(Source.ProfileFailure) {
    self.profile = try profile.networkProfile()
    self.seed = seed
    self.faults = faults
  }

  /// Reads a schedule from its JSON form, as ``formatText`` writes it.
  public init(json: Data, file: String = "schedule") throws(ProfileError) {
    self = try FaultScheduleFormat.read(try FaultScheduleFormat.kind.value(json: json, file: file))
  }

  /// The schedule as JSON, laid out for people, with units as in a profile.
  public var formatText: String { FaultScheduleFormat.write(self).prettyText }
}

extension FaultSchedule: CustomStringConvertible {
  /// The profile and the seed, and one line for each of the first faults.
  public var description: String { Excerpt.of(lines, "fault") }

  package var lines: [String] {
    let count = faults.isEmpty ? "no fault" : FigureText.count(faults.count, "fault")
    return ["\(profile.name), seed \(seed), \(count)"] + faults.map { "  \($0)" }
  }
}

extension FaultSchedule: Codable {
  /// Encodes the schedule in its JSON form.
  public func encode(to encoder: any Encoder) throws {
    try FaultScheduleFormat.write(self).encode(to: encoder)
  }

  /// Decodes a schedule from its JSON form.
  public init(from decoder: any Decoder) throws {
    let value = try JSONValue(from: decoder)
    do {
      self = try FaultScheduleFormat.read(FormatReader(value: value, file: "schedule", path: ""))
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: error.description))
    }
  }
}

extension FaultSchedule {
  func packetFaults(via: String?) -> [PacketFault] {
    faults.compactMap { fault in
      guard fault.via == via, case .packet(let packet, let effect) = fault.kind else { return nil }
      return PacketFault(effect, of: packet)
    }
  }
}
