import NetworkConditions

extension ProfileFormat {
  /// Throttling settings of Lighthouse.
  ///
  /// `rttMs` and `throughputKbps` are the network that Lighthouse simulates. `requestLatencyMs`,
  /// `downloadThroughputKbps` and `uploadThroughputKbps` are the values that DevTools applies for it: 3.75 times the
  /// latency and 0.9 times the rate. The simulated values are preferred. Only the applied values have an upload, which
  /// is divided by 0.9. A Kbit has 1024 bits, 0 is no limit, and half of the round trip is the delay in each direction.
  ///
  /// A whole configuration (`settings`) and a report (LHR, `configSettings`) are read as well. With `devtools` as
  /// `throttlingMethod` the applied values count, under the model of DevTools (`PathConditions.Model.devTools`). A
  /// profile with that model is written in the same way.
  ///
  /// Lost on import: `cpuSlowdownMultiplier`, and applied values that belong to another network. Source: `throttling`
  /// in core/config/constants.js of GoogleChrome/lighthouse; core/lib/emulation.js for the 1024.
  public static let lighthouse = ProfileFormat(LighthouseFormat())
}

struct LighthouseFormat: ProfileCoding {
  var name: String { "lighthouse" }
  var summary: String { "throttling settings of Lighthouse: JSON, Kbps of 1024 bits" }

  private static let keys = [
    "name", "rttMs", "throughputKbps", "requestLatencyMs", "downloadThroughputKbps", "uploadThroughputKbps",
    "cpuSlowdownMultiplier",
  ]

  func profiles(in document: FormatDocument) throws(ProfileError) -> [ImportedProfile] {
    try document.readingJSON("throttling settings of Lighthouse", atMostMebibytes: 16) { reader throws(ProfileError) in
      if let settings = try Self.settings(reader) { return [try report(settings, of: document)] }
      return try NamedEntries.read(
        reader, of: "throttling settings", isEntry: { keys in keys.contains { Self.keys.contains($0) && $0 != "name" } }
      ) { name, entry throws(ProfileError) in
        try self.read(entry, name: document.profileName(name))
      }
    }
  }

  private static func settings(_ reader: FormatReader) throws(ProfileError) -> FormatReader? {
    guard case .object = reader.value else { return nil }
    let object = try reader.openObject(of: "a report of Lighthouse")
    return object["configSettings"] ?? object["settings"] ?? (object["throttlingMethod"] == nil ? nil : reader)
  }

  private func report(_ settings: FormatReader, of document: FormatDocument) throws(ProfileError) -> ImportedProfile {
    let object = try settings.openObject(of: "the settings of Lighthouse")
    let method = try object["throttlingMethod"]?.string("a method") ?? "simulate"
    guard ["simulate", "devtools"].contains(method) else {
      throw settings.error("throttlingMethod \(method.quoted) does not throttle; write \"simulate\" or \"devtools\"")
    }
    let throttling = try object.required(
      "throttling", "a configuration without it uses one of the profiles lighthouse.…")
    let name = try throttling.openObject(of: "throttling settings")["name"]?.string("a name")
    return try read(throttling, name: document.profileName(name), isApplied: method == "devtools")
  }

