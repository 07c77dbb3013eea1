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

  /// Whether the cases are workloads, which have many requests each; throws if the file has transfers as well.
  static func holdsWorkloads(_ list: [FormatReader]) throws -> Bool {
    let kinds = list.map { try? $0.openObject(of: "a case")["workload"] != nil }
    guard let kind = kinds.lazy.compactMap(\.self).first else { return false }
    guard let other = kinds.firstIndex(of: !kind) else { return kind }
    let names = kind ? ("transfer", "workloads") : ("workload", "transfers")
    throw list[other].error("is a \(names.0), but the cases before it are \(names.1); use a file for each")
  }

  /// The cases that can be simulated, with their indices in the file.
  var scenarios: [(place: Int, scenario: TransferScenario)] {
    cases.enumerated().compactMap { place, item in item.scenario.map { (place, $0) } }
  }

  /// Gives each case separate seeds: shared seeds would shift the results of all cases in the same direction.
  static func seed(_ seed: UInt64, ofCase place: Int) -> UInt64 { UInt64(place) << 32 | seed }
}
