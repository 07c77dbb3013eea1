import Foundation
import Testing
import URLLoading

@testable import netcond

struct FailureTests {
  @Test func `a response head that Foundation cannot parse gives an error in words`() {
    let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: "Failed writing header"])
    #expect(
      Failure(error).line == "Foundation cannot read the answer's head. Its status line may lack a reason, or a field "
        + "is not UTF-8. (URLError.unknown) (netcond explain transfer-failed)")
  }
}
