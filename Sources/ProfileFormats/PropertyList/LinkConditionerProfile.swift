import NetworkConditions

enum LinkConditionerProfile {
  private static let directions = [("Downlink", Direction.down), ("Uplink", .up)]

  static let keys: Set<String> = [
    "DownlinkBandwidth", "DownlinkBandwidthUnit", "DownlinkDelay", "DownlinkPacketLossRatio", "UplinkBandwidth",
    "UplinkBandwidthUnit", "UplinkDelay", "UplinkPacketLossRatio", "DNSDelayValue", "DNSDelayValueUnit",
  ]

  static func read(
    _ members: [JSONValue.Member], path: String, _ file: String, _ name: String,
    _ format: LinkConditionerFormat
  ) throws(ProfileError) -> ImportedProfile {
    let values = Dictionary(members.map { ($0.key, $0.value) }) { _, last in last }
    let reader = Reader(values: values, path: path, file: file)
    var conditions = PathConditions()
    for (prefix, direction) in directions {
      var link = LinkConditions()
      let unit = try reader.number("\(prefix)BandwidthUnit", "a unit", times: 1, limit: 1) ?? 0
      let bits = try reader.number(
        "\(prefix)Bandwidth", unit == 0 ? "a rate in kbit/s" : "a rate in Mbit/s", times: unit == 0 ? 1_000 : 1_000_000,
        limit: Bandwidth.maximum.bitsPerSecond)
      if let bits, bits > 0 { link.rate = Bandwidth(bitsPerSecond: bits) }
      link.delay = .nanoseconds(try reader.milliseconds("\(prefix)Delay"))
      link.loss = .single(try reader.percent("\(prefix)PacketLossRatio"))
      conditions[direction] = link
    }
    conditions.dnsDelay = .nanoseconds(try reader.milliseconds("DNSDelayValue"))
    var losses = LossList()
    for member in members where !keys.contains(member.key) { listOther(member.key, member.value, &losses) }
    return ImportedProfile(NetworkProfile(name: name, base: conditions), from: format, losses: losses.losses)
  }

  private static func listOther(_ key: String, _ value: JSONValue, _ losses: inout LossList) {
    switch (key, value) {
    case ("Name", _), ("name", _), ("profileName", _), ("ExcludeLoopback", _): return
    case ("RunOnInterface", .string("All")), ("ProtocolFamily", .number("0")): return
    default:
      let reason = "\(value.shownInList) is about where a profile is applied, not about the network"
      losses.add(String(key.prefix(60)), reason)
    }
  }

  private struct Reader {
    let values: [String: JSONValue]
    let path: String
    let file: String

    private func error(_ key: String, _ reason: String) -> ProfileError {
      .value(file: file, path: path.isEmpty ? key : "\(path).\(key)", reason: reason)
    }

    private func decimal(_ key: String, _ what: String) throws(ProfileError) -> DecimalNumber? {
      guard let value = values[key] else { return nil }
      let text: String
      switch value {
      case .number(let written), .string(let written): text = written
      default: throw error(key, "\(value.shownInList) is not \(what)")
      }
      guard let number = DecimalNumber(text), !number.isNegative || number.isZero else {
        throw error(key, "\(value.shownInList) is not \(what)")
      }
      return number
    }

    func number(_ key: String, _ what: String, times factor: UInt64, limit: Int64) throws(ProfileError) -> Int64? {
      guard let number = try decimal(key, what) else { return nil }
      guard let count = number.count(times: factor, limit: limit) else {
        throw error(key, "\(values[key]?.shownInList ?? "it") is more than \(what) can be")
      }
      return count
    }

    func milliseconds(_ key: String) throws(ProfileError) -> Int64 {
      try number(key, "a delay in milliseconds", times: 1_000_000, limit: Duration.longest.wholeNanoseconds) ?? 0
    }

    func percent(_ key: String) throws(ProfileError) -> Probability {
      guard let number = try decimal(key, "a loss in per cent") else { return .zero }
      guard let share = number.percent else {
        throw error(key, "\(values[key]?.shownInList ?? "it") is more than a loss can be, 100 per cent")
      }
      return share
    }
  }
}
