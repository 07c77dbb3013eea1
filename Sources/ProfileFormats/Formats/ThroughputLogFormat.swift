import NetworkConditions

extension ProfileFormat {
  /// Logs of throughput over time, with values separated by commas, semicolons or tabs.
  ///
  /// A header names the columns and their units, as in `time (s),down (kbit/s),up (kbit/s),rtt (ms),loss (%)`; these
  /// are also the defaults. Without a header the columns are time, rate, round trip and loss. Each row holds until the
  /// next row's time, the last one for ever. A rate of 0 carries nothing. An empty cell repeats the one above. A single
  /// rate counts for both directions. Half of the round trip is the delay in each direction; a loss counts for each.
  ///
  /// Published logs of mobile networks are recognised by their columns. Six columns without a header, of which the last
  /// two are bytes and milliseconds: HSDPA (Riiser et al., MMSys 2013); 4G (van der Hooft et al., IEEE Communications
  /// Letters 2016). `Timestamp,…,DL_bitrate,UL_bitrate,State,PINGAVG,…` is 4G or 5G (Raca et al., MMSys 2018 and 2020).
  /// Rows in state `I`, idle, have no rate: the rate before holds on, and the import says for how many rows.
  ///
  /// Rows that change something become phases. Times count from the first row. Lost on export: values without a column,
  /// and whether a profile repeats. Bits are decimal. Cells are as in RFC 4180, but cannot contain separators.
  public static let throughputLog = ProfileFormat(ThroughputLogFormat())
}

struct ThroughputLogFormat: ProfileCoding {
  var name: String { "csv" }
  var summary: String { "logs of throughput: time (s),down (kbit/s),rtt (ms)" }

  func profiles(in document: FormatDocument) throws(ProfileError) -> [ImportedProfile] {
    var reader = LogReader()
    try reader.read(try document.text(atMost: FormatDocument.largestSize), file: document.file)
    let rows = reader.rows
    let phases = zip(rows, rows.dropFirst().map { $0.time } + [nil]).map { row, end in
      NetworkProfile.Phase(for: end.map { .nanoseconds($0 - row.time) }, conditions: row.conditions)
    }
    let profile = NetworkProfile(
      name: document.profileName(), base: rows[0].conditions, phases: rows.count > 1 ? phases : [])
    return [ImportedProfile(profile, from: self, losses: reader.losses.losses)]
  }

  func export(_ profile: NetworkProfile) -> ExportedDocument {
    var losses = LossList()
    SteadyConditions.listUnsupportedSettings(profile, losses: &losses)
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
        "outage", "\(outage.rawValue.quoted) is written as a rate of 0, at which packets wait for its end")
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
