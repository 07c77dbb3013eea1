#if os(Linux)
  import NetworkConditions
  import ClientShapes
  import SimulatedShapes
  import Internals
  import Testing
  import Thoroughness

  /// Clients as people write them, none of which knows of a simulation: each takes one course, or its run is refused.
  ///
  /// Two runs of each, more in the thorough set; `Benchmarks clients` has thousands.
  @Suite(.enabled(if: CaptureMode.obstacle == nil)) struct ClientShapeTests {
    @Test(arguments: ClientShape.all)
    func `a client as people write it takes one course`(_ shape: ClientShape) async throws {
      var courses: [String: Int] = [:]
      for _ in 0..<(!Thoroughness.isWhole ? 2 : shape.isRequired ? 10 : 3) {
        courses[await shape.simulatedCourse(), default: 0] += 1
      }
      #expect(courses.count == 1, "\(shape.name): \(courses)")
      let course = try #require(courses.keys.first)
      #expect(course.contains(" after "), "\(shape.name): \(course)")
      for part in shape.expected { #expect(course.contains(part), "\(shape.name)") }
    }
  }
#endif
