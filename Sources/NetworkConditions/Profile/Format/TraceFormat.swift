/// Reads and writes a delivery trace: `{ "milliseconds": "0 1 1 5 12", "period": "12 ms" }`, or with nanoseconds.
enum TraceFormat {
  static let key = "trace"
  private static let units: [(key: String, nanoseconds: Int64)] = [("milliseconds", 1_000_000), ("nanoseconds", 1)]

  static func read(_ reader: FormatReader) throws(ProfileError) -> DeliveryTrace {
    let object = try reader.object(keys: units.map(\.key) + ["period", "opportunity"], of: "a trace")
    let given = units.compactMap { unit in object[unit.key].map { (unit, $0) } }
    guard given.count == 1, let (unit, times) = given.first else {
      throw reader.error("a trace has its times either in \"milliseconds\" or in \"nanoseconds\"")
    }
    let offsets = try offsets(times, unit: unit.nanoseconds)
    guard let last = offsets.last else { throw times.error("a trace needs at least one time, such as \"0 1 5\"") }
    var period = Duration.nanoseconds(last)
    if let given = object["period"] {
      period = try given.length(of: "a trace")
      guard period.wholeNanoseconds >= last else {
        throw given.error("\(given.value.shown) ends before the last time, \(Duration.nanoseconds(last).formatText)")
      }
    } else if last == 0 {
      throw reader.error(
        "the key \"period\" is missing, since the last time is 0; write for example \"period\": \"1 s\"")
    }
    let bytes = try object["opportunity"]?.bytes().bytes ?? Int64(DeliveryTrace.mahimahiBytes)
    guard let count = Int(exactly: bytes),
      let trace = DeliveryTrace(offsets: offsets, period: period, bytesPerOpportunity: count)
    else {
      throw reader.error(
        "an opportunity must carry more than 0 bytes; write for example \"opportunity\": \"1500 bytes\"")
    }
    return trace
  }

  private static func offsets(_ reader: FormatReader, unit: Int64) throws(ProfileError) -> [Int64] {
    let text = try reader.string("the times of a trace")
    var offsets: [Int64] = []
    for word in text.utf8.split(separator: UInt8(ascii: " ")) {
      let number = Int64(Substring(word))
      guard let number, number >= 0, number <= Duration.longest.wholeNanoseconds / unit else {
        throw reader.error(
          "\(String(Substring(word.prefix(40))).quoted) is not a time; write whole numbers separated by spaces")
      }
      let offset = number * unit
      if let last = offsets.last, offset < last {
        throw reader.error("\(number) is earlier than the time before it, \(last / unit)")
      }
      offsets.append(offset)
    }
    return offsets
  }

  static func write(_ trace: DeliveryTrace) -> JSONValue {
    let isWhole = trace.offsets.allSatisfy { $0 % units[0].nanoseconds == 0 }
    let unit = isWhole ? units[0] : units[1]
    let times = trace.offsets.map { String($0 / unit.nanoseconds) }.joined(separator: " ")
    var members: [JSONValue.Member] = [.init(unit.key, .string(times))]
    if trace.offsets.last != trace.period.wholeNanoseconds {
      members.append(.init("period", .string(trace.period.formatText)))
    }
    if trace.bytesPerOpportunity != DeliveryTrace.mahimahiBytes {
      members.append(.init("opportunity", .string(ByteQuantity.bytes(Int64(trace.bytesPerOpportunity)).description)))
    }
    return .object(members)
  }
}
