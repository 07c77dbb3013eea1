import NetworkConditions

/// Reads quantities as tc does (tc(8), iproute2's lib/utils.c and lib/utils_math.c).
///
/// The case of suffixes does not matter. Bit units are decimal unless they contain an i. A unit that ends in `bps`
/// counts bytes.
enum NetemUnits {
  /// The longest time that tc accepts, in nanoseconds: 2^32 ticks of 64 ns.
  static let longestTime: Int64 = 4_294_967_296 * 64

  private static let timeUnits: [String: UInt64] = [
    "s": 1_000_000_000, "sec": 1_000_000_000, "secs": 1_000_000_000, "ms": 1_000_000, "msec": 1_000_000,
    "msecs": 1_000_000, "us": 1_000, "usec": 1_000, "usecs": 1_000, "ns": 1, "nsec": 1, "nsecs": 1, "": 1_000,
  ]

  private static let rateUnits: [String: UInt64] = {
    var units: [String: UInt64] = ["bit": 1, "bps": 8, "": 1]
    for (index, letter) in ["k", "m", "g", "t"].enumerated() {
      let decimal = (0...index).reduce(UInt64(1)) { product, _ in product * 1_000 }
      let binary = UInt64(1) << (10 * UInt64(index + 1))
      units["\(letter)bit"] = decimal
      units["\(letter)ibit"] = binary
      units["\(letter)bps"] = decimal * 8
      units["\(letter)ibps"] = binary * 8
    }
    return units
  }()

  /// The units of sizes in bits, since a size may be given in bits.
  private static let sizeUnits: [String: UInt64] = [
    "": 8, "b": 8, "k": 8 << 10, "kb": 8 << 10, "m": 8 << 20, "mb": 8 << 20, "g": 8 << 30, "gb": 8 << 30,
    "kbit": 1 << 10, "mbit": 1 << 20, "gbit": 1 << 30,
  ]

  /// Reads a time and returns nanoseconds; a number without a unit counts microseconds.
  static func time(_ word: Word, _ what: String) throws(ProfileError) -> Int64 {
    let remedy = "write for example 100ms; the units are s, ms and us, and a bare number is microseconds"
    guard let (number, unit) = DecimalNumber.prefix(of: word.text), let factor = timeUnits[unit.lowercased()] else {
      throw word.error("\(word.shown) is not \(what), a time; \(remedy)")
    }
    guard !number.isNegative || number.isZero else { throw word.error("\(word.shown) is negative; \(remedy)") }
    guard let time = number.count(times: factor, limit: longestTime) else {
      throw word.error("\(word.shown) is longer than tc allows, 274.8 s")
    }
    return time
  }

  static func percent(_ word: Word, _ what: String) throws(ProfileError) -> Probability {
    guard let (number, unit) = DecimalNumber.prefix(of: word.text), unit.isEmpty || unit == "%" else {
      throw word.error("\(word.shown) is not \(what), a share in per cent; write for example 1%")
    }
    guard let share = number.percent else {
      throw word.error("\(word.shown) is not \(what), which must be from 0% to 100%")
    }
    return share
  }

  /// Reads a rate; a number without a unit counts bits per second.
  static func rate(_ word: Word) throws(ProfileError) -> Bandwidth {
    if word.text.contains("%") {
      throw word.error("\(word.shown) is a share of a device's speed, which is not known here; write for example 1mbit")
    }
    guard let (number, unit) = DecimalNumber.prefix(of: word.text), let factor = rateUnits[unit.lowercased()] else {
      throw word.error(
        "\(word.shown) is not a rate; write for example 1mbit; kbit and mbit are decimal bits, kbps and mbps are bytes")
    }
    guard !number.isNegative || number.isZero else { throw word.error("\(word.shown) is negative; a rate is not") }
    guard let bits = number.count(times: factor, limit: Bandwidth.maximum.bitsPerSecond),
      let rate = Bandwidth(bitsPerSecond: bits)
    else { throw word.error("\(word.shown) is more than 100 Tbit/s, the greatest rate that is simulated") }
    return rate
  }

  /// Reads a size in bytes, or a number of packets, which tc reads in the same way.
  static func size(_ word: Word, _ what: String) throws(ProfileError) -> Int64 {
    guard let (number, unit) = DecimalNumber.prefix(of: word.text), let factor = sizeUnits[unit.lowercased()],
      !number.isNegative || number.isZero
    else { throw word.error("\(word.shown) is not \(what), a whole number such as 1000") }
    guard let eighths = number.count(times: factor), eighths / 8 <= Int64(UInt32.max) else {
      throw word.error("\(word.shown) is more than tc allows for \(what), 4294967295")
    }
    return eighths / 8
  }

  static func whole(_ word: Word, _ range: ClosedRange<Int64>, _ what: String) throws(ProfileError) -> Int64 {
    guard let number = Int64(word.text), range.contains(number) else {
      throw word.error("\(word.shown) is not \(what), a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  static func text(_ rate: Bandwidth) -> String {
    let bits = rate.bitsPerSecond
    return switch bits {
    case _ where bits % 1_000_000_000 == 0: "\(bits / 1_000_000_000)gbit"
    case _ where bits % 1_000_000 == 0: "\(bits / 1_000_000)mbit"
    case _ where bits % 1_000 == 0: "\(bits / 1_000)kbit"
    default: "\(bits)bit"
    }
  }
}
