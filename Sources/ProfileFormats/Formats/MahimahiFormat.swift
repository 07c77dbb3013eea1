import Foundation
import NetworkConditions

extension ProfileFormat {
  /// Packet-delivery traces of Mahimahi's `mm-link`: one whole number of milliseconds on each line.
  ///
  /// A file is one direction: the upload if its name ends in `.up`, otherwise the download. The other direction has no
  /// limit. The profile's link delivers packets at the trace's own times (`DeliveryTrace`).
  ///
  /// On export the download is written: its trace, or the rates of its phases as evenly spaced opportunities. Only
  /// rates are kept, since Mahimahi has other commands for the rest (`mm-delay`, `mm-loss`). During an outage packets
  /// wait. Source: mm-link(1) and src/frontend/link_queue.cc of ravinet/mahimahi.
  public static let mahimahi = ProfileFormat(MahimahiFormat())
}

struct MahimahiFormat: ProfileCoding {
  var name: String { "mahimahi" }
  var summary: String { "a packet-delivery trace of one direction, .down or .up" }

  func profiles(in document: FormatDocument) throws(ProfileError) -> [ImportedProfile] {
    guard document.data.count <= FormatDocument.largestSize else {
      throw .unreadable(
        file: document.file,
        reason: "is larger than \(FormatDocument.largestSize >> 20) MiB; read it with DeliveryTrace(mahimahi:)")
    }
    let link = LinkConditions(trace: try DeliveryTrace(mahimahi: document.data, file: document.file))
    let isUpload = document.file.hasSuffix(".up")
    let profile = NetworkProfile(
      name: document.profileName(), down: isUpload ? .unlimited : link, up: isUpload ? link : .unlimited)
    return [ImportedProfile(profile, from: self)]
  }

  func export(_ profile: NetworkProfile) -> ExportedDocument {
    var losses = LossList()
    SteadyConditions.listUnsupportedSettings(profile, losses: &losses)
    let phases = profile.schedule.phases
    for phase in phases { Self.listLosses(of: phase.conditions, &losses) }
    let trace: DeliveryTrace
    if phases.count == 1, phases[0].conditions.outage == nil, let own = phases[0].conditions.down.trace {
      trace = own
    } else {
      losses.add(
        "down.rate", "a rate is written as opportunities, each for a packet of 1500 bytes, and is read back as them")
      trace = EvenOpportunities(profile, &losses).trace
    }
    let document = trace.mahimahi()
    losses.add(document.losses)
    return ExportedDocument(text: document.text, losses: losses.losses)
  }

  private static func listLosses(of conditions: PathConditions, _ losses: inout LossList) {
    if let outage = conditions.outage {
      losses.add(
        "outage", "\(outage.rawValue.quoted) is written as a time without opportunities, and packets wait for its end")
    }
    if conditions.up != .unlimited { losses.add("up", "a trace has one direction; the download is written") }
    if conditions.dnsDelay > .zero { losses.add("dns.delay", "a trace has no name resolution") }
    let down = conditions.down
    if down.delay > .zero { losses.add("down.delay", "\(down.delay.formatText) is what mm-delay is for") }
    for kind in ImpairmentKind.allCases where down.has(kind) {
      let why =
        switch kind {
        case .jitter: "a trace has no jitter except that of its opportunities"
        case .loss: "\(down.shown(.loss)) is what mm-loss is for"
        case .reordering, .duplication, .corruption: "\(down.shown(kind)) cannot be written in a trace"
        }
      losses.add("down.\(kind.name)", why)
    }
    if down.queue != LinkConditions.defaultQueue { losses.add("down.queue", "the queue is an option of mm-link") }
  }
}

/// Turns the rates of a profile's phases into delivery opportunities, evenly spaced to the millisecond.
private struct EvenOpportunities {
  let trace: DeliveryTrace

  /// For how long an endless phase is written: at most 10 s and about ten thousand packets; in nanoseconds.
  private static func endless(_ rate: Int64) -> Int64 {
    rate <= 12_000_000 ? 10_000_000_000 : rate <= 120_000_000 ? 1_000_000_000 : 100_000_000
  }
  /// The greatest rate that is written: 100 packets in a millisecond.
  private static let fastest = Bandwidth.megabitsPerSecond(1_200)
  private static let most = 1_000_000
  private static let millisecond: Int64 = 1_000_000

  init(_ profile: NetworkProfile, _ losses: inout LossList) {
    var offsets: [Int64] = []
    var start: Int64 = 0
    let phases = profile.schedule.phases
    if phases.count > 1, !profile.repeats { losses.add("repeat", "a trace repeats after its end") }
    for phase in phases {
      if phase.conditions.down.trace != nil { losses.add("down.trace", "within phases, only its mean rate is written") }
      let rate = Self.rate(phase.conditions, &losses)
      let length = Self.length(phase.duration ?? .nanoseconds(Self.endless(rate)))
      if length != phase.duration?.wholeNanoseconds, phases.count > 1 {
        losses.add("phases", "lengths are written in whole milliseconds, and only a part of an endless one")
      }
      let room = Self.most - offsets.count
      let wanted = Int128(rate) * Int128(length) / Int128(1_000_000_000) / Self.bits
      // A year is the longest duration of the profile format: anything longer could not be read back.
      if wanted > Int128(room) || length > Duration.longest.wholeNanoseconds - start {
        losses.add("phases", "what comes after \(Duration.nanoseconds(start).formatText) is left out: it is too long")
        break
      }
      for packet in 0..<Int128(wanted) {
        // A packet is delivered in the millisecond in which the rate has carried all of its bits.
        let time = ((packet + 1) * Self.bits * 1_000_000_000 / Int128(rate) + Int128(Self.millisecond) - 1)
        offsets.append(start + Int64(time) / Self.millisecond * Self.millisecond)
      }
      start += length
    }
    if start == 0 { start = Self.endless(0) }
    if offsets.isEmpty {
      losses.add("down.rate", "a trace has at least one opportunity, which is written at its end")
      offsets = [start]
    }
    offsets = offsets.map { min($0, start) }
    // The offsets are bounded and in order, and the period is above zero.
    guard let trace = DeliveryTrace(offsets: offsets, period: .nanoseconds(start)) else {
      preconditionFailure("opportunities lie in order within their period")
    }
    self.trace = trace
  }

  private static let bits = Int128(DeliveryTrace.mahimahiBytes * 8)

  private static func rate(_ conditions: PathConditions, _ losses: inout LossList) -> Int64 {
    if conditions.outage != nil { return 0 }
    guard let rate = conditions.down.meanRate, rate <= fastest else {
      losses.add("down.rate", "a rate above \(fastest.formatText) is written as that")
      return fastest.bitsPerSecond
    }
    return rate.bitsPerSecond
  }

  private static func length(_ duration: Duration) -> Int64 {
    max(millisecond, duration.wholeNanoseconds / millisecond * millisecond)
  }
}
