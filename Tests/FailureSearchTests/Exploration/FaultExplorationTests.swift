import Internals
import NetworkConditions
import Testing
import Thoroughness

@testable import FailureSearch
import URLLoading

struct FaultExplorationTests {
  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  /// Reads lines until the connection ends, and takes that for the end of the answer.
  private static let reader: @Sendable (SimulatedNetwork) async throws -> Void = { network in
    let lines = ["one", "two", "three", "end"].map { "\($0)\n" }
    network.stub("/lines", with: .data(Data(lines.joined().utf8)).framed(.untilClose))
    var text = ""
    do {
      let (bytes, response) = try await network.bytes(for: request("http://api.example.com/lines"))
      guard (response as? HTTPURLResponse)?.statusCode == 200 else { return }
      for try await byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    } catch {
      return
    }
    guard text.hasSuffix("\n") else { return }
    if text.hasSuffix("one\n") || text.hasSuffix("two\n") || text.hasSuffix("three\n") {
      throw Wrong(description: "half an answer")
    }
  }

  /// Pays, and pays again if no answer arrives.
  private static let payer: @Sendable (SimulatedNetwork) async throws -> Void = { network in
    let payments = network.stub(.post, "/pay", with: .json(#"{"paid": true}"#))
    var payment = request("https://api.example.com/pay")
    payment.httpMethod = "POST"
    for _ in 0..<2 {
      if (try? await network.session.data(for: payment)) != nil { break }
    }
    if payments.requests.count > 1 { throw Wrong(description: "paid \(payments.requests.count) times") }
  }

  /// An exploration without a time limit, because its real time depends on other tests.
  private static func exploration(upTo bound: Int = 1) throws -> FaultExploration {
    var exploration = try FailureSearch.everyFault(upTo: bound, under: "3G")
    exploration.timeLimit = nil
    return exploration
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `an exploration finds a reader that takes a lost connection for the response's end`()
    async throws
  {
    let (finished, known) = (Locked<[Int]>([]), Locked<Set<Int>>([]))
    let report = try await Self.exploration().run(
      progress: { done, all in
        finished.withLock { $0.append(done) }
        known.withLock { _ = $0.insert(all) }
      }, Self.reader)
    // Each run counts once, and the second round begins where the first one ends.
    #expect(known.value.count > 1)
    #expect(finished.value.sorted() == Array(1...(known.value.max() ?? 1)))
    let failure = try #require(report.failures.first)
    #expect(report.failures.count == 1)
    // The answer is cut off after each of the three lines.
    #expect(failure.points == 3)
    #expect(failure.example.first?.contains("response cut off after") == true)
    #expect(failure.token.hasPrefix("netcond1:"))
    #expect(
      report.summary == """
        3 of \(report.points) points break the client under "3G", with one error. Only these lengths were tried: \
        stall 2 s, 59 s, 65 s, for ever; slowClose 2 s, 59 s, 65 s; idleClose 0 ms, 1 s, 5 s; \
        delay 2 s, 10 s, 30 s, 59 s, 65 s; outage 2 s, 10 s, 30 s, 65 s, 600 s; \
        offline 2 s, 10 s, 30 s, 600 s; brownOut 2 s, 600 s.
        """)
    #expect(report.isWhole)
    let token = try ReplayToken(failure.token)
    await #expect(throws: SimulationFailure.self) { try await Simulation(replaying: token, Self.reader) }
  }

  @Test(arguments: [1, 2])
  func `an exploration runs as many clients as are asked for, over one network`(clients: Int) async throws {
    var exploration = try Self.exploration()
    (exploration.clients, exploration.faults) = (clients, FaultKinds([.refused]))
    let report = try await exploration.run { network in
      network.stub("/feed", with: .json("[]"))
      if (try? await network.data(for: request("https://api.example.com/feed"))) != nil { return }
      try await network.clock.sleep(for: .seconds(60))
      if network.timeline.transfers.count > 1 { throw Wrong(description: "not alone") }
    }
    #expect(report.failures.count == clients - 1)
  }

  @Test(arguments: Thoroughness.cases(1, of: [true, false]))
  func `trying one fault per class of equivalent faults finds the same failures as trying all`(isReader: Bool)
    async throws
  {
    let client = isReader ? Self.reader : Self.payer
    var exploration = try Self.exploration()
    // Flipped bytes of a status line are not grouped into useful classes.
    exploration.faults.kinds.remove(.idleClose)
    exploration.reduction = .classes
    let reduced = try await exploration.run(client)
    exploration.reduction = .none
    let whole = try await exploration.run(client)
    #expect(reduced.points == whole.points)
    #expect(whole.isWhole && whole.levels[0].run == whole.points)
    #expect(!reduced.isWhole && reduced.levels[0].run < whole.points / 4)
    #expect(reduced.text.contains("One point of each class was run, and \(reduced.checked) others"))
    if isReader {
      let words = "classes breaks the client under \"3G\", with one error: 3 of"
      let run = reduced.levels[0].run
      #expect(
        reduced.headline == """
          1 of \(reduced.classes) \(words) \(reduced.points) points. \(run) points were run. \
          \(reduced.points - run) more, in \(reduced.classes) classes, are only assumed to behave as these do.
          """)
    }
    #expect(reduced.failures.map(\.fingerprint) == whole.failures.map(\.fingerprint))
    #expect(reduced.failures.map(\.points) == whole.failures.map(\.points))
    func words(_ report: ExplorationReport) -> [String: Int] {
      Dictionary(uniqueKeysWithValues: report.behaviours.map { ($0.words, $0.points) })
    }
    #expect(words(reduced) == words(whole))
  }

  @Test func `trying one fault per class of equivalent faults finds each failing block boundary`() async throws {
    let body = Data((0..<5_600).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    var exploration = try Self.exploration()
    exploration.faults.kinds = [.truncate]
    exploration.reduction = .classes
    let report = try await exploration.run { network in
      network.stub("/blocks", with: .data(body).framed(.untilClose))
      var count = 0
      guard let (bytes, _) = try? await network.bytes(for: request("http://api.example.com/blocks")) else { return }
      do { for try await _ in bytes { count += 1 } } catch { return }
      // The client notices an incomplete block.
      if count > 0, count < body.count, count % 1_024 == 0 { throw Wrong(description: "some blocks are missing") }
    }
    #expect(report.failures.map(\.points) == [5])
    #expect(report.levels[0].run < report.points / 4)
  }

  @Test func `an exploration finds a client that accepts a body shortened by the server`() async throws {
    var exploration = try Self.exploration()
    exploration.faults.kinds = [.shorten, .page]
    let report = try await exploration.run { network in
      network.stub("/names", with: .text("Ada, Grace, Edsger"))
      let names = request("https://api.example.com/names")
      guard let (data, _) = try? await network.session.data(for: names) else { return }
      let text = String(decoding: data, as: UTF8.self)
      if text != "Ada, Grace, Edsger", !text.hasPrefix("<") { throw Wrong(description: "someone is missing") }
    }
    #expect(report.points == 4)
    #expect(report.failures.map(\.points) == [3])
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `a client that sleeps for ever after a fault is reported with the exceeded time limit`()
    async throws
  {
    var exploration = try Self.exploration()
    exploration.faults.kinds = [.refused]
    let report = try await exploration.run { network in
      network.stub("/a", with: .text("news"))
      do {
        _ = try await network.session.data(for: request("https://api.example.com/a"))
      } catch {
        while !Task.isCancelled { try await Task.sleep(for: .seconds(3)) }
      }
    }
    let failure = try #require(report.failures.first)
    #expect(failure.summary.hasPrefix("The client has not ended after 1 h "), "\(failure)")
    #expect(failure.text.contains("It takes 1 fault:\n"), "\(failure)")
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `a client that waits for ever after a fault is reported as a deadlock with its source line`() async throws {
    var exploration = try Self.exploration()
    exploration.faults.kinds = [.refused]
    let line = #line + 9
    let report = try await exploration.run { network in
      network.stub("/a", with: .text("news"))
      do {
        _ = try await network.session.data(for: request("https://api.example.com/a"))
      } catch {
        let never = DispatchSemaphore(value: 0)
        await withCheckedContinuation { done in
          DispatchQueue.global().async {
            never.wait()
            done.resume()
          }
        }
      }
    }
    let failure = try #require(report.failures.first)
    #expect("\(failure)".contains("Nothing can happen any more"), "\(failure)")
    #expect("\(failure)".contains("FaultExplorationTests.swift:\(line)"), "\(failure)")
  }

  @Test func `a report lists a deadlock before an error that more faults cause`() async throws {
    struct Refused: Error {}
    var exploration = try Self.exploration()
    exploration.faults.kinds = [.refused, .status]
    let report = try await exploration.run { network in
      network.stub("/a", with: .text("news"))
      do {
        let (_, response) = try await network.data(for: request("https://api.example.com/a"))
        if (response as? HTTPURLResponse)?.statusCode != 200 { throw Refused() }
      } catch let error as URLError where error.code == .cannotConnectToHost {
        for await _ in AsyncStream<Void>.makeStream().stream {}
      }
    }
    #expect(report.failures.map(\.points).last ?? 0 > report.failures[0].points)
    #expect(report.failures[0].fingerprint.hasPrefix("deadlock"))
  }

  @Test func `an exploration flips response bytes over HTTP but not over TLS`() async throws {
    var exploration = try Self.exploration()
    exploration.faults.kinds = [.corrupt, .refused]
    for (scheme, points) in [("http", 1 + 4), ("https", 1)] {
      let report = try await exploration.run { network in
        network.stub("/a", with: .text("news"))
        _ = try? await network.session.data(for: request("\(scheme)://api.example.com/a"))
      }
      #expect(report.points == points)
    }
  }

  @Test func `a report with six errors shows five in full and the sixth in one line`()
    async throws
  {
    struct Refused: Error {}
    var exploration = try Self.exploration()
    exploration.faults.kinds = [.dns, .refused, .connectTimeout, .tls, .redirect, .status]
    let report = try await exploration.run { network in
      network.stub("/a", with: .json("[1]"))
      let (_, response) = try await network.data(for: request("https://api.example.com/a"))
      if (response as? HTTPURLResponse)?.statusCode != 200 { throw Refused() }
    }
    #expect(report.failures.count == 6)
    let whole = report.failures.prefix(5).map(\.explanation)
    #expect(whole.allSatisfy { $0.contains("─ setting out") && $0.contains("Token:") })
    let text = report.text
    #expect(text.hasPrefix(report.headline) && text.hasSuffix(report.scope.last ?? ""))
    for part in whole { #expect(text.contains(part)) }

    let issues = report.issues
    let hint = "A thrown URLError is a failure, too: if the client may throw it, catch it in the test."
    #expect(issues.count == 6 && issues[0] == "\(whole[0])\n\n\(report.summary)\n\(hint)")
    for (issue, failure) in zip(issues.dropFirst(), report.failures[1..<5]) {
      #expect(issue.hasSuffix(": \(failure.summary)\nTo repeat it: NETCOND_REPLAY=\(failure.token)"))
    }
    #expect(text.contains("\(issues[5])\n") && issues[5].hasPrefix("1 more error:\n  "))
    #expect(issues[5].hasSuffix(": \(report.failures[5].fingerprint)"))
    #expect(issues.map(Excerpt.height(of:)).reduce(0, +) < 2 * Excerpt.screen)
  }

  @Test
  func `a printed exploration report fits a screen and lists the five most frequent failures`()
    async throws
  {
    struct Refused: Error {}
    var exploration = try Self.exploration()
    exploration.code = ReplayCode(title: "Test") { "test(\($0.arguments))" }
    let report = try await exploration.run { network in
      network.stub("/a", with: .json("[1]"))
      for _ in 0..<2 {
        let (_, response) = try await network.data(for: request("https://api.example.com/a"))
        if (response as? HTTPURLResponse)?.statusCode != 200 { throw Refused() }
      }
    }
    let failing = report.behaviours.filter(\.isFailure)
    #expect(failing.count > 5 && report.failures.count > 5)
    #expect(report.headline.contains("with \(report.failures.count) errors"))
    #expect(report.failures.map(\.points) == report.failures.map(\.points).sorted(by: >))
    let text = "\(report)"
    #expect(Excerpt.height(of: text) <= Excerpt.screen, "\(text)")
    #expect(Excerpt.height(of: report.text) > Excerpt.screen)
    for way in failing.prefix(5) { #expect(text.contains("\(way.points) point")) }
    #expect(text.contains("\nand \(failing.count - 5) more ways to fail\n"))
    #expect(
      text.contains(report.failures[0].summary.prefix(40)) && text.contains("\n\nTest:\ntest(replaying: \"netcond1:"))
    #expect(text.contains("\n  and \(report.failures.count - 5) more\n"))
    #expect(
      text.hasSuffix("`failures` has each error with its test, and `ExplorationPage` draws everything that was tried."))
  }

  @Test
  func `a report's headline names the fault lengths that were tried and says when points were skipped`() async throws {
    // Another length would break the client, but the exploration does not try it.
    let client: @Sendable (SimulatedNetwork) async throws -> Void = { network in
      network.stub("/a", with: .data(Data(repeating: 7, count: 226)))
      var asking = request("https://api.example.com/a")
      asking.timeoutInterval = 20
      _ = try? await network.session.data(for: asking)
    }
    var exploration = try Self.exploration()
    exploration.faults = FaultKinds([.delay, .stall, .truncate])
    exploration.scenario = "late"
    let whole = try await exploration.run(client)
    #expect(
      whole.summary == """
        No fault that was tried breaks late under "3G": 1,042 points, each of them run. Only these lengths were tried: \
        stall 2 s, 19 s, 25 s, for ever; delay 2 s, 10 s, 19 s, 25 s.
        """)
    exploration.reduction = .classes
    let sampled = try await exploration.run(client)
    let run = sampled.levels[0].run
    #expect(
      sampled.headline == """
        No fault that was tried breaks late under "3G": \(run) points were run. 1,0\(42 - run) more, in \
        \(sampled.classes) classes, are only assumed to behave as these do.
        """)
    #expect(!sampled.text.contains("each of them run"))
    #expect(ExplorationPage(sampled).text.contains("<h1>No fault that was tried breaks late"))
    #expect(try ExplorationReport(json: sampled.json()).summary == sampled.summary)
  }

  @Test func `an exploration gives the same report with any number of workers or shards`()
    async throws
  {
    var exploration = try Self.exploration()
    exploration.faults.kinds = [.refused, .reset, .status, .delay, .outage]
    exploration.workers = 1
    let whole = try await exploration.run(Self.payer).json()
    exploration.workers = 3
    #expect(try await exploration.run(Self.payer).json() == whole)
    var merged: ExplorationReport?
    for number in 1...3 {
      exploration.shard = try #require(.init(number, of: 3))
      let share = try await exploration.run(Self.payer)
      #expect(share.points > 0)
      let read = try ExplorationReport(json: share.json())
      if merged == nil { merged = read } else { try merged?.merge(read) }
    }
    #expect(try merged?.json() == whole)
    #expect(throws: ExplorationReport.MergeError.self) { try merged?.merge(ExplorationReport(json: whole)) }
  }

  @Test func `shards of clients that differ without a fault cannot be merged`() async throws {
    var exploration = try Self.exploration()
    exploration.faults.kinds = [.refused]
    func share(_ number: Int, _ path: String) async throws -> ExplorationReport {
      exploration.shard = try #require(.init(number, of: 2))
      return try await exploration.run { network in
        network.stub("/*", with: .text("news"))
        _ = try? await network.data(for: request("https://api.example.com/\(path)"))
      }
    }
    var report = try await share(1, "a")
    let other = try await share(2, "b")
    #expect(throws: ExplorationReport.MergeError.different("its client behaves differently without a fault")) {
      try report.merge(other)
    }
    try report.merge(try await share(2, "a"))
    #expect(report.isWhole)
  }

  @Test(arguments: [0, 4]) func `an exploration of no fault or of more than three is refused`(bound: Int) async throws {
    var exploration = try FailureSearch.everyFault(upTo: bound, of: [.refused], under: "3G")
    exploration.timeLimit = nil
    let error = await #expect(throws: FailureSearchError.self) {
      try await exploration.run { network in
        network.stub("/a", with: .text("news"))
        _ = try? await network.data(for: request("https://api.example.com/a"))
      }
    }
    #expect(error?.description.contains("a bound of \(bound) faults") == true)
  }