  private func read(
    _ reader: FormatReader, name: String, isApplied: Bool = false
  ) throws(ProfileError) -> ImportedProfile {
    let object = try reader.object(keys: Self.keys, of: "throttling settings")
    var losses = LossList()
    var simulatedTrip = try object["rttMs"]?.milliseconds("the round trip", limit: PathConditions.longestRoundTrip) ?? 0
    var simulatedRate = try Self.rate(object["throughputKbps"], over: 1, times: 1)
    if isApplied {
      let reason = "the method devtools applies only"
      if simulatedTrip > 0, object["requestLatencyMs"] == nil {
        losses.add("rttMs", "\(reason) requestLatencyMs, which is missing")
      }
      if simulatedRate != nil, object["downloadThroughputKbps"] == nil {
        losses.add("throughputKbps", "\(reason) downloadThroughputKbps, which is missing")
      }
      (simulatedTrip, simulatedRate) = (0, nil)
    }
    let appliedTrip =
      try object["requestLatencyMs"]?.count(
        "the latency in milliseconds", times: 100_000_000, over: isApplied ? 100 : 375,
        limit: PathConditions.longestRoundTrip) ?? 0
    let tenths: UInt64 = isApplied ? 10 : 9
    let appliedDown = try Self.rate(object["downloadThroughputKbps"], over: tenths, times: 10)
    let appliedUp = try Self.rate(object["uploadThroughputKbps"], over: tenths, times: 10)
    if simulatedTrip > 0, Self.differ(simulatedTrip, appliedTrip) {
      losses.add("requestLatencyMs", "it describes another network than rttMs, which is used")
    }
    if let simulatedRate, Self.differ(simulatedRate.bitsPerSecond, appliedDown?.bitsPerSecond ?? 0) {
      losses.add("downloadThroughputKbps", "it describes another network than throughputKbps, which is used")
    }
    if let processor = object["cpuSlowdownMultiplier"], try processor.decimal("a factor").double() != 1 {
      losses.add("cpuSlowdownMultiplier", "the simulator slows networks down, not processors")
    }
    var conditions = PathConditions()
    conditions.down.rate = simulatedRate ?? appliedDown
    conditions.up.rate = appliedUp ?? simulatedRate
    conditions.setRoundTrip(simulatedTrip > 0 ? simulatedTrip : appliedTrip)
    if isApplied, conditions.hasEffect { conditions.model = .devTools }
    return ImportedProfile(NetworkProfile(name: name, base: conditions), from: self, losses: losses.losses)
  }

  private static func rate(
    _ reader: FormatReader?, over divisor: UInt64, times factor: UInt64
  ) throws(ProfileError) -> Bandwidth? {
    guard let reader else { return nil }
    let bits = try reader.count(
      "a rate in Kbps", times: 1_024 * factor, over: divisor, limit: Bandwidth.maximum.bitsPerSecond)
    return bits == 0 ? nil : Bandwidth(bitsPerSecond: bits)
  }

  /// Whether two values contradict each other; a missing value or a rounding difference does not count.
  private static func differ(_ one: Int64, _ other: Int64) -> Bool {
    other != 0 && abs(Double(one) - Double(other)) > 0.005 * Double(one)
  }

  func export(_ profile: NetworkProfile) -> ExportedDocument {
    var steady = SteadyConditions(profile, models: PathConditions.Model.allCases)
    steady.dropNameResolution()
    if let outage = steady.conditions.outage {
      steady.losses.add("outage", "\(outage.rawValue.quoted) cannot be written for Lighthouse")
      steady.conditions.outage = nil
    }
    steady.keep(LinkAbilities(loss: false))
    let isApplied = steady.conditions.model == .devTools && steady.conditions.hasEffect
    let path = steady.conditions
    RoundTripText.listUneven(path, &steady.losses)
    if path.up.rate == nil, path.down.rate != nil {
      steady.losses.add(
        "up.rate", "an unlimited upload cannot be written beside a limited download, and is written like it")
    }
    let trip = Int128(path.roundTrip.wholeNanoseconds)
    let down = path.down.rate
    let up = path.up.rate ?? down
    // With the model of DevTools, a profile has applied values, but no network that Lighthouse could simulate.
    let simulated: [(String, JSONValue)] = [
      ("rttMs", .number(path.roundTrip.millisecondText)),
      ("throughputKbps", .number(Self.kilobits(down, tenths: 10))),
    ]
    let members: [(String, JSONValue)] =
      [("name", .string(profile.portableName))] + (isApplied ? [] : simulated) + [
        ("requestLatencyMs", .number(DecimalText.of(trip * (isApplied ? 100 : 375), places: 8))),
        ("downloadThroughputKbps", .number(Self.kilobits(down, tenths: isApplied ? 10 : 9))),
        ("uploadThroughputKbps", .number(Self.kilobits(up, tenths: isApplied ? 10 : 9))),
        ("cpuSlowdownMultiplier", .number("1")),
      ]
    let throttling = JSONValue.members(members)
    let document: JSONValue =
      isApplied ? ["settings": ["throttlingMethod": "devtools", "throttling": throttling]] : throttling
    return ExportedDocument(text: document.prettyText, losses: steady.losses.losses)
  }

  /// A rate in Kbit of 1024 bits, with the exact decimal digits: 1 / 1024 is 9765625 / 10^10.
  private static func kilobits(_ rate: Bandwidth?, tenths: Int128) -> String {
    DecimalText.of(Int128(rate?.bitsPerSecond ?? 0) * 9_765_625 * tenths, places: 11)
  }
}
