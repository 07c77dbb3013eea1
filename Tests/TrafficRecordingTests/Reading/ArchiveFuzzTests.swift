import FormatFuzzing
import Foundation
import NetworkConditions
import Testing

@testable import TrafficRecording

struct ArchiveFuzzTests {
  static let seeds: [[UInt8]] = [
    Array(
      #"{"log":{"entries":[{"startedDateTime":"2026-01-31T23:59:59.1Z","time":3.5,"request":{"method":"GET","url":"http://x/a?b=%20c","headers":[{"name":"A","value":"\u00e9"}]},"response":{"status":200,"content":{"size":3,"text":"eHl6","encoding":"base64"}},"timings":{"wait":3.5,"_x":[{},[1e2,-0]]}}]}}"#
        .utf8),
    Array(
      #"{"log":{"_a":[true,null],"entries":[{"request":{"method":"POST","url":"https://u:p@x:443","postData":{"mimeType":"","text":"","params":[{"name":"a"}]}},"response":{"status":0,"_error":"net::ERR_FAILED","headers":[{"name":"Content-Type","value":"text/html; charset=latin1"}],"content":{"text":"é","_file":"a/b"}}}]}}"#
        .utf8),
  ]

  /// Nothing may trap, and an error is one line that names the file.
  ///
  /// An accepted archive is served and is written as a valid archive.
  @Test func `each of 2000 damaged archives gives an archive or a one-line error`() throws {
    var accepted = 0
    for number in 0..<2_000 {
      let bytes = Mutation.of(Self.seeds, number: number, seed: 1_998, atMost: 2)
      do {
        let archive = try HTTPArchive(json: Data(bytes), file: "f.har")
        accepted += 1
        let transport = try RecordedTransport(archive, matching: .standard.matchingBody().matchingHeaders("A"))
        #expect(transport.notes.allSatisfy { !$0.description.isEmpty })
        if number % 16 == 0 {
          #expect(
            try ArchiveValidator.problems(archive.json).allSatisfy { $0.hasSuffix("is not the size of the text") },
            "input \(number)")
        }
      } catch let error as ProfileError {
        let text = error.description
        #expect(text.hasPrefix("f.har: ") && !text.contains("\n") && text.utf8.count < 500, "input \(number): \(text)")
      }
    }
    // Some changes keep an archive valid; if none or all were accepted, the test would prove nothing.
    #expect((200..<1_800).contains(accepted), "\(accepted)")
  }
}