  @Test func `a client may send fifty times as many requests after a fault as without one`() async throws {
    var exploration = try Self.exploration()
    exploration.faults.kinds = [.dns]
    let report = try await exploration.run { network in
      network.stub("/*", with: .text("news"))
      var count = 11
      if (try? await network.data(for: request("https://api.example.com/0"))) == nil { count = 580 }
      for number in 0..<count { _ = try await network.data(for: request("https://api.example.com/\(number % 9)")) }
    }
    // 12 requests without the fault, and 581 with it.
    #expect(report.points == 1 && report.failures.isEmpty)
  }

  @Test func `an exploration finds a client that breaks on a 429 with Retry-After`() async throws {
    var exploration = try Self.exploration()
    exploration.faults.kinds = [.status]
    let report = try await exploration.run { network in
      network.stub("/a", with: .text("news"))
      let (_, response) = try await network.data(for: request("https://api.example.com/a"))
      let head = response as? HTTPURLResponse
      if head?.statusCode == 429, head?.value(forHTTPHeaderField: "Retry-After") == "5" {
        throw Wrong(description: "no patience")
      }
    }
    #expect(report.failures.map(\.points) == [1])
  }

  @Test func `an exploration of two faults finds a client that survives each single fault`() async throws {
    let client: @Sendable (SimulatedNetwork) async throws -> Void = { network in
      network.stub("/a", with: .json("{}"))
      for _ in 0..<2 {
        if (try? await network.session.data(for: request("https://api.example.com/a"))) != nil { return }
      }
      throw Wrong(description: "gave up")
    }
    var exploration = try Self.exploration(upTo: 2)
    exploration.faults = FaultKinds([.refused, .status, .tls])
    let report = try await exploration.run(client)
    #expect(report.levels[0].points == 14)
    #expect(report.failures.count == 1)
    #expect(report.failures.first?.example.count == 2)
    exploration.bound = 1
    #expect(try await exploration.run(client).failures.isEmpty)
  }

