#if os(Linux)
  import ClientCapture
  import ClientShapes
  import NetworkConditions
  import Testing
  import URLLoading

  /// Clients as people write them, none of which knows of a simulation: each takes one course, or its run is refused.
  @Suite(.serialized) struct ClientShapeTests {
    private static let base = URL(string: "https://api.example.com")!

    /// The server that they all meet.
    private static func stub(_ network: SimulatedNetwork) {
      for id in 0..<12 {
        let refusals = Array(repeating: StubResponse.status(503), count: id % 3)
        network.stub(
          "/items/\(id)",
          with: .sequence(
            refusals + [.bytes(count: Int64(1_500 + 700 * id)).after(.milliseconds(20 + 15 * (id % 4)))]))
      }
      network.stub("/token", with: .json(#"{"token": "t", "expires_in": 2.5}"#))
      network.stub("/work/*", with: .bytes(count: 800).after(.milliseconds(900)))
      network.stub("/slow", with: .bytes(count: 4_000).after(.seconds(8)))
      network.stub("/large", with: .bytes(count: 60_000))
      network.stub("/busy", with: .status(503).after(.milliseconds(100)))
      network.stub("/poll", with: .sequence([.status(202), .status(202), .status(202), .status(200)]))
      network.stub("/analytics", with: .status(204).after(.milliseconds(150)))
    }

    /// The courses that so many runs take.
    private static func courses(of shape: ClientShape, runs: Int) async -> [String: Int] {
      var courses: [String: Int] = [:]
      for _ in 0..<runs {
        let course: String
        do {
          let run = try await Simulation("3G", seed: 1, capturing: .everything) { network in
            stub(network)
            let surroundings = ClientSurroundings(
              session: network.session, base: base, clock: network.clock)
            guard shape.usesSharedSession else { return try await shape.run(surroundings) }
            return try await network.interceptingSharedSession { try await shape.run(surroundings) }
          }
          course = "\(run.value) after \(run.elapsed), \(run.traceHash)"
        } catch {
          course = "\(error)"
        }
        courses[course, default: 0] += 1
      }
      return courses
    }

    @Test(arguments: ClientShape.all)
    func `a client as people write it takes one course`(_ shape: ClientShape) async throws {
      let courses = await Self.courses(of: shape, runs: shape.isRequired ? 10 : 3)
      let course = try #require(courses.keys.first)
      // About one run in a thousand takes another course while many others run beside it; not understood yet.
      withKnownIssue(isIntermittent: true) {
        #expect(courses.count == 1, "\(shape.name): \(courses)")
      }
      #expect(course.contains(" after "), "\(shape.name): \(course)")
      for part in shape.expected { #expect(course.contains(part), "\(shape.name)") }
    }
  }
#endif
