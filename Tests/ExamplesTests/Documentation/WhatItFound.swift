import FailureSearch
import NetworkConditions
import NetworkConditionsTesting
import Testing
import URLLoading

// The examples of the page "What it found", word for word, so that they compile and fail as it says.

private struct Status: Decodable {
  var text: String
}

struct WhatItFound {
  /// Reads three events, and after a lost connection asks for those after the last one.
  @Sendable private static func readEvents(_ network: SimulatedNetwork) async throws -> [String] {
    var (events, last) = ([String](), 0)
    while last < 3 {
      let (bytes, _) = try await network.bytes(from: URL(string: "http://api.example.com/events?after=\(last)")!)
      var text = ""
      do {
        for try await byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
      } catch {}
      for event in text.components(separatedBy: "\n\n") {
        let lines = event.components(separatedBy: "\n")
        guard lines[0].hasPrefix("id: "), let id = Int(lines[0].dropFirst(4)) else { continue }
        last = id
        events.append(lines.dropFirst().joined())
      }
    }
    return events
  }

  @Test func `an exploration finds a reader that accepts half an event as a whole one`() async throws {
    let report = try await FailureSearch.everyFault(upTo: 1, of: [.reset], under: "3G").run { network in
      network.stub(
        .get, "http://api.example.com/events**",
        with: .handler { (request: URLRequest) -> StubResponse in
          let after = request.url?.query.flatMap { Int($0.dropFirst("after=".count)) } ?? 0
          let events = (after + 1..<4).map { "id: \($0)\ndata: \($0)\n\n" }.joined()
          return StubResponse.text(events).framed(.untilClose)
        })
      let events = try await Self.readEvents(network)
      guard events == ["data: 1", "data: 2", "data: 3"] else { throw URLError(.cannotParseResponse) }
    }
    #expect(report.failures.contains { $0.fingerprint.contains("cannotParseResponse") })
  }

  /// Asks for a status, and waits for it.
  @Sendable private static func status(_ network: SimulatedNetwork) async -> String {
    await withCheckedContinuation { answer in
      network.session.dataTask(with: URL(string: "https://api.example.com/status")!) { data, _, error in
        if let error { return answer.resume(returning: "\(error)") }
        guard let data, let status = try? JSONDecoder().decode(Status.self, from: data) else { return }
        answer.resume(returning: status.text)
      }.resume()
    }
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `an exploration finds a client that waits for ever after a web page arrives`() async throws {
    let report = try await FailureSearch.everyFault(upTo: 1, of: [.page], under: "3G").run { network in
      network.stub("/status", with: .json(#"{"text": "up"}"#))
      _ = await Self.status(network)
    }
    #expect(report.failures.count == 1)
    #expect(report.failures[0].explanation.contains("Nothing can happen any more"))
  }
}

/// The fixed version: it accepts an unreadable status as an answer.
private func showStatus(_ network: SimulatedNetwork) async throws {
  network.stub("/status", with: .json(#"{"text": "up"}"#))
  let (data, _) = try await network.session.data(from: URL(string: "https://api.example.com/status")!)
  #expect((try? JSONDecoder().decode(Status.self, from: data)) == nil)
}

// the 1st GET https://api.example.com/status: status 200 with a web page
@Test(
  .network(
    replaying:
      "netcond1:eyJwYWNrYWdlIjoiMC4xLjAiLCJoYXNoIjoiY2Q1NDI0ODg5MDM0ZDU3NyIsInNjaGVkdWxlIjoxLCJwcm9maWxlIjoiM0ciLCJzZWVkIjoiMCIsImZhdWx0cyI6W3sibWF0Y2giOnsidXJsIjoiaHR0cHM6Ly9hcGkuZXhhbXBsZS5jb20vc3RhdHVzIiwibWV0aG9kIjoiR0VUIiwibnRoIjoxfSwic3RhdHVzIjp7ImNvZGUiOjIwMCwicGFnZSI6IjxwPlBsZWFzZSBsb2cgaW4uPC9wPiJ9fV19.4aa260b9"
  ))
func `survives this: the 1st GET https://api.example.com/status: status 200 with a web page`() async throws {
  try await showStatus(NetworkUnderTest.network)
}
