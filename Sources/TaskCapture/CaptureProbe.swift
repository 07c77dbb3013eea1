#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
  import NetworkConditions

  /// Tries, before anything relies on it, whether a virtual second passes in no real time in each way that a client may
  /// wait.
  enum CaptureProbe {
    /// Returns the promise that does not hold, in a sentence; `nil` when all hold.
    static func run() async -> String? {
      // Through the same capture, but without the probe, which would ask for itself.
      let capture = ClientCapture(
        forbidsEscapes: true, refusal: { nil }, makeExecutor: { TaskCapture.makeExecutor(for: $0) })
      do {
        let run = try await Simulation(
          .unlimited, capturing: capture, options: NetworkOptions(patience: .seconds(2))
        ) { _ in
          try await Task.sleep(for: .seconds(1))
          await Task { try? await Task.sleep(for: .seconds(1)) }.value
          await Task.detached { try? await Task.sleep(nanoseconds: 1_000_000_000) }.value
          async let last: Void? = try? Task.sleep(for: .seconds(1))
          _ = await last
        }
        return run.elapsed == .seconds(4) ? nil : refusal(because: "four sleeps of a second took \(run.elapsed)")
      } catch {
        return refusal(because: "\(error)")
      }
    }

    private static func refusal(because reason: String) -> String {
      """
      Tasks cannot be captured with this Swift runtime (\(reason)). \
      Let the client take the network's clock, and leave out "capturing: .tasks".
      """
    }
  }
#endif