  @Test func `an exploration with few pairs of faults tries them all, even after runs that are alike`()
    async throws
  {
    var exploration = try Self.exploration(upTo: 2)
    (exploration.faults, exploration.reduction) = (FaultKinds([.corrupt]), .automatic)
    let report = try await exploration.run { network in
      network.stub("/a", with: .text("12345"))
      for _ in 0..<2 {
        let data = try? await network.session.data(for: request("http://api.example.com/a")).0
        if data == Data("12345".utf8) { return }
      }
    }
    // Each of five bytes can be damaged, and the client sees no difference.
    #expect(report.levels.map(\.points) == [5, 25] && report.levels.map(\.alike) == [0, 0], "\(report.levels)")
  }

  @Test func `an exploration tries a second fault after first faults that differ only on the server`() async throws {
    // The client and its requests do not show whether the server has stored the order.
    let client: @Sendable (SimulatedNetwork) async throws -> Void = { network in
      let stored = network.stub(.post, "/a", with: .json("1"))
      var upload = request("http://api.example.com/a")
      upload.httpMethod = "POST"
      for _ in 0..<2 {
        guard let (_, response) = try? await network.session.data(for: upload) else { continue }
        let status = (response as? HTTPURLResponse)?.statusCode
        if status == 400, !stored.requests.isEmpty { throw Wrong(description: "says that it is not stored") }
        return
      }
    }
    var exploration = try Self.exploration(upTo: 2)
    exploration.faults = FaultKinds([.reset, .status])
    exploration.reduction = .classes
    // Several points of a class are run, and the client behaves alike in each.
    exploration.pointsPerCheck = 10
    let reduced = try await exploration.run(client)
    #expect(reduced.failures.count == 1)
    #expect(reduced.levels[1].alike > 0)
    #expect(reduced.text.contains("not followed further, because they were like others"))
    // With these kinds of faults no run represents another.
    exploration.faults = FaultKinds([.refused, .status])
    exploration.reduction = .automatic
    let whole = try await exploration.run(client)
    #expect(whole.isWhole && whole.levels[1].alike == 0)
  }

