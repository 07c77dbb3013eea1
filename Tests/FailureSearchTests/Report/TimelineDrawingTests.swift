import LinkSimulator
import NetworkConditions
import Testing

@testable import FailureSearch
import URLLoading

struct TimelineDrawingTests {
  @Test func `a timeline drawing shows transfers, faults and outages on one time axis`() async throws {
    let faults: [ScheduledFault] = [
      .outage(from: .seconds(1), for: .seconds(4)),
      .request(.post, "/pay", .status(code: 503)),
    ]
    let run = try await Simulation(replaying: try FaultSchedule("3G", faults: faults)) { network in
      network.stub("/**", with: .bytes(count: 40_000))
      for (method, path) in [("GET", "/a/rather/long/path/of/a/feed"), ("POST", "/pay"), ("GET", "/next")] {
        var request = URLRequest(url: URL(string: "https://api.example.com\(path)") ?? URL(fileURLWithPath: "/"))
        request.httpMethod = method
        _ = try? await network.data(for: request)
      }
    }
    let drawing = "\(TimelineDrawing(run.timeline, faults: faults, width: 80))"
    #expect(drawing == Self.expected, "\(drawing)")
    #expect(drawing.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  private static let expected = """
                                0 ms                  3.9 s                7.8 s
    GET /a/rather…th/of/a/feed  ───··━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┫       200
    POST /pay                                                            !·┫     503
    GET /next                                                              ·━━━┫ 200
    outage                            ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
    ─ setting out  · waiting  ━ receiving  x lost  ! fault  ┫ done  × failed
    """

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `a timeline drawing shows when the client was killed, was cancelled and saw its clock jump`() async throws {
    let faults: [ScheduledFault] = [
      .init(.cancellation(at: .seconds(6))), .init(.clockJump(by: .seconds(9), at: .seconds(3))),
      .init(.kill(.afterFileChange(1))),
    ]
    let run = try await Simulation(replaying: try FaultSchedule("3G", faults: faults)) { network in
      network.stub("/**", with: .text("a"))
      try await network.launch { app in
        let file = app.folder.appendingPathComponent("a")
        try? await network.clock.sleep(for: .seconds(2))
        if app.isFirst { try Data().write(to: file) }
        try? await network.clock.sleep(for: .seconds(6))
        _ = try? await network.session.data(from: #require(URL(string: "https://api.example.com/b")))
      }
    }
    let lines = "\(TimelineDrawing(run.timeline, faults: faults, width: 60))".split(separator: "\n").dropFirst(2)
    let places = lines.prefix(3).map { ($0.prefix { $0 != " " }, $0.count) }
    #expect(places.map(\.0) == ["cancel", "clock", "killed"], "\(lines)")
    #expect(places[0].1 > places[1].1 && places[1].1 > places[2].1 && places[2].1 > 20, "\(lines)")
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `a clock's jump after the last transfer is drawn at its time`() async throws {
    let faults = [ScheduledFault(.clockJump(by: .seconds(9), at: .seconds(50)))]
    let run = try await Simulation(replaying: try FaultSchedule("3G", faults: faults)) { network in
      network.stub("/b", with: .text("a"))
      _ = try await network.session.data(from: #require(URL(string: "https://api.example.com/b")))
      try await network.clock.sleep(for: .seconds(60))
    }
    let lines = "\(TimelineDrawing(run.timeline, faults: faults, width: 60))".split(separator: "\n")
    #expect(lines[0].hasSuffix(" 50 s"))
    #expect(lines[1].hasPrefix("GET /b   ┫") || lines[1].hasPrefix("GET /b   ─┫"), "\(lines)")
    #expect(lines[2].hasPrefix("clock ") && lines[2].hasSuffix(" !") && lines[2].count >= lines[0].count, "\(lines)")
  }

  @Test(arguments: [(999, "999 ms"), (1_000, "1 s"), (1_049, "1 s"), (1_050, "1.1 s")] as [(Int64, String)])
  func `a timeline drawing shows milliseconds below one second, and then tenths of a second`(end: Int64, text: String)
    async throws
  {
    // The handshake and the request take two round trips.
    let link = LinkConditions(delay: .microseconds(end * 250))
    let run = try await Simulation(NetworkProfile(name: "far", down: link, up: link)) { network in
      network.stub("/**", with: .status(204))
      _ = try await network.data(for: URLRequest(url: try #require(URL(string: "http://192.0.2.1/"))))
    }
    let drawing = "\(TimelineDrawing(run.timeline, width: 80))"
    #expect(drawing.split(separator: "\n")[0].hasSuffix(" \(text)"), "\(drawing)")
  }

  @Test func `a timeline drawing shows an open request up to now, and does not mark it as failed`() async throws {
    let timeline = try await Simulation("3G") { network in
      network.stub("/**", with: .text("a").after(.seconds(9)))
      async let _ = network.data(for: URLRequest(url: URL(string: "http://192.0.2.1/")!))
      try await network.clock.sleep(for: .seconds(5))
      return network.timeline
    }.value
    let drawing = "\(TimelineDrawing(timeline, width: 60))"
    #expect(drawing.split(separator: "\n")[1].hasSuffix("···· under way"), "\(drawing)")
    #expect(!drawing.contains("·×"))
  }

  @Test func `a timeline drawing marks a request that the platform sent again`() async throws {
    let link = LinkConditions(delay: .milliseconds(50))
    var profile = NetworkProfile(name: "closing", down: link, up: link)
    profile.configuration.serverKeepAlive = .seconds(5)
    profile.configuration.repeats = .bodiless
    let run = try await Simulation(profile) { network in
      network.stub("/**", with: .text("a"))
      var request = URLRequest(url: URL(string: "https://shop.example/pay")!, timeoutInterval: 20)
      _ = try await network.data(for: request)
      try await network.clock.sleep(for: .seconds(5))
      request.httpMethod = "POST"
      request.httpBody = Data("x".utf8)
      _ = try? await network.data(for: request)
    }
    let lines = "\(TimelineDrawing(run.timeline, width: 80))".split(separator: "\n")
    #expect(lines[3].hasSuffix("timedOut ↻!"), "\(lines)")
    #expect(lines.last == "↻! sent again by the platform itself, without its body, so no answer comes")
  }

  @Test func `a timeline drawing shows the last 30 transfers and ends a failed one with a cross`() async throws {
    let faults: [ScheduledFault] = [.request(.get, "/31", .refused)]
    let run = try await Simulation(replaying: try FaultSchedule("3G", faults: faults)) { network in
      network.stub("/**", with: .text("a"))
      for number in 1...32 {
        _ = try? await network.data(from: #require(URL(string: "https://api.example.com/\(number)")))
      }
    }
    let lines = "\(TimelineDrawing(run.timeline, faults: faults, width: 80))".split(separator: "\n")
    #expect(lines[1].hasPrefix("GET /3 ") && lines[30].hasPrefix("GET /32 "), "\(lines)")
    #expect(lines[31] == "(2 earlier transfers are not drawn)")
    #expect(lines[29].contains("!") || lines[29].contains("×"), "\(lines[29])")
    #expect(lines[28].contains("┫") && !lines[28].contains("×") && !lines[29].contains("┫"), "\(lines)")
  }

  @Test func `a timeline drawing shows the fault where a fault and a lost packet share a column`() async throws {
    let lost = (0...1).map { ScheduledFault.packetLost($0, .up, of: "api.example.com:443") }
    let faults = [ScheduledFault.request(.get, "/a", .status(code: 503))] + lost
    let run = try await Simulation(replaying: try FaultSchedule("wifi", faults: faults)) { network in
      network.stub("/**", with: .text("a"))
      for path in ["a", "b"] {
        _ = try await network.data(from: #require(URL(string: "https://api.example.com/\(path)")))
        try await network.clock.sleep(for: .seconds(600))
      }
    }
    #expect(run.timeline.events.contains { $0.kind == .packetLost(.up, .link) })
    let lines = "\(TimelineDrawing(run.timeline, width: 40))".split(separator: "\n")
    #expect(lines[1].contains("!") && !lines[1].contains("x"), "\(lines)")
  }

  @Test func `the times above a narrow drawing of a long run stay apart`() async throws {
    let run = try await Simulation("3G", options: NetworkOptions(timeLimit: .seconds(500_000))) { network in
      network.stub("/**", with: .text("a").failing(.networkConnectionLost, afterBytes: 0))
      for pause in [400_000, 0] {
        let path = "a/name/that/is/longer/than/a/narrow/drawing"
        _ = try? await network.data(from: #require(URL(string: "https://api.example.com/\(path)")))
        try await network.clock.sleep(for: .seconds(pause))
      }
    }
    let lines = "\(TimelineDrawing(run.timeline, width: 40))".split(separator: "\n")
    let times = lines[0].split(separator: "  ").joined(separator: " ").split(separator: " ")
    #expect(
      times.count == 6 && times[0] == "0" && times[1] == "ms" && times[3] == "s" && times[5] == "s", "\(lines[0])")
  }

  @Test func `a timeline drawing shows the query of requests that differ in nothing else`() async throws {
    let run = try await Simulation("3G") { network in
      network.stub("/**", with: .text("a"))
      for path in ["search?q=a", "search?q=b", "feed?page=1"] {
        _ = try await network.data(from: #require(URL(string: "https://api.example.com/\(path)")))
      }
    }
    let lines = "\(TimelineDrawing(run.timeline, width: 80))".split(separator: "\n")
    #expect(lines[1].hasPrefix("GET /search?q=a ") && lines[2].hasPrefix("GET /search?q=b "), "\(lines)")
    #expect(lines[3].hasPrefix("GET /feed "), "\(lines)")
  }

  @Test func `transfers that fail at once, at time 0, are drawn`() async throws {
    let run = try await Simulation("offline") { network in
      _ = try? await network.data(from: #require(URL(string: "https://api.example.com/a")))
    }
    let lines = "\(TimelineDrawing(run.timeline, width: 80))".split(separator: "\n")
    #expect(lines.count > 1 && lines[1].hasPrefix("GET /a ") && lines[1].contains("×"), "\(lines)")
  }

  @Test func `equal lines in succession are drawn once, with their number, on an axis without length`() async throws {
    let run = try await Simulation("offline") { network in
      for path in ["a", "b", "b", "b"] {
        _ = try? await network.data(from: #require(URL(string: "https://api.example.com/\(path)")))
      }
    }
    let lines = "\(TimelineDrawing(run.timeline, width: 80))".split(separator: "\n")
    #expect(lines.count == 4 && lines[0].trimmingPrefix { $0 == " " } == "0 ms", "\(lines)")
    #expect(lines[1].hasPrefix("GET /a ") && lines[1].hasSuffix("notConnectedToInternet"), "\(lines)")
    #expect(lines[2].hasPrefix("GET /b ") && lines[2].hasSuffix("notConnectedToInternet (3 times)"), "\(lines)")
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
  }

  @Test(arguments: [["http://a.example/x", "http://b.example:81/x"], ["http://a.example/x", "http://a.example/x"]])
  func `requests to different hosts are drawn with their hosts`(urls: [String]) async throws {
    let run = try await Simulation("3G") { network in
      network.stub("**", with: .status(204))
      for url in urls { _ = try await network.data(for: URLRequest(url: try #require(URL(string: url)))) }
    }
    let names = "\(TimelineDrawing(run.timeline))".split(separator: "\n")[1...2].map { line in
      line.split(separator: " ").prefix(2).joined(separator: " ")
    }
    let areDifferent = urls[0] != urls[1]
    #expect(names == (areDifferent ? ["GET a.example/x", "GET b.example:81/x"] : ["GET /x", "GET /x"]))
  }

  @Test func `a timeline without transfers is drawn as the words no transfer`() {
    #expect("\(TimelineDrawing(SimulatedNetwork("3G", pace: .immediate).timeline))" == "no transfer")
  }
}
