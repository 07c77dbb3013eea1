import Foundation
import LinkSimulator
import NetworkConditions
import ProfileFormats
import Testing

struct MahimahiTests {
  @Test func `a mahimahi trace gives delivery opportunities, a period and a mean rate`() throws {
    let trace = try DeliveryTrace(mahimahi: Data("0\n1\n1\n250\n1000\n".utf8))
    #expect(trace.offsets == [0, 1_000_000, 1_000_000, 250_000_000, 1_000_000_000])
    #expect(trace.period == .seconds(1))
    #expect(trace.bytesPerOpportunity == 1_500)
    #expect(trace.meanRate == .kilobitsPerSecond(60))
    #expect(trace.mahimahi().text == "0\n1\n1\n250\n1000\n")
    #expect(try DeliveryTrace(mahimahi: Data("5\r\n7".utf8)).offsets == [5_000_000, 7_000_000])
  }

  /// Lines that Mahimahi refuses, and numbers that would overflow.
  @Test(arguments: [
    ("", 1, 1, "no line"), ("\n", 1, 1, "empty line"), ("1\n\n2", 2, 1, "empty line"), ("5\n4\n", 2, 2, "earlier"),
    ("0\n0\n", 2, 1, "ends at 0"), ("12x\n", 1, 3, "whole number"), ("-1\n", 1, 1, "whole number"),
    ("1 \n", 1, 2, "whole number"), ("99999999999999999999\n", 1, 11, "more than a year"),
    ("1\r2\n", 1, 2, "whole number"),
  ])
  func `an error in a mahimahi trace names line and column`(text: String, line: Int, column: Int, reason: String) {
    let error = #expect(throws: ProfileError.self) { try DeliveryTrace(mahimahi: Data(text.utf8)) }
    guard case .syntax(_, let l, let c, let said)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(l == line && c == column && said.contains(reason), "\(l) \(c) \(said)")
  }

  @Test func `a trace file larger than one read gives the same trace as in memory`() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("trace-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    // Longer than one piece, so that the end of a piece cuts a number.
    let data = Data((0..<60_000).map { "\($0 * 7)\n" }.joined().utf8)
    try data.write(to: url)
    let trace = try DeliveryTrace(mahimahi: url)
    #expect(trace == (try DeliveryTrace(mahimahi: data)))
    #expect(trace.mahimahi().data == data)
    #expect(throws: ProfileError.self) { try DeliveryTrace(mahimahi: url.appendingPathComponent("none")) }
  }

  @Test func `exporting a trace to mahimahi lists the values that it rounds`() throws {
    let trace = try #require(
      DeliveryTrace(offsets: [1_500_000], period: .milliseconds(10), bytesPerOpportunity: 100))
    let document = trace.mahimahi()
    #expect(document.text == "1\n10\n")
    #expect(document.losses.map(\.subject) == ["offsets", "period", "bytesPerOpportunity"])
  }
}
