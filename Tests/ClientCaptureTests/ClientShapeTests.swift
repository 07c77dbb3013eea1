#if os(Linux)
  import NetworkConditions
  import ClientShapes
  import SimulatedShapes
  import Internals
  import Testing
  import Thoroughness
  import URLLoading

  /// Typical clients written without the simulation: each runs identically every time, or its run is refused.
  ///
  /// Each runs over the network's session and over a session that it makes, more often in the thorough set. `Benchmarks
  /// clients` runs thousands.
  @Suite(.enabled(if: CaptureMode.obstacle == nil)) struct ClientShapeTests {
    @Test(arguments: ClientShape.all)
    func `a typical client has the same outcome in each run and in each session`(_ shape: ClientShape) async throws {
      var courses: [String: Int] = [:]
      for _ in 0..<(!Thoroughness.isWhole ? 1 : shape.isRequired ? 10 : 3) {
        courses[await shape.simulatedCourse(), default: 0] += 1
        courses[await shape.simulatedCourse { URLSession(configuration: .default) }, default: 0] += 1
        if Thoroughness.isWhole { courses[await shape.simulatedCourse { .shared }, default: 0] += 1 }
      }
      #expect(courses.count == 1, "\(shape.name): \(courses)")
      let course = try #require(courses.keys.first)
      #expect(course.contains(" after "), "\(shape.name): \(course)")
      for part in shape.expected { #expect(course.contains(part), "\(shape.name)") }
    }
  }
#endif
