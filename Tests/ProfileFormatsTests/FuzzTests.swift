import FormatFuzzing
import Foundation
import LinkSimulator
import NetworkConditions
import ProfileFormats
import Testing
import Thoroughness

struct FuzzTests {
  /// Nothing may trap, and an error is one line that names the file.
  ///
  /// An accepted document is written and read again unchanged.
  @Test(arguments: ConformanceTests.names)
  func `a damaged document gives profiles or a one-line error`(name: String) throws {
    let format = try #require(ProfileFormat.named(name))
    let documents = try Corpus.documents(of: name)
    var accepted = 0
    var broken: [String] = []
    let numbers = Thoroughness.cases(400, of: 0..<2_000)
    for number in numbers {
      let bytes = Data(Mutation.of(documents, number: number, seed: 7))
      do throws(ProfileError) {
        let imported = try format.profiles(in: FormatDocument(bytes, file: "f.txt"))
        accepted += 1
        // Only every fourth document is written and read again, because that takes the most time.
        guard number % 4 == 0, let entry = imported.first else { continue }
        let document = entry.profile.exported(as: format)
        let again = try format.profiles(in: FormatDocument(document.data, file: "f.txt"))
        if again.first.map({ $0.profile.exported(as: format).text }) != document.text { broken.append("\(number)") }
      } catch {
        let line = error.description
        if !line.hasPrefix("f.txt: ") || line.contains("\n") || line.utf8.count >= 600 {
          broken.append("\(number) \(line)")
        }
      }
    }
    #expect(broken.isEmpty, "\(broken.prefix(3))")
    // If none or all were accepted, the test would prove nothing.
    #expect((numbers.count / 100..<numbers.count * 19 / 20).contains(accepted), "\(accepted)")
  }

  @Test func `the fuzz test fails for a format without corpus documents and names the format`() {
    let missing = #expect(throws: Corpus.Missing.self) { try Corpus.documents(of: "carrier-pigeon") }
    #expect(
      missing?.description
        == "The fuzz corpus has no document of the format \"carrier-pigeon\". Add one to `Corpus.texts`.")
  }

  @Test func `a damaged trace gives a trace or an error that names the line`() {
    for number in 0..<500 {
      let bytes = Data(Mutation.of(Corpus.traces, number: number, seed: 7))
      do throws(ProfileError) {
        let trace = try DeliveryTrace(mahimahi: bytes, file: "f.txt")
        let text = trace.mahimahi()
        #expect(text.losses.isEmpty)
        #expect(try DeliveryTrace(mahimahi: text.data) == trace)
      } catch {
        #expect(error.description.hasPrefix("f.txt: line "), "input \(number): \(error)")
      }
    }
  }

  /// A benchmark measures how quickly each of these documents is refused.
  @Test(arguments: [
    ("link-conditioner", "expands to more than 4 MiB"), ("tc", "more than 64 devices"),
    ("chrome", "more than a document may"),
    ("toxiproxy", "more than 1000 toxics"), ("webpagetest", "more than a document may"),
  ])
  func `a document that would cost too much memory or time is refused`(name: String, reason: String) throws {
    let format = try #require(ProfileFormat.named(name))
    let document = try #require(Corpus.hostile(name, share: 8).first)
    let error = #expect(throws: ProfileError.self) {
      try format.profiles(in: FormatDocument(Data(document), file: "f"))
    }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test(arguments: ["chrome", "tc"])
  func `a document of JSON may have 1 MiB and not a byte more`(name: String) throws {
    let format = try #require(ProfileFormat.named(name))
    for (spaces, isTooLarge) in [(1 << 20 - 2, false), (1 << 20 - 1, true)] {
      let document = Data("[]\(String(repeating: " ", count: spaces))".utf8)
      let error = #expect(throws: ProfileError.self) {
        try format.profiles(in: FormatDocument(document, file: "f"))
      }
      #expect(error?.description.contains("larger than 1 MiB") == isTooLarge, "\(String(describing: error))")
    }
  }

  @Test(arguments: ConformanceTests.names)
  func `a very long word, line or nesting gives a short one-line error`(name: String) throws {
    let format = try #require(ProfileFormat.named(name))
    for document in try Corpus.endless(10_000) + Corpus.documents(of: name).flatMap(Self.stretched) {
      do throws(ProfileError) {
        _ = try format.profiles(in: FormatDocument(Data(document), file: "f"))
      } catch {
        #expect(
          !error.description.contains("\n") && error.description.utf8.count < 600, "\(error.description.prefix(300))")
      }
    }
  }

  /// Returns copies of the document, each with one word stretched to the length of a page.
  private static func stretched(_ document: [UInt8]) -> [[UInt8]] {
    let text = String(decoding: document, as: UTF8.self)
    let words = Set(text.split { !$0.isLetter && !$0.isNumber })
    return words.sorted().map {
      Array(text.replacing($0, with: String(repeating: String($0), count: 3_000 / $0.utf8.count)).utf8)
    }
  }

  @Test(arguments: ConformanceTests.names)
  func `reading a truncated document does not crash`(name: String) throws {
    let format = try #require(ProfileFormat.named(name))
    for document in try Corpus.documents(of: name) {
      for length in stride(from: 0, to: document.count, by: 7) {
        _ = try? format.profiles(in: FormatDocument(Data(document[..<length]), file: "f"))
      }
    }
  }
}
