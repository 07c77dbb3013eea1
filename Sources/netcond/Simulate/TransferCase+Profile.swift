import NetworkConditions

extension TransferCase {
  /// Reads a case whose link is a profile with phases; the profile's rules and faults are ignored.
  init(_ fields: FormatObject, over reader: FormatReader, excess: Duration, limit: Duration) throws {
    let profile = try NetworkProfile(reader)
    var excess = excess
    if let given = fields["rtt_excess_s"] {
      let seconds = try given.number(0...Self.longest, "a time in seconds that is added to a round trip")
      excess = .nanoseconds(Int64((seconds * 1e9).rounded()))
    }
    var scenario = try Self.scenario(fields, over: profile.slower(by: excess).schedule)
    scenario.limit = limit
    let ends = profile.configuration
    var isSimulated = true
    var name = ends.congestionControl.rawValue
    scenario.configuration.congestionControl = ends.congestionControl
    if let given = fields["congestion_control"] {
      name = try given.string("a congestion control")
      let control = try Self.control(given, name)
      isSimulated = control != nil
      scenario.configuration.congestionControl = control ?? ends.congestionControl
    }
    self.init(
      link: profile.name, kind: try fields["kind"]?.string("a kind of transfer") ?? "", bytes: scenario.bytes,
      loss: nil, congestionControl: name, family: try fields["family"]?.string("the name of a family"),
      measurement: try Measurement(fields), scenario: isSimulated ? scenario : nil)
  }

  private static func scenario(_ fields: FormatObject, over schedule: ConditionSchedule) throws -> TransferScenario {
    let reader = try field("kind", "\"get\"", fields)
    let kind = try reader.string("a kind of transfer")
    let bytes = try size("bytes", fields)
    var scenario = TransferScenario(kind == "put" ? .put : .get, bytes: bytes, over: schedule)
    switch kind {
    case "get", "put": break
    case "tls": secure(&scenario)
    case "h2":
      secure(&scenario)
      scenario.version = .http2
      scenario.parallel = try count(fields)
    case "h3":
      secure(&scenario)
      scenario.version = .http3
      scenario.parallel = try count(fields)
    case "parallel":
      scenario.parallel = try count(fields)
      // Each transfer has a connection of its own.
      scenario.configuration.connectionsPerHost = scenario.parallel
    case "duplex":
      scenario.besideUpload = try size("put_bytes", fields)
    default:
      throw reader.error(
        "\(reader.value.shown) is not a kind of transfer over a profile; write \"get\", \"put\", \"tls\", \"h2\", \"h3\", "
          + "\"parallel\" or \"duplex\"")
    }
    return scenario
  }

  /// Adds the TLS handshake of the measurements: a self-signed certificate for a P-256 key.
  ///
  /// Computing takes 4.5 ms; curl 7.88 and nginx 1.22 with OpenSSL 3 were seen to take 3 to 5 ms.
  private static func secure(_ scenario: inout TransferScenario) {
    scenario.isSecure = true
    scenario.configuration.certificates = 410
    scenario.configuration.handshakeComputing = .microseconds(4_500)
  }

  private static func size(_ key: String, _ fields: FormatObject) throws -> Int64 {
    try field(key, "100000", fields).wholeNumber(0...mostBytes, "a number of bytes")
  }

  private static func count(_ fields: FormatObject) throws -> Int {
    Int(try field("count", "6", fields).wholeNumber(1...Int64(mostParallel), "a number of transfers"))
  }
}

extension NetworkProfile {
  /// Returns the profile with this much added to the round trip.
  func slower(by excess: Duration) -> NetworkProfile {
    let half = Duration.nanoseconds(excess.wholeNanoseconds / 2)
    return changing { conditions in
      conditions.down.delay += half
      conditions.up.delay += excess - half
    }
  }

  /// Returns the profile with a jitter that keeps packets in order, in each direction that has none.
  func noisier(by noise: Duration) -> NetworkProfile {
    guard noise > .zero, let jitter = Jitter(.uniform, spread: noise) else { return self }
    return changing { conditions in
      for direction in Direction.allCases where conditions[direction].jitter == nil {
        conditions[direction].jitter = jitter
      }
    }
  }
}
