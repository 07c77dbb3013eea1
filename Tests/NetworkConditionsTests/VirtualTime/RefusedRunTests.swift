#if os(Linux)
  import Dispatch
  import NetworkConditions
  import Testing
  import Thoroughness
  import URLLoading

  /// An uncaptured client whose run was refused is never called again, because it may rely on a response.
  struct RefusedRunTests {
    private static let feed = url("https://api.example.com/feed")

    /// The kinds of pending work after which a client traps when it ends without a response.
    enum Client: String, CaseIterable, Codable, Sendable {
      case handler, delegate, childTask, ownCall, sleep, cancellation

      /// Begins some work, and then makes a call that is refused.
      func run(in network: SimulatedNetwork) async throws {
        let session = network.session
        switch self {
        case .handler: session.dataTask(with: feed) { data, _, _ in print(data!.count) }.resume()
        case .delegate: network.session(delegate: Delegate()).dataTask(with: feed).resume()
        case .childTask:
          async let data = RefusedRunTests.must { try await session.data(from: feed) }
          try await goOn(in: network)
          print(await data)
        case .ownCall:
          async let data = RefusedRunTests.must { try await network.data(for: URLRequest(url: feed)) }
          try await goOn(in: network)
          print(await data)
        case .sleep:
          async let end: Void = RefusedRunTests.must { try await network.clock.sleep(for: .seconds(100)) }
          try await goOn(in: network)
          await end
        case .cancellation:
          await withTaskCancellationHandler {
            await RefusedRunTests.must { try await goOn(in: network) }
          } onCancel: {
            fatalError("the client was cancelled")
          }
        }
        try await goOn(in: network)
      }

      private func goOn(in network: SimulatedNetwork) async throws {
        try await network.clock.sleep(for: .milliseconds(10))
        RefusedRunTests.comeFromElsewhere(to: network)
        try await network.clock.sleep(for: .milliseconds(10))
        fatalError("the client went on")
      }
    }

    /// Resumes a request on a thread that the simulation does not drive.
    private static func comeFromElsewhere(to network: SimulatedNetwork) {
      let isDone = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        network.session.dataTask(with: feed).resume()
        isDone.signal()
      }
      isDone.wait()
    }

    /// The value of a call that must not fail, as with `try!`.
    private static func must<Value: Sendable>(_ body: @Sendable () async throws -> Value) async -> Value {
      do { return try await body() } catch { fatalError("it threw \(error)") }
    }

    private final class Delegate: NSObject, URLSessionDataDelegate {
      func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        fatalError("the delegate was called: \(String(describing: error))")
      }
    }

    /// Runs a client whose run is refused, and then other code.
    private static func refuse(_ client: Client) async throws {
      await #expect(throws: SimulationError.self) {
        try await Simulation("3G", seed: 7, capturing: .nothing) { network in
          network.stub("/feed", with: .text("x").after(.seconds(5)))
          try await client.run(in: network)
        }
      }
      for seed in 0..<20 {
        _ = try await Simulation("3G", seed: UInt64(seed)) { network in
          network.stub("/feed", with: .text("x"))
          _ = try await network.session.data(from: feed)
        }
      }
    }

    // The closure of an exit test captures nothing before Swift 6.3.
    #if compiler(>=6.3)
      @Test(arguments: Thoroughness.cases(3, of: Client.allCases))
      func `a refused run never calls its uncaptured client again and prints the refusal`(
        _ client: Client
      ) async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
          [client = client as Client] in
          try await Self.refuse(client)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.hasPrefix(#"A simulated run is refused: under "3G", seed 7\#n"#), "\(text)")
        #expect(text.contains("RefusedRunTests.swift:") || Thoroughness.isSanitized, "\(text)")
      }
    #endif
  }
#endif
