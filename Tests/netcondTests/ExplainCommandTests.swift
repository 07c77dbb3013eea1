import Foundation
import Internals
import Testing

@testable import netcond

struct ExplainCommandTests {
  @Test func `the documentation lists every explanation of netcond explain in the same words`() throws {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../Sources/NetworkConditions/NetworkConditions.docc/WhenItSaysNo.md"), encoding: .utf8)
    #expect(Explanation.all.count > 10)
    for one in Explanation.all {
      #expect(page.contains("| `\(one.name)` | \(one.words) | \(one.why) \(one.remedy) |"), "\(one.name)")
    }
  }

  @Test func `netcond explain prints an explanation that fits the terminal, or all as JSON`() async throws {
    let one = await Shell(width: 80).run(["explain", "deadlock"])
    #expect(one.status == .done && one.output.contains("no request, timer or sleep is left"))
    #expect(one.lines.allSatisfy { $0.count <= 80 })
    let all = await Shell(width: 80).run(["explain", "--json"])
    let names = try (all.object["explanations"] as? [[String: String]])?.map { $0["name"] }
    #expect(all.status == .done && names == Explanation.all.map(\.name))
    let list = await Shell(width: 80).run(["explain"])
    #expect(Explanation.all.allSatisfy { list.output.contains($0.name) } && list.lines.allSatisfy { $0.count <= 80 })
  }

  @Test func `netcond explain suggests similar names for an unknown name`() async {
    let outcome = await Shell(width: 80).run(["explain", "deadlok"])
    #expect(outcome.status == .usage && outcome.error.contains("deadlock"), "\(outcome.error)")
  }
}
