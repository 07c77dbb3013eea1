import Internals
import LinkSimulator
import NetworkConditions
import Testing

@testable import netcond

struct CaseReportTests {
  static func report() throws -> CaseReport {
    func text(_ changes: [String: String]) -> String {
      CaseFileTests.text(changes.merging(["samples_s": ""]) { own, _ in own })
    }
    let file = try CaseFileTests.file([
      text(["congestion_control": #""vegas""#]), text(["loss": "0", "total_s": #"{"median": 2}"#]),
      text(["loss": "0", "total_s": #"{"median": 4}"#]), text(["total_s": #"{"median": 1}"#]),
      text(["congestion_control": #""reno""#, "total_s": ""]),
    ])
    return CaseReport(
      cases: file.cases, seeds: SeedRange(count: 2),
      samples: [
        [], [.seconds(2), .seconds(2)], [.seconds(3), .milliseconds(3_400)], [.seconds(1), nil],
        [.seconds(1), .seconds(1)],
      ])
  }

  @Test func `the JSON of a case report has the samples of each case in the file's order`() throws {
    #expect(
      try Self.report().json.lineText
        == #"{"cases": [{"samples_s": []}, {"samples_s": [2, 2]}, {"samples_s": [3, 3.4]}, "#
        + #"{"samples_s": [1, null]}, {"samples_s": [1, 1]}]}"#)
  }

  @Test func `a case report has a row for each group and lists the worst cases`() throws {
    #expect(
      try Self.report().lines(width: 80, style: .none) == [
        "5 cases, 2 seeds each",
        "",
        "group           cases  median error    p90  worst  runs that ended",
        "cubic lossless      2          10 %   20 %   20 %              all",
        "cubic lossy         1         100 %  100 %  100 %           1 of 2",
        "reno lossy          1             –      –      –              all",
        "vegas lossy         1                                not simulated",
        "",
        "error: by how much the simulated median misses the measured one; the worst:",
        "",
        "case  link  kind       bytes  loss  measured  simulated  error",
        "   3  A     cubic get  14 kB   1 %       1 s          –  100 %",
        "   2  A     cubic get  14 kB   0 %       4 s      3.2 s   20 %",
        "   1  A     cubic get  14 kB   0 %       2 s        2 s    0 %",
      ])
  }

  @Test func `p90 of a case report is the tenth of eleven sorted errors`() throws {
    let cases = Array(repeating: CaseFileTests.text(["total_s": #"{"median": 1}"#, "samples_s": ""]), count: 11)
    let report = CaseReport(
      cases: try CaseFileTests.file(cases).cases, seeds: SeedRange(count: 1),
      samples: (0...10).map { [.milliseconds(1_000 + 10 * $0)] })
    let row = report.lines(width: 80, style: .none)[3]
    #expect(row.hasSuffix("  11           5 %  9 %   10 %              all"), "\(row)")
  }

  @Test func `of equally wrong cases a case report lists the first five`() throws {
    let cases = Array(repeating: CaseFileTests.text(["total_s": #"{"median": 1}"#, "samples_s": ""]), count: 6)
    let report = CaseReport(
      cases: try CaseFileTests.file(cases).cases, seeds: SeedRange(count: 1),
      samples: Array(repeating: [.seconds(2)], count: 6))
    let rows = report.lines(width: 80, style: .none).suffix(5)
    #expect(rows.map { $0.drop { $0 == " " }.prefix(1) } == ["0", "1", "2", "3", "4"], "\(rows)")
  }

  @Test func `a case that took no time when measured is wrong by 100 %`() throws {
    let file = try CaseFileTests.file([CaseFileTests.text(["total_s": #"{"median": 0}"#, "samples_s": ""])])
    let report = CaseReport(cases: file.cases, seeds: SeedRange(count: 1), samples: [[.seconds(1)]])
    let row = report.lines(width: 80, style: .none)[3]
    #expect(row.hasSuffix("  1         100 %  100 %  100 %              all"), "\(row)")
  }

  @Test func `a case report without measured times shows no errors`() throws {
    let file = try CaseFileTests.file([CaseFileTests.text(["total_s": "", "samples_s": ""])])
    let lines = CaseReport(cases: file.cases, seeds: SeedRange(count: 1), samples: [[.seconds(1)]])
      .lines(width: 80, style: .none)
    #expect(
      lines == [
        "1 case, 1 seed each", "", "group        cases  median error  p90  worst  runs that ended",
        "cubic lossy      1             –    –      –              all",
      ])
  }

  @Test func `a case report groups cases by family and by whether their measurements repeat`()
    throws
  {
    let file = try CaseFileTests.file([
      CaseFileTests.overProfile(["family": #""outage""#, "samples_s": "[1, 1.01, 1.02]"]),
      CaseFileTests.overProfile(["family": #""burst""#, "samples_s": "[1, 2, 3, 4, 5, 6, null, 8]"]),
    ])
    let samples = (1...8).map { Duration.seconds($0 * 10) }
    #expect(
      CaseReport(cases: file.cases, seeds: SeedRange(count: 2), samples: [[.seconds(1), .seconds(1)], samples])
        .lines(width: 80, style: .none) == [
          "2 cases, 2 seeds each",
          "",
          "group           cases  median error     p90   worst  alike  runs that ended",
          "repeats             1        0.99 %  0.99 %  0.99 %  100 %              all",
          "left to chance      1         900 %   900 %   900 %    0 %              all",
          "burst               1         900 %   900 %   900 %    0 %              all",
          "outage              1        0.99 %  0.99 %  0.99 %  100 %              all",
          "",
          "alike: not told apart by a Kolmogorov-Smirnov test at 1 %",
          "",
          "error: by how much the simulated median misses the measured one; the worst:",
          "",
          "case  link   kind       bytes  loss  measured  simulated   error",
          "   1  train  cubic get  14 kB     –     4.5 s       45 s   900 %",
          "   0  train  cubic get  14 kB     –    1.01 s        1 s  0.99 %",
        ])
  }

  @Test func `a case report gives the share of the cases whose simulated times are like the measured ones`() throws {
    let one = CaseFileTests.overProfile(["family": #""burst""#, "samples_s": "[1, 2, 3, 4, 5, 6, 7, 8]"])
    let samples = [1, 10].map { factor in (1...8).map { Duration.seconds($0 * factor) } }
    let cases = try CaseFileTests.file([one, one]).cases
    let report = CaseReport(cases: cases, seeds: SeedRange(count: 8), samples: samples)
    let row = try #require(report.lines(width: 80, style: .none).first { $0.hasPrefix("burst ") })
    #expect(row.hasSuffix("  50 %              all"), "\(row)")
  }

  @Test func `a case report's note names each unsupported congestion control once`() throws {
    #expect(try Self.report().note == "1 case has no samples: vegas is not simulated")
    let file = try CaseFileTests.file(
      ["vegas", "westwood", "vegas"].map { CaseFileTests.text(["congestion_control": "\"\($0)\""]) })
    let report = CaseReport(cases: file.cases, seeds: SeedRange(count: 1), samples: [[], [], []])
    #expect(report.note == "3 cases have no samples: vegas, westwood are not simulated")
    let whole = try CaseFileTests.file([CaseFileTests.text()])
    #expect(CaseReport(cases: whole.cases, seeds: SeedRange(count: 1), samples: [[nil]]).note == nil)
  }
}
