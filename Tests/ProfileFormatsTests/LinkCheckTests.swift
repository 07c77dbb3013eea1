import FormatFuzzing
import NetworkConditions
import ProfileFormats
import Testing

struct LinkCheckTests {
  /// The seed is fixed, so the result is always the same; the benchmark does the same with 1,000,000 packets.
  @Test(arguments: NetemCheck.lines.map(\.0))
  func `a simulated link behaves as its netem options say`(line: String) throws {
    let check = try #require(NetemCheck.lines.first { $0.0 == line }?.1)
    let link = try NetworkProfile(netem: line).base.down
    let findings = check.findings(link, packets: 20_000, seed: 4)
    #expect(!findings.isEmpty)
    for finding in findings {
      #expect(finding.holds, "\(finding.what): \(finding.measured) for \(finding.expected) ± \(finding.bound)")
    }
  }
}
