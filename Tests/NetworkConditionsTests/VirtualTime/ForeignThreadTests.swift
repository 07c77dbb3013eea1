import Dispatch
import NetworkConditions
import Testing
import URLLoading

/// Requests that a client resumes on threads of its own, while nothing else happens in a simulation.
@Suite struct ForeignThreadTests {
  private let feed = url("https://api.example.com/feed")

  /// The courses that so many runs take.
  private func courses(
    _ profile: some ProfileSource, runs: Int = 50, _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) async throws -> Set<String> {
    var courses: Set<String> = []
    for _ in 0..<runs {
      let run = try await Simulation(profile, seed: 1, body)
      courses.insert("\(run.elapsed) \(run.traceHash)")
    }
    return courses
  }

  @Test(arguments: ["unlimited", "3G", "tunnel"])
  func `no time passes while a request is started on a thread of dispatch`(_ profile: String) async throws {
    let profile = try profile == "unlimited" ? .unlimited : NetworkProfile.named(profile)
    let courses = try await courses(profile) { network in
      network.stub("/feed", with: .text("x"))
      let end: (any Error)? = await withCheckedContinuation { end in
        DispatchQueue.global().async {
          network.session.dataTask(with: feed) { _, _, error in end.resume(returning: error) }.resume()
        }
      }
      #expect(end == nil && network.now < .zero.advanced(by: .seconds(2)))
    }
    #expect(courses.count == 1)
  }

  @Test(arguments: ["3G", "tunnel"])
  func `a chain of requests from queue to queue takes one course`(_ profile: String) async throws {
    let courses = try await courses(profile) { network in
      network.stub("/feed", with: .bytes(count: 2_000))
      let queue = DispatchQueue(label: "client")
      await withCheckedContinuation { (end: CheckedContinuation<Void, Never>) in
        @Sendable func load(_ left: Int) {
          guard left > 0 else { return end.resume() }
          network.session.dataTask(with: feed) { _, _, _ in queue.async { load(left - 1) } }.resume()
        }
        load(12)
      }
    }
    #expect(courses.count == 1)
  }
}
