import Foundation
import JournalApp
import NetworkConditions
import NetworkConditionsTesting
import RetryBenchmark
import Testing
import URLLoading

// The tests of the journal, a small app: the page "A small app" shows them, one for each job.

struct JournalTests {
  @Test func `the journal opens over 3G within two seconds`() async throws {
    let entries = [Entry("Arrived."), Entry("Packed.")]
    let run = try await Simulation("3G", seed: 42) { network in
      network.stub(.get, "/entries", with: .json(entries))
      return try await JournalAPI(session: network.session, clock: network.clock).entries()
    }
    #expect(run.value == entries)
    #expect(run.elapsed < .seconds(2))
  }

  @Test func `a photo is uploaded again when its response was cut off`() async throws {
    let run = try await Simulation("cafe wifi", seed: 1) { network in
      let photos = network.stub(
        .put, "/photos/*", with: .sequence([.text("cut").failing(.networkConnectionLost, afterBytes: 1), .status(201)]))
      let api = JournalAPI(session: network.session, clock: network.clock)
      try await api.upload(Data(count: 200_000), of: Entry("Arrived."))
      return photos.requests.map(\.body.count)
    }
    #expect(run.value == [200_000, 200_000])
  }

  @Test(.network("tunnel", seeds: 0..<50))
  func `an entry that is written in a tunnel reaches the server`() async throws {
    let stored = NetworkUnderTest.network.stub(.put, "/entries/*", with: .status(201))
    let api = JournalAPI(session: NetworkUnderTest.session, clock: NetworkUnderTest.clock)
    try await api.store(Entry("A tunnel."))
    #expect(stored.requests.count >= 1)
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil), .network("3G", everyFault: 1))
  func `a written entry is either stored or still waiting after any single fault`() async throws {
    let network = NetworkUnderTest.network
    let entry = Entry("Arrived.", id: UUID(uuidString: "0E5C9D38-6A6B-4C8B-9B0E-5F0D6A1C2B3D")!)
    let stored = network.stub(.put, "/entries/*", with: .status(201))
    let waiting = try await network.launch { app in
      let api = JournalAPI(session: network.session, clock: network.clock)
      let outbox = Outbox(in: app.folder, api: api)
      if app.isFirst || outbox.waiting.isEmpty { try outbox.add(entry) }
      try? await outbox.flush()
      return outbox.waiting
    }
    #expect(waiting.isEmpty ? stored.requests.count >= 1 : waiting == [entry])
  }

  @Test func `the journal's retries succeed more often in the tunnel profile than no retries`() async throws {
    let benchmark = try RetryBenchmark(profiles: ["tunnel"], seeds: 0..<100)
    let report = try await benchmark.run([
      Candidate(named: "none"),
      Candidate(named: "full-jitter"),
      Candidate("journal") { network, request in
        _ = try await JournalAPI(session: network.session, clock: network.clock).send(request)
      },
    ])
    print(report)
    let (none, journal) = (report["tunnel", "none"], report["tunnel", "journal"])
    #expect(try #require(journal?.success.rate) > #require(none?.success.rate))
  }
}
