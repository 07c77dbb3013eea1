import Foundation
import Internals

/// Reads and writes tokens: `netcond1:`, one line of JSON in base64url (RFC 4648, section 5), a dot, and a checksum.
///
/// The checksum, FNV-1a, finds accidental damage, not manipulation.
enum ReplayTokenFormat {
  static let version = 1
  static let prefix = "netcond\(version):"
  private static let family = "netcond"
  private static let kind = DocumentKind("a replay token", usually: "a few hundred bytes", atMostMebibytes: 64)

  /// Whether a text starts like a token of any version.
  static func isToken(_ text: String) -> Bool {
    let version = text.dropFirst(family.count).prefix { $0 != ":" }
    return text.hasPrefix(family) && text.contains(":") && UInt64(version) != nil
  }

  static func write(_ token: ReplayToken) -> String {
    var members: [JSONValue.Member] = [.init("package", .string(PackageVersion.current))]
    switch token.content {
    case .schedule(let schedule):
      members.append(.init("hash", .string(hash(of: schedule.profile))))
      if case .object(let inner) = FaultScheduleFormat.write(schedule) { members += inner }
    case .seed(let seed, let profile, let start):
      members.append(.init("hash", .string(hash(of: profile))))
      if case .object(let inner) = FaultScheduleFormat.write(FaultSchedule(profile, seed: seed)) {
        members += inner.filter { $0.key != "faults" }
      }
      if start > .zero { members.append(.init("start", .string(start.formatText))) }
    }
    return signed(JSONValue.object(members).compactText)
  }

  static func signed(_ payload: String) -> String {
    // Base64 for URLs and file names, without padding (RFC 4648, section 5).
    let text = Data(payload.utf8).base64EncodedData().compactMap { (byte: UInt8) -> UInt8? in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: byte
      }
    }
    return "\(prefix)\(String(decoding: text, as: UTF8.self)).\(checksum(of: payload))"
  }

  static func read(_ text: String, acceptsStale: Bool) throws(ReplayTokenError) -> ReplayToken {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.hasPrefix(prefix) else {
      let version = text.dropFirst(family.count).prefix { $0 != ":" }
      guard text.hasPrefix(family), text.contains(":"), let number = UInt64(version), number > Self.version else {
        throw .foreign(text)
      }
      throw .newer("\(number)")
    }
    let parts = text.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw .damaged("its end is missing") }
    var base64 = parts[0].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    while base64.utf8.count % 4 != 0 { base64 += "=" }
    guard let data = Data(base64Encoded: base64), let payload = String(data: data, encoding: .utf8),
      checksum(of: payload) == parts[1]
    else { throw .damaged("its checksum is wrong") }
    let result: Result<ReplayToken, ReplayTokenError>
    do throws(ProfileError) {
      result = try read(try kind.value(json: data, file: "replay token"), acceptsStale: acceptsStale)
    } catch {
      throw .damaged("\(error)")
    }
    return try result.get()
  }

  private static func read(
    _ reader: FormatReader, acceptsStale: Bool
  ) throws(ProfileError) -> Result<ReplayToken, ReplayTokenError> {
    let object = try reader.openObject(of: "a replay token")
    let package = try object.required("package", "copy the token again").string("a version")
    let series = PackageVersion.series(of: package)
    if !acceptsStale, series != PackageVersion.series(of: PackageVersion.current) {
      return .failure(
        .stale("it was made with version \(package) of the package, and this is \(PackageVersion.current)"))
    }
    let start = try object["start"]?.duration() ?? .zero
    let inner = object.members.filter { !["package", "hash", "start"].contains($0.key) }
    let schedule: FaultSchedule
    do throws(ProfileError) {
      schedule = try FaultScheduleFormat.read(
        FormatReader(value: .object(inner), file: reader.file, path: reader.path))
    } catch {
      // A missing built-in profile or phase makes the token stale, not damaged.
      return .failure(acceptsStale ? .damaged("\(error)") : .stale("\(error)"))
    }
    if !acceptsStale, object["hash"]?.value != .string(hash(of: schedule.profile)) {
      return .failure(.stale("the profile \(schedule.profile.name.quoted) has changed since it was made"))
    }
    let isSchedule = object["faults"] != nil
    return .success(
      isSchedule ? ReplayToken(schedule) : ReplayToken(schedule.profile, seed: schedule.seed, start: start))
  }

  /// A cache of the last profile's hash, because a search writes a token for each run.
  private static let latest = Mutex<(profile: NetworkProfile, hash: String)?>(nil)

  /// A hash of a profile's behaviour, without its aliases, summary and source.
  private static func hash(of profile: NetworkProfile) -> String {
    if let latest = latest.withLock({ $0 }), latest.profile == profile { return latest.hash }
    var bare = profile
    (bare.aliases, bare.summary, bare.source) = ([], "", "")
    let hash = TraceHash(of: NetworkProfileFormat.write(bare).compactText).description
    latest.withLock { $0 = (profile, hash) }
    return hash
  }

  private static func checksum(of payload: String) -> String {
    String(TraceHash(of: payload).description.suffix(8))
  }
}

/// The package's version, in semantic versioning (semver.org).
package enum PackageVersion {
  package static let current = "0.1.0"

  /// The version without its patch number; within it, equal seeds give equal runs.
  static func series(of version: String) -> String {
    version.split(separator: ".").prefix(2).joined(separator: ".")
  }
}
