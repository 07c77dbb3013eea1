public import Foundation
import Internals

/// Everything adverse that happens in a run, and nothing else: a run can be repeated from it alone.
///
/// A network that replays a schedule keeps the rates, the delays and the queues of its profile's base conditions, and is
/// benign otherwise: no loss, no jitter, no phase, no fault but those that are listed. So a schedule can be read, cut
/// down, and written by hand:
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
  /// The profile whose base conditions hold, and whose phases may be scheduled.
  public var profile: NetworkProfile
  /// Decides what is left to chance and does no harm, such as where the tick of a host's clock falls.
  public var seed: UInt64
  /// The faults that happen in the run.
  public var faults: [ScheduledFault]

  /// Creates a schedule over a profile: one that is named or read from a file, or one that was made in code.
  ///
  /// - Throws: where a profile is named, an error that lists the names that resemble it.
  public init<Source: ProfileSource>(
    _ profile: Source, seed: UInt64 = 0, faults: [ScheduledFault] = []
  ) throws(Source.ProfileFailure) {
    self.profile = try profile.networkProfile()
    self.seed = seed
    self.faults = faults
  }

  /// Reads a schedule in its JSON form, as ``formatText`` writes it.
  public init(json: Data, file: String = "schedule") throws(ProfileError) {
    self = try FaultScheduleFormat.read(try FaultScheduleFormat.kind.value(json: json, file: file))
  }

  /// The schedule as JSON, laid out for people; quantities carry their units, as in a profile.
  public var formatText: String { FaultScheduleFormat.write(self).prettyText }
}

extension FaultSchedule: CustomStringConvertible {
  /// The profile and the seed, then one line for each fault, in words; of very many the first.
  public var description: String { Excerpt.of(lines, "fault") }

  package var lines: [String] {
    let count = faults.isEmpty ? "no fault" : faults.count == 1 ? "1 fault" : "\(faults.count) faults"
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
  func schedule(of profile: NetworkProfile, via: String?) -> ConditionSchedule {
    profile.schedule(under: faults.filter { $0.via == via })
  }

  func packetFaults(via: String?) -> [PacketFault] {
    faults.compactMap { fault in
      guard fault.via == via, case .packet(let packet, let effect) = fault.kind else { return nil }
      return PacketFault(effect, of: packet)
    }
  }
}
