import Foundation
import NetworkConditions
import Testing
import URLLoading

struct OutageTests {
  /// Meanwhile the server gives up its half of the handshake without telling the client.
  @Test(arguments: [510, 520, 530, 540, 560])
  func `requests succeed again after an outage of 15 minutes during a TLS handshake`(start: Int64) async throws {
    let url = try #require(URL(string: "https://api.example.com/a"))
    let schedule = try FaultSchedule("3G", faults: [.outage(from: .milliseconds(start), for: .seconds(900))])
    let run = try await Simulation(replaying: schedule) { network in
      network.stub("/a", with: .text("news"))
      while (try? await network.session.data(from: url)) == nil {}
    }
    // TCP retransmits after at most two minutes (`TCP_RTO_MAX`; RFC 6298 allows a maximum from 60 s).
    #expect(run.elapsed >= .seconds(900) && run.elapsed < .seconds(1_020))
  }
}
