import LinkSimulator
import Testing

@testable import NetworkConditions

struct QuantityTests {
  @Test(arguments: [
    ("780 kbit/s", 780_000), ("1.6 Mbit/s", 1_600_000), ("0 bit/s", 0), ("2.5Gbit/s", 2_500_000_000),
    ("0.0004 kbit/s", 0), ("0.0005 kbit/s", 1), ("100000 Gbit/s", 100_000_000_000_000), ("007 bit/s", 7),
  ])
  func `a rate is read exactly`(text: String, bits: Int64) throws {
    #expect(try Bandwidth(parsing: text).bitsPerSecond == bits)
  }

  @Test(arguments: [
    ("100 ms", 100_000_000), ("1.5 s", 1_500_000_000), ("0.001 us", 1), ("2 min", 120_000_000_000),
    ("8760 h", 31_536_000_000_000_000), ("0 s", 0), ("0.1 s", 100_000_000),
  ])
  func `a duration is read exactly to the nanosecond`(text: String, nanoseconds: Int64) throws {
    #expect(try Duration(parsing: text) == .nanoseconds(nanoseconds))
  }

  /// 7 / 100 and 0.07 differ in their last bit; the written number counts.
  @Test(arguments: [("7 %", 0.07), ("0.1 %", 0.001), ("100 %", 1), ("0 %", 0), ("0.000001 %", 1e-8)])
  func `a probability is read exactly`(text: String, value: Double) throws {
    #expect(try Probability(parsing: text).value == value)
  }

  @Test(arguments: [
    ("1 byte", 1), ("1200 bytes", 1_200), ("3 B", 3), ("1.5 kB", 1_500), ("64 KiB", 65_536), ("1 MB", 1_000_000),
    ("0.5 MiB", 524_288), ("2 GB", 2_000_000_000), ("1 GiB", 1_073_741_824),
  ])
  func `a number of bytes is read in decimal and binary units`(text: String, bytes: Int64) throws {
    #expect(try ByteQuantity(parsing: text).bytes == bytes)
  }

  @Test func `a number of packets is read`() throws {
    #expect(try Int(packets: "100 packets") == 100)
    #expect(try Int(packets: "1 packet") == 1)
  }

  @Test(arguments: [
    ("12 parsecs", #""12 parsecs" is not a rate; write for example "780 kbit/s""#),
    ("780", #""780" has no unit; write for example "780 kbit/s""#),
    ("-1 kbit/s", #""-1 kbit/s" is negative; write for example "780 kbit/s""#),
    ("-inf bit/s", #""-inf bit/s" is not a rate; write for example "780 kbit/s""#),
    ("NaN bit/s", #""NaN bit/s" is not a rate; write for example "780 kbit/s""#),
    ("1e3 bit/s", #""1e3 bit/s" is not a rate; write for example "780 kbit/s""#),
    ("1,5 Mbit/s", #""1,5 Mbit/s" is not a rate; write for example "780 kbit/s""#),
    ("1. Mbit/s", #""1. Mbit/s" is not a rate; write for example "780 kbit/s""#),
    (".5 Mbit/s", #"".5 Mbit/s" is not a rate; write for example "780 kbit/s""#),
    ("٣ Mbit/s", #""٣ Mbit/s" is not a rate; write for example "780 kbit/s""#),
    ("100 ms", #""100 ms" is not a rate; write for example "780 kbit/s""#),
    ("", #""" is not a rate; write for example "780 kbit/s""#),
    ("1\n kbit/s", #""1\u{a} kbit/s" is not a rate; write for example "780 kbit/s""#),
    ("100000.1 Gbit/s", #""100000.1 Gbit/s" is more than 100000 Gbit/s; write for example "780 kbit/s""#),
    (
      "999999999999999999 Gbit/s",
      #""999999999999999999 Gbit/s" is more than 100000 Gbit/s; write for example "780 kbit/s""#
    ),
    (
      "9999999999999999999 bit/s",
      #""9999999999999999999 bit/s" has too many digits; write for example "780 kbit/s""#
    ),
  ])
  func `an error in a rate says what to write`(text: String, message: String) {
    let error = #expect(throws: ProfileError.self) { try Bandwidth(parsing: text) }
    #expect(error?.sentence == message)
    #expect(error?.errorDescription == "\(message) (netcond explain wrong-value)")
  }

  @Test func `a quantity with a wrong unit, a too large value or a fraction is refused`() {
    #expect(throws: ProfileError.quantity(reason: #""8761 h" is more than 8760 h; write for example "100 ms""#)) {
      try Duration(parsing: "8761 h")
    }
    #expect(throws: ProfileError.quantity(reason: #""120 %" is more than 100 %; write for example "1 %""#)) {
      try Probability(parsing: "120 %")
    }
    #expect(throws: ProfileError.quantity(reason: #""0.5" has no unit; write for example "1 %""#)) {
      try Probability(parsing: "0.5")
    }
    #expect(
      throws: ProfileError.quantity(reason: #""1.5 bytes" is not a whole number; write for example "1200 bytes""#)
    ) {
      try ByteQuantity(parsing: "1.5 bytes")
    }
    #expect(
      throws: ProfileError.quantity(
        reason: #""64 KiB" is not a number of packets; write for example "100 packets""#)
    ) {
      try Int(packets: "64 KiB")
    }
  }

  @Test func `the error for a very long quantity is one short line`() {
    let error = #expect(throws: ProfileError.self) { try Duration(parsing: String(repeating: "x\n", count: 100_000)) }
    #expect((error?.description.utf8.count ?? .max) < 300)
    #expect(error?.description.contains("\n") == false)
  }

  /// 3000 quantities of all magnitudes are written and read back.
  @Test func `random durations, rates, sizes and probabilities are read back equal`() throws {
    for number in 0..<1_000 {
      let random = KeyedRandom(seed: 7).keyed(by: UInt64(number))
      let magnitude = random.bits >> (16 + random.keyed(by: 1).bits % 48)
      let nanoseconds = Int64(magnitude) % Duration.longest.wholeNanoseconds
      let duration = Duration.nanoseconds(nanoseconds)
      #expect(try Duration(parsing: duration.formatText) == duration)
      let rate = try #require(Bandwidth(bitsPerSecond: Int64(magnitude) % Bandwidth.maximum.bitsPerSecond))
      #expect(try Bandwidth(parsing: rate.formatText) == rate)
      let count = ByteQuantity.bytes(Int64(magnitude) % ByteQuantity.maximum.bytes)
      #expect(try ByteQuantity(parsing: count.description) == count)
      let places = [1, 10, 1e3, 1e6][number % 4]
      let share = try #require(Probability((random.unit * places).rounded() / places))
      #expect(try Probability(parsing: share.formatText) == share)
    }
  }

  @Test(arguments: [1e-9, 1.4285714285714286e-06, 0.001 / 7, 3.3e-40, .leastNonzeroMagnitude])
  func `a very small probability is read back equal`(value: Double) throws {
    let share = try #require(Probability(value))
    #expect(try Probability(parsing: share.formatText) == share)
    #expect(try Duration(parsing: "0.\(String(repeating: "0", count: 60))9 h") == .zero)
  }
}
