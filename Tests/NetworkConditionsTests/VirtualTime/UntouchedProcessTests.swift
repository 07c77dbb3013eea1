#if os(Linux)
  import Foundation
  import Testing
  import Thoroughness

  @testable import NetworkConditions

  /// Changes to a process, checked in separate processes.
  struct UntouchedProcessTests {
    /// The handlers of the signals that end a process.
    private static func handlers() -> [UInt] { CrashReporter.signals.map { CrashReporter.handler(of: $0) } }

    /// Whether a call of this library goes straight to the C library.
    private static var callsAreTheSystems: Bool {
      let called: @convention(c) (clockid_t, UnsafeMutablePointer<timespec>) -> Int32 = clock_gettime
      return unsafeBitCast(called, to: UnsafeMutableRawPointer?.self) == dlsym(nil, "clock_gettime")
    }

    @Test func `networks outside of simulations replace no system calls and no signal handlers`() async {
      await #expect(processExitsWith: .success) {
        let before = Self.handlers()
        for pace in [Pace.immediate, .scaled(1_000)] {
          let network = SimulatedNetwork("3G", seed: 1, pace: pace)
          network.stub("/feed", with: .bytes(count: 2_000))
          let (data, _) = try await network.session.data(from: url("https://api.example.com/feed"))
          precondition(data.count == 2_000)
        }
        precondition(Self.handlers() == before && Self.callsAreTheSystems)
      }
    }

    @Test(.enabled(if: !Thoroughness.isSanitized))
    func `after the last simulation the former signal handlers are restored`() async {
      await #expect(processExitsWith: .success) {
        let before = Self.handlers()
        let during = try await Simulation("3G", seed: 1) { _ in Self.handlers() }.value
        precondition(during != before)
        // The run's thread restores the handlers, perhaps after it returns the value.
        let areBack = await eventually { Self.handlers() == before }
        precondition(areBack)
        precondition(Self.callsAreTheSystems == (CaptureMode.obstacle != nil))
      }
    }
  }
#endif
