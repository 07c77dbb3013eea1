import Internals
import NetworkConditions

/// One transfer of a file of measurements: what was sent over which link, and how long it took.
struct TransferCase {
  let link: String
  let kind: String
  let bytes: Int64
  /// The share of lost packets; `nil` when the link is a profile.
  let loss: Double?
  let congestionControl: String
  /// The family of similar cases that the file names; `nil` when there is none.
  let family: String?
  let measurement: Measurement
  /// The simulated transfer; `nil` when the simulator lacks its congestion control.
  let scenario: TransferScenario?

  /// The most bytes of a transfer, 100 GB: each of its 70 million packets is simulated.
  static let mostBytes: Int64 = 100_000_000_000
  static let mostParallel = 1_000
  /// The longest round trip or time of a case in seconds: a day.
  static let longest = 86_400.0
}

extension TransferCase {
  /// Reads a case; throws an error that names the case and the field, the value and its correction.
  ///
  /// - Parameters:
  ///   - excess: what the measuring setup added to each round trip.
  ///   - limit: the virtual time after which a run is given up.
  init(_ reader: FormatReader, excess: Duration, limit: Duration) throws {
    let fields = try reader.openObject(of: "a case")
    if let profile = fields["profile"] {
      try self.init(fields, over: profile, excess: excess, limit: limit)
    } else {
      try self.init(steady: fields, excess: excess, limit: limit)
    }
  }

  /// Reads a case whose link is given in numbers and does not change.
  private init(steady fields: FormatObject, excess: Duration, limit: Duration) throws {
    let down = try Self.field("down_kbps", "780", fields).number(0...Self.mostKilobits, "a rate in kbit/s")
    let up = try Self.field("up_kbps", "330", fields).number(0...Self.mostKilobits, "a rate in kbit/s")
    let roundTrip = try Self.field("rtt_ms", "200", fields)
      .number(0...Self.longest * 1_000, "a round trip in milliseconds")
    let loss = try Self.field("loss", "0.01", fields).number(0...1, "a probability")
    self.loss = loss
    family = nil
    let queue = try Self.field("queue_packets", "100", fields).wholeNumber(0...10_000_000, "a number of packets")
    let name = try Self.field("congestion_control", "\"cubic\"", fields)
    congestionControl = try name.string("a congestion control")
    let kind = try Self.field("kind", "\"get\"", fields)
    self.kind = try kind.string("a kind of transfer")
    bytes = try Self.field("bytes", "100000", fields).wholeNumber(0...Self.mostBytes, "a number of bytes")
    link = try fields["link"]?.string("a link's name") ?? ""
    _ = try fields["repeats"]?.wholeNumber(1...1_000_000_000, "a number of repetitions")
    measurement = try Measurement(fields)

    let control = try Self.control(name, congestionControl)
    // Rounded to nanoseconds; a hundred thousand seconds do not overflow.
    let way = Duration.nanoseconds(Int64((roundTrip * 1e6).rounded())) + excess
    let model: LossModel = Probability(loss).map { $0 > .zero ? .independent($0) : .none } ?? .none
    func direction(_ rate: Double, _ delay: Duration) -> LinkConditions {
      LinkConditions(rate: .kilobitsPerSecond(rate), delay: delay, loss: model, queue: Int(queue))
    }
    let half = Duration.nanoseconds(way.wholeNanoseconds / 2)
    let conditions = PathConditions(down: direction(down, half), up: direction(up, way - half))
    var scenario = try Self.scenario(kind, self.kind, bytes, over: ConditionSchedule(conditions))
    scenario.limit = limit
    scenario.configuration.congestionControl = control ?? .cubic
    self.scenario = control == nil ? nil : scenario
  }

  private static let mostKilobits = Double(Bandwidth.maximum.bitsPerSecond / 1_000)

  static func field(_ key: String, _ example: String, _ fields: FormatObject) throws -> FormatReader {
    let near = NearNames.find(key, among: fields.keys).first.map { "; did you write \"\($0.printable)\" instead?" }
    return try fields.required(key, "write for example \"\(key)\": \(example)\(near ?? "")")
  }

  /// The simulated congestion control with this name; `nil` when the simulator lacks it.
  static func control(
    _ reader: FormatReader, _ name: String
  ) throws -> PathConfiguration.CongestionControl? {
    if let control = PathConfiguration.CongestionControl(rawValue: name) { return control }
    let names = PathConfiguration.CongestionControl.allCases.map(\.rawValue)
    let near = NearNames.find(name, among: names, atMost: 3)
    let isName = !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    guard isName, near.isEmpty else {
      let remedy = NearNames.question(near) ?? "; write \(names.map { "\"\($0)\"" }.joined(separator: " or "))"
      throw reader.error("\(reader.value.shown) is not a congestion control\(remedy)")
    }
    return nil
  }

  private static func scenario(
    _ reader: FormatReader, _ kind: String, _ bytes: Int64, over schedule: ConditionSchedule
  ) throws -> TransferScenario {
    if kind.hasPrefix("h3-") {
      // A resumed connection sends no certificates.
      let isResumed = kind == "h3-get-resumed"
      var scenario = try scenario(reader, isResumed ? "get" : String(kind.dropFirst(3)), bytes, over: schedule)
      secureQuic(&scenario)
      if isResumed { scenario.configuration.certificates = 0 }
      return scenario
    }
    var scenario = TransferScenario(kind == "put" ? .put : .get, bytes: bytes, over: schedule)
    let parallel = "get-parallel"
    switch kind {
    case "get", "put": break
    case "get-warm": scenario.isWarm = true
    case _ where kind.hasPrefix(parallel):
      guard let number = Int(kind.dropFirst(parallel.count)), (1...mostParallel).contains(number),
        kind == "\(parallel)\(number)"
      else {
        throw reader.error(
          "\(reader.value.shown) does not say how many, from 1 to \(mostParallel); write for example \"get-parallel6\"")
      }
      scenario.parallel = number
      // Each transfer has a connection of its own.
      scenario.configuration.connectionsPerHost = number
    default:
      throw reader.error(
        "\(reader.value.shown) is not a kind of transfer; write \"get\", \"get-warm\", \"put\" or \"get-parallel6\", "
          + "over HTTP/3 with \"h3-\" before it")
    }
    return scenario
  }

  /// Makes the transfer use HTTP/3 as it was measured, with curl 8 and Caddy 2.6.
  ///
  /// The server has two small certificates for P-256 keys. Both ends compute for 1.5 ms. curl buffers 64 KiB of an upload.
  private static func secureQuic(_ scenario: inout TransferScenario) {
    (scenario.isSecure, scenario.version) = (true, .http3)
    scenario.configuration.certificates = 923
    scenario.configuration.handshakeComputing = .microseconds(1_500)
    scenario.configuration.uploadBuffer = 65_536
  }
}
