public import FailureSearch

extension ReplayCode {
  /// A test of Swift Testing, ready to be pasted, that calls what failed under the faults that it takes.
  ///
  /// - Parameter call: how the test calls it, such as `try await readFeed(NetworkUnderTest.network)`.
  public static func test(calling call: String) -> ReplayCode {
    ReplayCode(title: "Test") { pieces in
      """
      \(pieces.comments)@Test(.network(\(pieces.arguments)))
      func `\(pieces.name)`() async throws {
        \(call)
      }
      """
    }
  }

  /// The trait alone, for a test that another cannot call.
  static let trait = ReplayCode(title: "To repeat it, in the test") { "\($0.comments).network(\($0.arguments))" }
}
