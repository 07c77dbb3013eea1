import Foundation
import Testing
import Thoroughness

@testable import NetworkConditions

struct ProfileFileTests {
  /// Runs `body` in a temporary folder.
  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("profiles-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func message(_ url: URL) -> String? {
    #expect(throws: ProfileError.self) { try NetworkProfile(contentsOf: url) }?.sentence
  }

  @Test func `a profile file is read, and an error starts with the file's name`() throws {
    try inFolder { folder in
      let right = folder.appendingPathComponent("right.json")
      try Data(#"{"name": "right"}"#.utf8).write(to: right)
      #expect(try NetworkProfile(contentsOf: right).name == "right")
      let link = folder.appendingPathComponent("link.json")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: right)
      #expect(try NetworkProfile(contentsOf: link).name == "right")
      let wrong = folder.appendingPathComponent("wrong.json")
      try Data("{\n  name".utf8).write(to: wrong)
      #expect(message(wrong) == #"wrong.json: line 2, column 3: found "n" where a key should be, in quotation marks"#)
    }
  }

  @Test func `a profile file of 100 MB is refused by its size`() throws {
    try inFolder { folder in
      let file = folder.appendingPathComponent("big.json")
      #expect(FileManager.default.createFile(atPath: file.path, contents: Data("{".utf8)))
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 100_000_000)
      try handle.close()
      #expect(
        message(file) == "big.json: is larger than 16 MiB (100000000 bytes); a profile is a few kilobytes of JSON")
    }
  }

  @Test func `a profile of 16 MiB is read and a larger one is refused`() throws {
    let profile = Data(#"{"name": "x"}"#.utf8)
    let padding = Data(repeating: 0x20, count: (16 << 20) - profile.count)
    if Thoroughness.isWhole { #expect(try NetworkProfile(json: padding + profile).name == "x") }
    let error = #expect(throws: ProfileError.self) { try NetworkProfile(json: padding + profile + Data(" ".utf8)) }
    #expect(
      error?.sentence == "profile: is larger than 16 MiB (16777217 bytes); a profile is a few kilobytes of JSON")
  }

  @Test func `a document may be as large as the largest of its kind`() throws {
    let kind = DocumentKind("a list", usually: "a line", atMostMebibytes: 1)
    let document = Data(repeating: 0x20, count: (1 << 20) - 2) + Data("[]".utf8)
    #expect(try kind.value(json: document, file: "a.json").value == .array([]))
    #expect(throws: ProfileError.self) { try kind.value(json: document + Data(" ".utf8), file: "a.json") }
  }

  @Test func `a folder, a missing file and a web URL are refused as profile files`() throws {
    try inFolder { folder in
      #expect(message(folder) == "\(folder.lastPathComponent): is not a regular file")
      let missing = folder.appendingPathComponent("none.json")
      #expect(message(missing)?.hasPrefix("none.json: there is no such file: \"") == true)
    }
    let remote = try #require(URL(string: "https://example.com/a.json"))
    #expect(
      message(remote) == #"a.json: is not a file on this machine; download "https://example.com/a.json" yourself"#)
    let typed = URL(fileURLWithPath: "https://user:password@example.com/")
    #expect(message(typed) == "a URL: is not a file on this machine; download it yourself")
  }

  #if os(Linux)
    @Test func `an endless device is refused as a profile file`() {
      #expect(message(URL(fileURLWithPath: "/dev/zero")) == "zero: is not a regular file")
    }
  #endif
}
