import NetworkConditions
import Testing

@testable import ProfileFormats

struct NamedEntriesTests {
  /// Reads a document with `count` profiles in four formats, and returns how many profiles each format found.
  private static func counts(_ count: Int) throws -> [Int] {
    let numbers = 0..<count
    let chrome = "[" + numbers.map { _ in #"{"latency": 1}"# }.joined(separator: ",") + "]"
    let ini = numbers.map { "[\($0)]\nbwIn=1\n" }.joined()
    let delay = "<dict><key>UplinkDelay</key><integer>1</integer></dict>"
    let conditioner = "<plist><array>" + String(repeating: delay, count: count) + "</array></plist>"
    let toxics = "[" + numbers.map { #"{"name": "p\#($0)", "toxics": []}"# }.joined(separator: ",") + "]"
    return [
      try ProfileFormat.chrome.profiles(in: FormatDocument(chrome, file: "c.json")).count,
      try ProfileFormat.webPageTest.profiles(in: FormatDocument(ini, file: "c.ini")).count,
      try ProfileFormat.linkConditioner.profiles(in: FormatDocument(conditioner, file: "l.plist")).count,
      try ProfileFormat.toxiproxy.profiles(in: FormatDocument(toxics, file: "t.json")).count,
    ]
  }

  @Test func `a document may have a thousand profiles`() throws {
    #expect(try Self.counts(FormatDocument.mostProfiles) == [1_000, 1_000, 1_000, 1_000])
  }

  @Test func `a document with more than a thousand profiles is refused`() {
    let chrome = "[" + (0...1_000).map { _ in #"{"latency": 1}"# }.joined(separator: ",") + "]"
    let ini = (0...1_000).map { "[\($0)]\nbwIn=1\n" }.joined()
    #expect(throws: ProfileError.self) { try ProfileFormat.chrome.profiles(in: FormatDocument(chrome, file: "c.json")) }
    #expect(throws: ProfileError.self) {
      try ProfileFormat.webPageTest.profiles(in: FormatDocument(ini, file: "c.ini"))
    }
  }
}
