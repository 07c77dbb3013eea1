import FailureSearch
import Foundation
import Internals
import NetworkConditions
import PlantedClients
import Testing

/// Explores clients that write files and are killed between any two events and after each change of a file.
@Suite(.enabled(if: CaptureMode.obstacle == nil)) struct KilledClientTests {
  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  private static func explore(
    of kinds: Set<FaultKinds.Kind> = [.kill],
    _ client: @escaping @Sendable (SimulatedNetwork, URL) async throws -> Void
  ) async throws -> ExplorationReport {
    var exploration = try FailureSearch.everyFault(upTo: 1, of: kinds, under: "3G")
    exploration.timeLimit = nil
    let base = try #require(URL(string: "https://api.shop.test"))
    let report = try await exploration.run { try await client($0, base) }
    // The token alone repeats each failure.
    for failure in report.failures {
      let token = try ReplayToken(failure.token)
      await #expect(throws: SimulationFailure.self) {
        try await Simulation(replaying: token) { try await client($0, base) }
      }
    }
    return report
  }

  /// Repeats a call after a second until it succeeds.
  private static func insist(_ network: SimulatedNetwork, _ work: () async throws -> Void) async throws {
    for _ in 0..<3 {
      do { return try await work() } catch is URLError {}
      try await network.clock.sleep(for: .seconds(1))
    }
  }

  // MARK: Clients

  private static func sendMessages(named: Bool) async throws -> ExplorationReport {
    try await explore { network, base in
      let received = Mutex<(texts: [String], keys: Set<String>)>(([], []))
      network.stub(
        .post, "/messages",
        with: .handler { request in
          let text = request.httpBody.map { String(decoding: $0, as: UTF8.self) } ?? ""
          let key = request.value(forHTTPHeaderField: "Idempotency-Key")
          received.withLock { state in
            if key.map({ state.keys.insert($0).inserted }) ?? true { state.texts.append(text) }
          }
          return .status(201)
        })
      try await network.launch { app in
        let outbox = StoredOutbox(folder: app.folder, base: base, session: network.session, namesMessages: named)
        if app.isFirst { for text in ["milk", "eggs"] { try outbox.add(text) } }
        try await insist(network) { try await outbox.flush() }
      }
      let texts = received.withLock { $0.texts }
      if Set(texts).count < texts.count { throw Wrong(description: "sent twice: \(texts)") }
    }
  }

  private static func upload(inOneStep: Bool) async throws -> ExplorationReport {
    try await explore { network, base in
      let data = Data((0..<60).map { UInt8($0) })
      let received = Mutex(Data())
      network.stub(
        .patch, "/upload",
        with: .handler { request in
          let part = request.httpBody ?? Data()
          guard let start = request.value(forHTTPHeaderField: "Upload-Offset").flatMap({ Int($0) }) else {
            return .status(400)
          }
          return received.withLock { all in
            // The last received part may arrive again.
            if start == all.count { all.append(part) }
            return .status(start + part.count == all.count ? 204 : 409)
          }
        })
      try await network.launch { app in
        let upload = StoredUpload(
          folder: app.folder, base: base, session: network.session, savesInOneStep: inOneStep)
        try await insist(network) { try await upload.send(data, inPartsOf: 20) }
      }
      if received.withLock({ $0 }) != data { throw Wrong(description: "the upload is not whole") }
    }
  }

  private static func pay(
    keyFirst: Bool, synchronised: Bool = true, of kinds: Set<FaultKinds.Kind> = [.kill]
  ) async throws -> ExplorationReport {
    try await explore(of: kinds) { network, base in
      let payments = Mutex<Set<String>>([])
      network.stub(
        .post, "/pay",
        with: .handler { request in
          payments.withLock { _ = $0.insert(request.value(forHTTPHeaderField: "Idempotency-Key") ?? "") }
          return .status(201)
        })
      try await network.launch { app in
        let payment = StoredPayment(
          folder: app.folder, base: base, session: network.session, writesKeyFirst: keyFirst,
          synchronises: synchronised)
        try await insist(network) { try await payment.pay() }
      }
      let count = payments.withLock { $0.count }
      if count != 1 { throw Wrong(description: "paid \(count) times") }
    }
  }

  // MARK: Tests

  @Test func `an exploration that only kills clients is refused when clients are not captured`() async throws {
    var exploration = try FailureSearch.everyFault(upTo: 1, of: [.kill], under: "3G")
    exploration.capture = .nothing
    do {
      _ = try await exploration.run { _ in }
      Issue.record("explored")
    } catch {
      #expect("\(error)".contains("only a captured client can be killed"))
    }
  }

  @Test
  func `an exploration finds an outbox that sends a message twice after a kill`()
    async throws
  {
    let report = try await Self.sendMessages(named: false)
    let failure = try #require(report.failures.first)
    #expect(failure.fingerprint.contains("sent twice"))
    #expect(failure.example.count == 1 && failure.example[0].hasSuffix("the client is killed"))
    #expect(try await Self.sendMessages(named: true).failures.isEmpty)
  }

  @Test
  func `an exploration finds an upload that loses its offset when killed between two file changes`()
    async throws
  {
    let report = try await Self.upload(inOneStep: false)
    let failure = try #require(report.failures.first)
    // The file is created and written, then emptied: the offset is lost only after that third change.
    #expect(failure.example == ["after the 3rd change of its files: the client is killed"])
    #expect(failure.points == 2)
    #expect(try await Self.upload(inOneStep: true).failures.isEmpty)
  }

  @Test
  func `an exploration finds a payment that is made twice when its key is stored too late`()
    async throws
  {
    let report = try await Self.pay(keyFirst: false)
    let failure = try #require(report.failures.first)
    #expect(failure.fingerprint.contains("paid"))
    #expect(try await Self.pay(keyFirst: true).failures.isEmpty)
  }

  @Test
  func `a stored key that was never synchronised survives kills but not a power loss`() async throws {
    #expect(try await Self.pay(keyFirst: true, synchronised: false).failures.isEmpty)
    let report = try await Self.pay(keyFirst: true, synchronised: false, of: [.powerLoss])
    let failure = try #require(report.failures.first)
    #expect(failure.fingerprint.contains("paid"))
    #expect(failure.example.count == 1 && failure.example[0].hasSuffix(": the power fails"))
  }

  @Test func `a client that synchronises its files survives each power loss`() async throws {
    let report = try await Self.pay(keyFirst: true, of: [.powerLoss])
    #expect(report.failures.isEmpty)
    // After the file is emptied or written, and before it is synchronised.
    #expect(report.points == 1)
  }
}