  @Test func `a reset before a response's first byte is in another class than a later reset`() async throws {
    // At the first byte the session sends the request again by itself.
    let client: @Sendable (SimulatedNetwork) async throws -> Void = { network in
      network.stub("/*", with: .json("1"))
      guard (try? await network.session.data(for: request("http://api.example.com/a"))) != nil else { return }
      do {
        _ = try await network.session.data(for: request("http://api.example.com/b"))
      } catch let error as URLError where error.code == .networkConnectionLost {
        throw Wrong(description: "offline for good")
      } catch {}
    }
    var exploration = try Self.exploration()
    exploration.faults = FaultKinds([.reset, .truncate])
    exploration.reduction = .none
    let whole = try await exploration.run(client)
    exploration.reduction = .classes
    let reduced = try await exploration.run(client)
    #expect(whole.failingPoints > 100)
    #expect(reduced.failures.map(\.points) == whole.failures.map(\.points))
  }

  @Test
  func `a cancelled client may throw the cancellation error but may not report a failure`() async throws {
    let client: @Sendable (SimulatedNetwork) async throws -> Void = { network in
      network.stub("/a", with: .json("{}"))
      do {
        _ = try await network.session.data(for: request("https://api.example.com/a"))
      } catch let error as URLError where error.code == .cancelled {
        throw Wrong(description: "told the user of a failure")
      }
    }
    var exploration = try Self.exploration()
    exploration.faults = FaultKinds([.cancel])
    let report = try await exploration.run(client)
    #expect(report.failures.count == 1)
    let patient = try await exploration.run { network in
      network.stub("/a", with: .json("{}"))
      _ = try await network.session.data(for: request("https://api.example.com/a"))
    }
    #expect(patient.failures.isEmpty && patient.points == report.points)
  }

