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

  /// Runs every case with every seed, and returns the total times in order; empty for a case that cannot be simulated.
  func run(_ seeds: SeedRange, on workers: Workers, counting done: Locked<Int> = Locked(0)) async -> [[Duration?]] {
    let simulated = cases.indices.filter { cases[$0].scenario != nil }
    let totals = await workers.run(cases: simulated, seeds, counting: done) { [cases] place, seed in
      cases[place].scenario?.run(seed: seed).total
    }
    var samples = Array(repeating: [Duration?](), count: cases.count)
    for (place, totals) in zip(simulated, totals) { samples[place] = totals }
    return samples
  }

  func runs(_ seeds: SeedRange) -> Int {
    cases.count { $0.scenario != nil } * seeds.count
  }
}
