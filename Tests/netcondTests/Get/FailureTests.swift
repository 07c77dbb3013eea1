import Foundation
import Testing
import URLLoading

@testable import netcond

@Suite struct FailureTests {
  @Test func `an answer's head that Foundation cannot read is explained in words`() {
    let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: "Failed writing header"])
    #expect(
      Failure(error).line == "Foundation cannot read the answer's head. Its status line may lack a reason. "
        + "(URLError.unknown) (netcond explain transfer-failed)")
  }
}