  @Test func `an exploration cancels a client in each of its sleeps, even after its last response`() async throws {
    let client: @Sendable (SimulatedNetwork) async throws -> Void = { network in
      network.stub("/a", with: .json("{}"))
      _ = try? await network.session.data(for: request("https://api.example.com/a"))
      if Task.isCancelled { return }
      for turn in 0..<3 {
        do {
          try await network.clock.sleep(for: .seconds(10))
        } catch {
          if turn > 0 { throw Wrong(description: "cancelled in sleep \(turn)") }
          return
        }
      }
    }
    var exploration = try Self.exploration()
    exploration.faults = FaultKinds([.cancel])
    let report = try await exploration.run(client)
    // A fingerprint has no numbers in it.
    #expect(report.failures.map(\.points) == [2])
  }

  #if os(Linux)
    @Test(.enabled(if: CaptureMode.obstacle == nil))
    func `a time limit on an exploration counts real time, not a captured client's virtual time`() async throws {
      var exploration = try Self.exploration()
      exploration.capture = .everything
      exploration.faults.kinds = [.status]
      exploration.timeLimit = .seconds(600)
      let report = try await exploration.run { network in
        network.stub("/a", with: .json("{}"))
        _ = try? await network.session.data(for: request("https://api.example.com/a"))
        try? await Task.sleep(for: .seconds(3000))
      }
      // In virtual time one run takes longer than the limit.
      #expect(report.isWhole && report.points == 12)
    }
  #endif

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `the middle fault of each class of equivalent faults happens when replayed`() async throws {
    let exploration = try Self.exploration()
    let schedule = FaultSchedule(exploration.profile)
    let base = try await Simulation(replaying: schedule) { network in
      network.recordsContents = true
      network.recordsPackets = true
      try await Self.payer(network)
    }
    let list = PointList(of: base.timeline, faultKinds: .all)
    #expect(list.count > 300)
    for points in list.classes {
      let member = points[points.count / 2]
      var schedule = schedule
      schedule.faults = [member.fault]
      do {
        let unused = try await Simulation(replaying: schedule, Self.payer).unusedFaults
        #expect(unused.isEmpty, "\(member.fault)")
      } catch let failure as SimulationFailure {
        #expect(failure.unusedFaults.isEmpty, "\(member.fault)")
      }
      #expect(try ReplayToken("\(ReplayToken(schedule))") == ReplayToken(schedule))
    }
  }

