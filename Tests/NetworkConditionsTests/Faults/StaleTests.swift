import Foundation
import Internals
import NetworkConditions
import Testing
import URLLoading

/// A cache that answers in the server's place with an earlier response.
struct StaleTests {
  private static let counter = URL(string: "https://api.example.com/count")!

  /// Gets a counter three times, a second apart, with a fault at the second request.
  private static func counts(
    _ match: RequestMatch = RequestMatch(method: "GET", nth: 2, url: counter.absoluteString), method: String = "GET",
    status: Int = 200, asking: [String: String] = [:], answering: [String: String] = ["Cache-Control": "max-age=1"]
  ) async throws -> Simulation<[String]> {
    let schedule = try FaultSchedule("3G", faults: [ScheduledFault(.request(match, .stale))])
    return try await Simulation(replaying: schedule) { network in
      let asked = Mutex(0)
      network.stub(.any, "/count") { _ in
        let count = asked.withLock {
          $0 += 1
          return $0
        }
        let answer = StubResponse.text("\(count)").status(count == 1 ? status : 200)
        return answering.reduce(answer) { $0.header($1.key, $1.value) }
      }
      var request = URLRequest(url: counter)
      request.httpMethod = method
      for (name, value) in asking { request.setValue(value, forHTTPHeaderField: name) }
      var counts: [String] = []
      for _ in 0..<3 {
        let (body, response) = try await network.session.data(for: request)
        let age = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Age")
        counts.append(String(decoding: body, as: UTF8.self) + (age.map { ", \($0) s old" } ?? ""))
        try await network.clock.sleep(for: .seconds(1))
      }
      return counts
    }
  }

  @Test func `a stale response is the last one to the same URL, with its age, and the server gets no request`()
    async throws
  {
    let run = try await Self.counts()
    #expect(run.value == ["1", "1, 1 s old", "2"])
    #expect(run.unusedFaults.isEmpty)
    #expect(run.timeline.events.contains { $0.kind == .fault("stale response of a cache") })
  }

  @Test func `a cache repeats the server's response, not its own`() async throws {
    let run = try await Self.counts(RequestMatch(method: "GET", url: Self.counter.absoluteString))
    #expect(run.value == ["1", "1, 1 s old", "1, 2 s old"])
  }

  @Test func `a cache has no response to a first request, to another method, or after an error`() async throws {
    let first = RequestMatch(method: "GET", nth: 1, url: Self.counter.absoluteString)
    let post = RequestMatch(method: "POST", nth: 2, url: Self.counter.absoluteString)
    for run in [
      try await Self.counts(first), try await Self.counts(post, method: "POST"), try await Self.counts(status: 404),
    ] {
      #expect(run.value == ["1", "2", "3"])
      #expect(run.unusedFaults.count == 1)
    }
  }

  @Test(arguments: [
    ["Authorization": "Bearer x"], ["Cache-Control": "No-Cache"], ["If-None-Match": "\"1\""], ["Range": "bytes=0-"],
  ])
  func `a request that a shared cache must pass on reaches the server`(fields: [String: String]) async throws {
    let run = try await Self.counts(asking: fields)
    #expect(run.value == ["1", "2", "3"] && run.unusedFaults.count == 1)
  }

  @Test(arguments: [
    ([:], false), (["Cache-Control": "max-age=0"], false), (["Cache-Control": "no-store"], false),
    (["Cache-Control": "private, max-age=60"], false),
    (["Cache-Control": "no-cache", "Expires": "Thu, 01 Jan 2026 00:01:00 GMT"], false),
    (["Cache-Control": "S-MaxAge=60"], true), (["Cache-Control": "public"], true),
    (["Expires": "Thu, 01 Jan 2026 00:01:00 GMT"], true), (["Last-Modified": "Wed, 31 Dec 2025 00:00:00 GMT"], true),
  ])
  func `a cache keeps only a response that shows how long it is fresh`(
    fields: [String: String], isKept: Bool
  ) async throws {
    let run = try await Self.counts(answering: fields)
    #expect(run.value == (isKept ? ["1", "1, 1 s old", "2"] : ["1", "2", "3"]))
    #expect(run.unusedFaults.isEmpty == isKept)
  }

  @Test(arguments: [("GET", 16 << 20, true), ("GET", 17 << 20, false), ("POST", 9, false)])
  func `a cache keeps whole responses to GET up to 16 MiB`(method: String, size: Int, isKept: Bool) async throws {
    let profile = NetworkProfile(name: "cached", faults: [FaultRule(.stale)])
    let run = try await Simulation(profile, seed: 1) { network in
      network.stub(.any, "/file", with: .bytes(count: size).header("Cache-Control", "max-age=5"))
      var request = URLRequest(url: url("https://api.example.com/file"))
      request.httpMethod = method
      let first = try await network.data(for: request).0
      request.httpMethod = "GET"
      #expect(try await network.data(for: request).0 == first)
    }
    #expect(run.timeline.events.contains { $0.kind == .fault("stale response of a cache") } == isKept)
  }

  @Test func `a profile's rule makes responses stale`() async throws {
    let profile = NetworkProfile(name: "cached", faults: [FaultRule(.stale, match: RequestMatch(nth: 2))])
    let values = try await Simulation(profile, seed: 1) { network in
      network.stub(
        "/news", with: .sequence(["old", "new", "newer"].map { .text($0).header("Cache-Control", "max-age=5") }))
      var texts: [String] = []
      for _ in 0..<3 {
        let (body, _) = try await network.session.data(from: url("https://api.example.com/news"))
        texts.append(String(decoding: body, as: UTF8.self))
      }
      return texts
    }.value
    #expect(values == ["old", "old", "new"])
  }
}
