import Testing
import Thoroughness

@testable import netcond

struct TourCommandTests {
  @Test(arguments: Thoroughness.cases(1, of: [80, 140]))
  func `the tour shows three tasks with their commands and fits the terminal`(width: Int) async {
    // Both `netcond` and `netcond tour` run the tour.
    let outcome = await Shell(width: width).run(width == 80 ? [] : ["tour"])
    #expect(outcome.status == .done)
    for line in outcome.lines { #expect(line.count <= width, "\(line)") }
    let titles = [
      "A download meets a tunnel", "An intermittent bug is found, cut down and kept as a test",
      "Which wait before a retry is best?",
    ]
    let places = titles.enumerated().compactMap { outcome.lines.firstIndex(of: "\($0 + 1)  \($1)") }
    #expect(places.count == 3 && places == places.sorted() && places.first == 0)
    #expect(outcome.lines.count { $0 == "yours:" } == 3)
    for line in TourStop.all.flatMap(\.yours) { #expect(outcome.lines.contains("  \(line)"), "\(line)") }
    // A tunnel, in the row of phases; a bug, and the token that repeats it; the answer, which names a policy.
    #expect(outcome.output.contains("tunnel╱") && outcome.output.contains("virtual "))
    #expect(outcome.output.contains("It takes: from 0 ms on, for 30 ms: the network is out"))
    #expect(outcome.output.contains("replaying: \"netcond1:"))
    #expect(outcome.output.contains("Fixed: No fault that was tried breaks feed under \"3G\": "))
    #expect(outcome.output.contains("Under wifi, full-jitter does best: 93"))
  }

  #if os(Linux)
    @Test func `the commands that the tour shows can be run`() async throws {
      let scratch = try Scratch()
      for line in TourStop.all.flatMap(\.yours) where line.hasPrefix("netcond ") {
        // Two seeds suffice to show that the command runs.
        let few = line.hasPrefix("netcond retry ") && !Thoroughness.isWhole ? " --seeds 2" : ""
        let output = try await Program.run("\(line)\(few)\necho ended with $?", in: scratch.folder)
        #expect(output.hasSuffix("ended with 0\n"), "\(output)")
      }
      #expect(scratch.names.contains("tunnel.html"))
    }
  #endif
}