  @Test func `an exploration with impossible arguments is refused with a reason`() async throws {
    func reason(
      _ change: (inout FaultExploration) -> Void, _ client: @escaping @Sendable (SimulatedNetwork) async throws -> Void
    )
      async throws -> String
    {
      var exploration = try Self.exploration()
      change(&exploration)
      do {
        _ = try await exploration.run(client)
        return "nothing"
      } catch {
        return "\(error)"
      }
    }
    let count = Mutex(0)
    #expect(
      try await reason({ _ in }) { network in
        let number = count.withLock { count in
          count += 1
          return count
        }
        network.stub("/*", with: .json("{}"))
        _ = try await network.data(for: request("https://api.example.com/\(number)"))
      }.contains("not deterministic"))
    let broken = try await reason({ _ in }) { _ in throw Wrong(description: "broken") }
    #expect(broken.contains("fails without any fault: Wrong: broken"))
    #expect(broken.contains(/NETCOND_REPLAY=netcond1:[^.]+\.[0-9a-f]+ \(/), "\(broken)")
    #expect(try await reason({ _ in }) { _ in }.contains("no request was made: give the client the network's session"))
    #expect(try await reason({ $0.faults = FaultKinds([]) }, Self.payer).contains("is empty: name some"))
    #expect(try await reason({ $0.timeLimit = .microseconds(1) }, Self.payer).contains("raise the limit"))
    #expect(try await reason({ $0.bound = 0 }, Self.payer).contains("a bound of 0 faults: write 1"))
  }
}

private func request(_ url: String) -> URLRequest {
  guard let url = URL(string: url) else { preconditionFailure("a constant URL") }
  return URLRequest(url: url)
}
