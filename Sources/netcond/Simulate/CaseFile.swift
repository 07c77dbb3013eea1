import Foundation
import Internals
import NetworkConditions

/// The measured transfers of a file: `{"cases": [...]}`; other members are ignored.
struct CaseFile {
  let cases: [TransferCase]

  private static let kind = DocumentKind(
    "a file of cases", usually: "some hundred kilobytes", atMostMebibytes: 64, takesNonNumbers: true)

  init(_ list: [FormatReader], excess: Duration, limit: Duration) throws {
    cases = try list.map { try TransferCase($0, excess: excess, limit: limit) }
  }

  static func list(contentsOf path: String) throws -> [FormatReader] {
    let document = try Input.read(path, atMost: 64 << 20, file: kind.value(contentsOf:), stream: kind.value(json:file:))
    return try document.openObject(of: "a file of cases")
      .required("cases", "write for example {\"cases\": [...]}").elements(of: "the cases")
  }

  /// Whether the cases are workloads, which have many requests each.
  static func holdsWorkloads(_ list: [FormatReader]) -> Bool {
    list.contains { (try? $0.openObject(of: "a case"))?["workload"] != nil }
  }

  /// The cases that can be simulated, with their places in the file.
  var scenarios: [(place: Int, scenario: TransferScenario)] {
    cases.enumerated().compactMap { place, item in item.scenario.map { (place, $0) } }
  }

  /// Gives each case separate seeds: shared seeds would shift the results of all cases in the same direction.
  static func seed(_ seed: UInt64, ofCase place: Int) -> UInt64 { UInt64(place) << 32 | seed }
}
