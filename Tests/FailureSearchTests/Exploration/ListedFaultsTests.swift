import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

@testable import FailureSearch

/// The faults that an exploration lists for one answer of four bytes, in a run whose every packet takes 50 ms.
struct ListedFaultsTests {
  private static func timeline(_ scheme: String, _ response: StubResponse = .text("ab,c")) async throws -> Timeline {
    let link = LinkConditions(delay: .milliseconds(50))
    return try await Simulation(NetworkProfile(name: "far", down: link, up: link)) { network in
      (network.recordsContents, network.recordsPackets) = (true, true)
      network.stub("/*", with: response)
      _ = try await network.data(for: URLRequest(url: #require(URL(string: "\(scheme)://10.0.0.1/a"))))
    }.timeline
  }

  private static func members(_ kind: FaultKinds.Kind, _ timeline: Timeline) -> [PointClass.Member] {
    PointList(of: timeline, faultKinds: FaultKinds([kind])).classes.flatMap { points in
      (0..<points.count).map { points[$0] }
    }
  }

  @Test(arguments: ["http", "https"])
  func `an exploration lists the faults of each kind for one answer`(scheme: String) async throws {
    let timeline = try await Self.timeline(scheme)
    let contents = try #require(timeline.details.contents[0])
    let head = try #require(contents.headBytes)
    func expect(
      _ kind: FaultKinds.Kind, _ faults: [RequestFault], only: String? = nil,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let expected = only == scheme || only == nil ? faults : []
      let all = expected.map { ScheduledFault.request(.get, "\(scheme)://10.0.0.1/a", $0) }
      let listed = Self.members(kind, timeline).map(\.fault)
      #expect(
        listed.count == all.count && Set(listed) == Set(all), "\(kind): \(listed)", sourceLocation: sourceLocation)
    }
    let bytes = (0..<head + 4).map { BytePosition.bytes($0) }
    expect(.dns, [])
    expect(.refused, [.refused])
    expect(.connectTimeout, [.connectTimeout])
    expect(.tls, [.tlsFailure], only: "https")
    expect(.delay, [2, 10, 30, 59, 65].map { .delay(.seconds($0)) })
    expect(.page, [.loginPage])
    expect(.redirect, [.redirectToNowhere])
    expect(
      .status,
      [400, 401, 404, 408, 500, 502, 503, 504].map { .status(code: $0) } + [
        .status(code: 429, retryAfter: .seconds(5)),
        .status(code: 503, retryAfter: .seconds(5)), .status(code: 503, retryAfterDateIn: .seconds(5)),
        .status(code: 503, times: 3),
      ])
    expect(.goAway, [.goAway], only: "https")
    expect(.resetStream, [.resetStream(after: .bytes(0)), .resetStream(after: .bytes(head + 2))], only: "https")
    expect(.drip, [.drip(bytes: Int(head + 4) / 8, pause: .seconds(59))])
    expect(.shorten, [0, 2, 3].map { .shorten(to: .bytes($0)) })
    expect(.corrupt, (0..<4).map { .corrupt(at: .bytes($0)) }, only: "http")
    expect(.truncate, bytes.map { .truncate(after: $0) })
    expect(
      .reset,
      bytes.map { .reset(after: $0, direction: .down) }
        + (0..<contents.requestHeadBytes).map { .reset(after: .bytes($0), direction: .up) })
    expect(
      .stall,
      [.seconds(2), .seconds(65), nil].flatMap { length in bytes.map { .stall(after: $0, duration: length) } }
        + [0, head + 2].map { .stall(after: .bytes($0), duration: .seconds(59)) })
    expect(.slowClose, [.seconds(2), .seconds(59), .seconds(65)].map { .slowClose(delay: $0) })
    expect(.idleClose, [.zero, .seconds(1), .seconds(5)].map { .idleClose(after: $0) })
    let brownOuts = Self.members(.brownOut, timeline).map(\.fault)
    let lengths = [Duration.seconds(2), .seconds(600)]
    #expect(brownOuts == lengths.map { ScheduledFault(.brownOut(from: .zero, for: $0)) })
    let suspensions = Self.members(.suspend, timeline).compactMap { $0.fault.kind.span?.length }
    #expect(suspensions.count == 4 * Self.members(.cancel, timeline).count)
    #expect(Set(suspensions) == Set([2, 10, 30, 600].map { .seconds($0) }))
  }

  @Test func `a fault at a byte of an answer shows when that byte arrives`() async throws {
    let pieces: [(Duration, Data)] = [(.zero, Data("ab".utf8)), (.seconds(1), Data("cd".utf8))]
    let timeline = try await Self.timeline("http", .stream(pieces).framed(.untilClose))
    let head = try #require(timeline.details.contents[0]?.headBytes)
    let times = Self.members(.truncate, timeline).map { ($0.time.nanoseconds, "\($0.fault)") }
    // The head and the first two bytes arrive after four packets' times.
    #expect(times.count { $0.0 == 200_000_000 } == Int(head) + 3)
    #expect(times.count { $0.0 == 1_200_000_000 } == 1 && times.count == Int(head) + 4, "\(times)")
  }

  @Test func `beyond the known bytes of a body, one place in each segment is listed`() {
    #expect(ListedAnswer.places(known: 3, end: 3) == [0, 1, 2])
    #expect(ListedAnswer.places(known: 3, end: 3_000) == [0, 1, 2, 3, 1_451, 2_899])
    #expect(ListedAnswer.places(known: 3, end: 2_899) == [0, 1, 2, 3, 1_451])
  }
}
