import Foundation
import NetworkConditions
import Pictures
import Testing
import URLLoading

@testable import FailureSearch

struct ExplorationPageTests {
  private static func page() async throws -> (page: String, report: ExplorationReport) {
    var exploration = try FailureSearch.everyFault(upTo: 1, under: "3G")
    (exploration.timeLimit, exploration.rerunLimit) = (nil, 0)
    exploration.faults.kinds = [.status, .reset, .slowClose, .idleClose, .tls]
    let report = try await exploration.run { network in
      network.stub("/a", with: .json("[1,2,3]"))
      let request = URLRequest(url: try #require(URL(string: "http://api.example.com/a")), timeoutInterval: 20)
      let (data, _) = try await network.data(for: request)
      _ = try JSONDecoder().decode([Int].self, from: data)
    }
    return (ExplorationPage(report).text, report)
  }

  @Test func `the crosses on an exploration's map do not overlap and stay inside the map`() async throws {
    let page = try await Self.page().page
    // The falling stroke of each cross: x1, y1, x2, y2.
    let pattern = /<line class="failing" x1="([0-9.]+)" y1="([0-9.]+)" x2="([0-9.]+)" y2="([0-9.]+)"/
    let strokes = page.matches(of: pattern).compactMap { match -> (x: Double, y: Double)? in
      guard let x = Double(match.1), let y = Double(match.2), let end = Double(match.4), end > y else { return nil }
      return (x, y)
    }
    #expect(strokes.count >= 2)
    for (number, one) in strokes.enumerated() {
      #expect(one.x >= 118 && one.x + 8 <= 720, "\(one)")
      for other in strokes.dropFirst(number + 1) {
        #expect(abs(one.x - other.x) >= 8 || abs(one.y - other.y) >= 8, "\(one) and \(other)")
      }
    }
  }

  @Test func `a report lists a kind of fault that could not happen as not tried`() async throws {
    let (page, report) = try await Self.page()
    let words =
      "Kinds: error statuses, resets at each byte, late ends, idle closes. No point for: failed TLS handshakes."
    #expect(page.contains(words))
    #expect(report.text.contains(words))
    #expect(!page.contains(">tls</text>"))
  }

  @Test func `a sign on the map lists each of its behaviours once, with a total of points`() async throws {
    let (page, report) = try await Self.page()
    let signs = page.matches(of: /<title>([0-9][^<]*)<\/title>/).map { $0.1.split(separator: "\n") }
    for sign in signs {
      let behaviours = sign.map { $0.drop { $0 != ":" } }
      #expect(Set(behaviours).count == sign.count, "\(sign)")
    }
    let points = signs.joined().compactMap { Int($0.prefix { $0 != " " }.filter(\.isNumber)) }
    #expect(points.reduce(0, +) == report.marks.reduce(0) { $0 + $1.points })
    #expect(signs.count < report.marks.count)
  }

  @Test func `the page, the text and the file of a fixed exploration equal the last reviewed ones`()
    async throws
  {
    let (page, report) = try await Self.page()
    let changes = try Picture.changes(
      of: ("exploration.html", page, "b97fb50dfc33a6df"), ("exploration.txt", report.text, "8d74b01ea1e0c4b0"),
      ("exploration.json", String(decoding: try report.json(), as: UTF8.self), "645c09c25a1a6a42"))
    #expect(changes == [])
  }
}
