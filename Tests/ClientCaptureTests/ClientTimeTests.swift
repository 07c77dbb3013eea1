#if os(Linux)
  import Testing

  @testable import ClientCapture

  struct ClientTimeTests {
    @Test(arguments: [(0, true), (999_999_999, true), (-1, false), (-1_000_000_000, false)] as [(Int64, Bool)])
    func `a sleep for a negative time is invalid`(nanoseconds: Int64, isValid: Bool) {
      #expect(ClientTime.isValid(ClientTime.timespec(nanoseconds)) == isValid)
    }
  }
#endif
