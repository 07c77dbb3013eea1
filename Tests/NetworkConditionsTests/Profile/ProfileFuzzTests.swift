import Foundation
import LinkSimulator
import Testing

@testable import NetworkConditions

struct ProfileFuzzTests {
  /// Nothing may trap, and an error is one line that names the file.
  ///
  /// An accepted profile is read back unchanged.
  @Test func `each of 2000 damaged profiles gives a profile or a one-line error`() {
    let seeds = [ProfileFormatTests.tunnel, ProfileRoundTripTests.kindsText].map { Array($0.utf8) }
    let tokens = [
      "{", "}", "[", "]", "\"", ",", ":", "-", "1e999", "null", "true", "\\u", "\u{0}", "é", "99999999999 ",
    ]
    var accepted = 0
    for number in 0..<2_000 {
      let random = KeyedRandom(seed: 2_000).keyed(by: UInt64(number))
      var bytes = seeds[number % seeds.count]
      for step in 0..<(1 + random.bits % 2) {
        let draw = random.keyed(by: step)
        let place = Int(draw.keyed(by: 0).bits % UInt64(bytes.count))
        let length = min(Int(draw.keyed(by: 1).bits % 12), bytes.count - place)
        switch draw.bits % 5 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: draw.keyed(by: 2).bits)
        case 1: bytes.removeSubrange(place..<(place + length))
        case 2: bytes.insert(contentsOf: tokens[Int(draw.keyed(by: 2).bits % UInt64(tokens.count))].utf8, at: place)
        case 3: bytes.insert(contentsOf: bytes[place..<(place + length)], at: place)
        default:
          let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
          let digit = bytes[place...].firstIndex(where: digits.contains) ?? place
          bytes[digit] = UInt8(ascii: "0") + UInt8(draw.keyed(by: 2).bits % 10)
        }
      }
      do {
        let profile = try NetworkProfile(json: Data(bytes), file: "f.json")
        accepted += 1
        #expect(try NetworkProfile(json: Data(profile.formatText.utf8)) == profile, "input \(number)")
      } catch {
        #expect(error.description.hasPrefix("f.json: "), "input \(number): \(error)")
        #expect(!error.description.contains("\n") && error.description.count < 500, "input \(number): \(error)")
      }
    }
    // Changes within names and numbers leave a profile valid: if none or all were accepted, the test would prove
    // nothing.
    #expect((100..<1_500).contains(accepted), "\(accepted)")
  }

  @Test func `a profile truncated at any byte gives an error`() {
    let bytes = Array(ProfileFormatTests.tunnel.utf8)
    for length in bytes.indices.dropLast() {
      #expect(throws: ProfileError.self) { try NetworkProfile(json: Data(bytes[..<length])) }
    }
  }
}

extension ProfileRoundTripTests {
  /// A profile with a fault of each kind.
  static var kindsText: String { NetworkProfile(name: "kinds", faults: kinds.map { FaultRule($0) }).formatText }
}
