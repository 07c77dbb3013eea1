import Foundation
import RetryPolicies
import Testing

@testable import netcond

struct PolicyListTests {
  @Test(arguments: ["\n", "\r\n"])
  func `each line of a file is a policy, also with the line ends of Windows`(lineEnd: String) throws {
    let scratch = try Scratch()
    let lines = ["# ours", "ours = full-jitter(base 1 s)", "", "grpc  # as deployed", ""]
    let file = try scratch.file("policies.txt", lines.joined(separator: lineEnd))
    let policies = try PolicyList.read("none, @\(file)")
    #expect(policies.map { $0.name ?? $0.plan.description } == ["none", "ours", "grpc"])
  }

  @Test func `a policy file that is empty or not UTF-8 gives an error with the file's name`() throws {
    let scratch = try Scratch()
    let empty = try scratch.file("empty.txt", "# later\r\n")
    #expect(throws: UsageError("--policy: the file \(empty) has no policy")) { try PolicyList.read("none, @\(empty)") }
    let wide = try scratch.file("wide.txt", "")
    try #require("none".data(using: .utf16)).write(to: URL(fileURLWithPath: wide))
    #expect {
      try PolicyList.read("@\(wide)")
    } throws: { error in
      (error as? Failure)?.sentence == "\(wide): is not UTF-8 text"
    }
  }
}
