import Foundation
import NetworkConditions
import Testing
import URLLoading

/// A redirect that replaces the server's response.
struct RedirectFaultTests {
  private static let url = URL(string: "https://api.example.com/feed")!

  private static func outcome(of location: String) async throws -> Simulation<Result<String, URLError>> {
    let schedule = try FaultSchedule("3G", faults: [.request(.get, "/feed", .redirect(to: location))])
    return try await Simulation(replaying: schedule) { network in
      network.stub("/feed", with: .text("news"))
      network.stub("https://portal.example.com/*", with: .text("log in, please"))
      do {
        return .success(String(decoding: try await network.session.data(from: url).0, as: UTF8.self))
      } catch let error as URLError {
        return .failure(error)
      }
    }
  }

  @Test func `a redirect fault to nowhere fails the request with the matching URLError`() async throws {
    let run = try await Self.outcome(of: "about:invalid")
    let error = #expect(throws: URLError.self) { try run.value.get() }
    #expect(error?.code == .redirectToNonExistentLocation)
    #expect(run.timeline.transfers.map(\.status) == [302])
    #expect(run.timeline.events.contains { $0.kind == .fault("redirect to nowhere") })
    #expect(run.unusedFaults.isEmpty)
  }

  @Test func `a redirect fault to a portal is followed to the portal's page`() async throws {
    let run = try await Self.outcome(of: "https://portal.example.com/login")
    #expect(try run.value.get() == "log in, please")
    #expect(run.timeline.transfers.map(\.shownURL) == [Self.url.absoluteString, "https://portal.example.com/login"])
  }

  @Test(arguments: ["", "two words", #"a\r\nSet-Cookie: b"#])
  func `a redirect fault with an invalid URL is refused in a profile`(location: String) throws {
    let text =
      #"{ "name": "portal", "summary": "", "source": "", "faults": [{ "redirect": "\#(location)" }] }"#
    let error = #expect(throws: ProfileError.self) { try NetworkProfile(json: Data(text.utf8)) }
    #expect("\(try #require(error))".contains("write a URL, or \"about:invalid\""))
  }
}
