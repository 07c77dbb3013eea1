import Foundation
import Testing
import URLLoading

@testable import netcond

struct FailureTests {
  @Test func `a response head that Foundation cannot parse gives an error in words`() {
    let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: "Failed writing header"])
    #expect(
      Failure(error).line
        == "Foundation cannot read the answer's head. Its status line may lack a reason, or a field is not UTF-8. "
        + "(URLError.unknown) (netcond explain transfer-failed)")
  }

  @Test(arguments: [
    "The operation couldn’t be completed. (NSURLErrorDomain error -1001.)",
    "The operation could not be completed. The network is slow.", "",
  ])
  func `an error whose text says nothing gets a sentence for its code`(text: String) {
    let error = URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: text])
    #expect(Failure(error).sentence == "The request timed out.")
  }

  @Test func `a refused connection's error leaves out the real time, which is not the network's`() {
    let text = "Failed to connect to 127.0.0.1 port 9 after 0 ms: Couldn't connect to server"
    let error = URLError(.cannotConnectToHost, userInfo: [NSLocalizedDescriptionKey: text])
    #expect(Failure(error).sentence == "Failed to connect to 127.0.0.1 port 9: Couldn't connect to server")
  }
}
