public import NetworkConditions

/// Logs of throughput over time, with values separated by commas, semicolons or tabs.
///
/// Each row holds until the time of the next, the last for ever; a header names the columns and their units, as in
/// `time (s),down (kbit/s),up (kbit/s),rtt (ms),loss (%)`, and those are the columns and units when it names none.
/// Without a header there are time, rate, round trip and loss. A rate of 0 carries nothing; an empty cell repeats the
/// one above; one rate alone counts for both directions. The round trip is halved each way, a loss counts for each.
///
/// The published logs of mobile networks are known by their layouts: six columns without a header, of which the last two
/// are bytes and milliseconds (HSDPA, Riiser et al., MMSys 2013; 4G, van der Hooft et al., IEEE Communications Letters
/// 2016), and `Timestamp,…,DL_bitrate,UL_bitrate,State,PINGAVG,…` (4G and 5G, Raca et al., MMSys 2018 and 2020), where
/// rows of state `I`, idle, say nothing of a rate.
///
/// Rows become phases, those that change nothing become none, and times count from the first row. Lost on export: what
/// a log has no column for, and that a profile begins again after its last phase. Units: decimal bits, RFC 4180 cells
/// without separators in them.
public struct ThroughputLogFormat: ProfileCoding {
  /// Creates the format.
  public init() {}

  /// The word that names the format on a command line.
  public var name: String { "csv" }
  /// A description of the format in one line.
  public var summary: String { "logs of throughput: time (s),down (kbit/s),rtt (ms)" }

  /// Reads all profiles of a document.
  public func profiles(in document: FormatDocument) throws(ProfileError) -> [ImportedProfile] {
    var reader = LogReader()
    try reader.read(try document.text(atMost: FormatDocument.largestSize), file: document.file)
    let rows = reader.rows
    var phases: [NetworkProfile.Phase] = []
    if rows.count > 1 {
      for (index, row) in rows.enumerated() {
        let end = index + 1 < rows.count ? rows[index + 1].time : nil
        phases.append(.init(for: end.map { .nanoseconds($0 - row.time) }, conditions: row.conditions))
      }
    }
    let profile = NetworkProfile(name: document.profileName(), base: rows[0].conditions, phases: phases)
    return [ImportedProfile(profile, from: self, losses: reader.losses.losses)]
  }

  /// Writes a profile, and lists what the format cannot hold of it.
  public func export(_ profile: NetworkProfile) -> ExportedDocument {
    var losses = LossList()
    SteadyConditions.listDecrees(profile, losses: &losses)
    if profile.repeats { losses.add("repeat", "a log ends; its last row holds for ever") }
    var lines = ["time (s),down (kbit/s),up (kbit/s),rtt (ms),loss (%)"]
    var time: Int64 = 0
    for phase in profile.schedule.phases {
      lines.append(Self.row(phase.conditions, at: time, &losses))
      let (next, overflow) = time.addingReportingOverflow(phase.duration?.wholeNanoseconds ?? 0)
      if overflow {
        losses.add("phases", "what comes after 292 years is left out")
        break
      }
      time = next
    }
    return ExportedDocument(text: lines.joined(separator: "\n") + "\n", losses: losses.losses)
  }

  private static func row(_ conditions: PathConditions, at time: Int64, _ losses: inout LossList) -> String {
    var conditions = SteadyConditions.bounded(conditions, &losses)
    if let outage = conditions.outage {
      losses.add(
        "outage", "\(outage.rawValue.quoted) is written as a rate of 0, at which packets wait for the end of it")
      conditions.outage = nil
      conditions.down.rate = .zero
      conditions.up.rate = .zero
    }
    var steady = SteadyConditions(conditions: conditions, losses: losses)
    steady.dropNameResolution()
    steady.keep(LinkAbilities(zeroRate: true))
    (conditions, losses) = (steady.conditions, steady.losses)
    RoundTripText.listUneven(conditions, &losses)
    let loss = RoundTripText.shared(conditions, &losses)
    let cells = [
      Duration.nanoseconds(time).secondText, conditions.down.rate?.kilobitsPerSecondText ?? "unlimited",
      conditions.up.rate?.kilobitsPerSecondText ?? "unlimited", conditions.roundTrip.millisecondText,
      loss?.percentText ?? "0",
    ]
    return cells.joined(separator: ",")
  }
}

extension ProfileCoding where Self == ThroughputLogFormat {
  /// Logs of throughput over time, with values separated by commas, semicolons or tabs.
  public static var throughputLog: ThroughputLogFormat { ThroughputLogFormat() }
}
