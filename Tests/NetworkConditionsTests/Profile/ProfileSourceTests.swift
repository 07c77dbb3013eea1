import Foundation
import NetworkConditions
import Testing
import Thoroughness

struct ProfileSourceTests {
  @Test func `a name, a path, a URL and a profile value give the same network`() async throws {
    let train = try NetworkProfile.named("tunnel")
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
    try Data(train.formatText.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    for source in ["tunnel", file.path, file, train] as [any ProfileSource] {
      #expect(try source.networkProfile() == train)
      #expect(SimulatedNetwork(source, pace: .immediate).profile == train)
      #expect(try await Simulation(source, seed: 3) { $0.profile }.value == train)
    }
    let begun = train.starting(at: .seconds(43))
    for source in ["tunnel@43 s", "\(file.path)@43 s"] { #expect(try source.networkProfile() == begun) }
  }

  @Test func `a missing profile is an error with the same text in each call`() async throws {
    #expect(throws: ProfileError.self) { try "tunel".networkProfile() }
    let missing = "/no/such/profile.json"
    let text = #"profile.json: there is no such file: "/no/such/profile.json""#
    #expect(#expect(throws: ProfileError.self) { try missing.networkProfile() }?.sentence == text)
    await #expect(throws: SimulationError.profile("\(text) (netcond explain unreadable-file)")) {
      try await Simulation(missing) { _ in }
    }
    let error = await #expect(throws: NetworkSetupError.self) {
      try await SimulatedNetwork(missing, pace: .immediate).data(from: url("https://api.example.com/"))
    }
    #expect(error?.localizedDescription.contains(text) == true, "\(String(describing: error))")
  }

  // iOS, tvOS, watchOS and visionOS start no process for a test.
  #if os(macOS) || os(Linux)
    private static func profile(_ lengths: [Duration?], repeats: Bool = false) -> NetworkProfile {
      NetworkProfile(
        name: "x", base: .unlimited, phases: lengths.map { .init(for: $0, conditions: .unlimited) }, repeats: repeats)
    }

    @Test func `a profile without a name or with impossible phases stops the process`() async {
      await #expect(processExitsWith: .success) {
        let second = Duration.seconds(1)
        let calls: [@Sendable () -> Any] = [
          { NetworkProfile(name: "", base: .unlimited) }, { Self.profile([.zero, second]) },
          { Self.profile([nil, second]) },
          { Self.profile([nil], repeats: true) }, { Self.profile([.nanoseconds(999_999)], repeats: true) },
        ]
        #expect(Traps.returning(calls) == [])
      }
    }
  #endif

  @Test func `a token, its text and a schedule give the same replay`() throws {
    let schedule = try FaultSchedule("3G", seed: 7, faults: [.outage(from: .zero, for: .seconds(4))])
    let token = ReplayToken(schedule)
    for source in [schedule, token, "\(token)"] as [any ReplaySource] {
      #expect(try source.replayToken() == token)
      #expect(SimulatedNetwork(replaying: source, pace: .immediate).faultSchedule == schedule)
    }
  }
}
