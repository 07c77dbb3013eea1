import FormatFuzzing
import Foundation
import NetworkConditions
import ProfileFormats

/// Other tools' formats: damaged input, the reading speed of a long trace, and links against their netem lines.
enum Formats {
  static func run() async throws {
    hostile()
    endless()
    try fuzz()
    try trace()
    try checkLinks()
  }

  /// Documents designed to be expensive.
  private static func hostile() {
    for format in ProfileFormat.all {
      let times = Corpus.hostile(format.name).map { document in
        timed { try? format.profiles(in: FormatDocument(Data(document), file: "f")) }.seconds
      }
      let slowest = (times.max() ?? 0) * 1000
      report("hostile documents, \(format.name)", "slowest \(slowest.fixed(0)) ms", goal: "under 2 s")
    }
    report("peak memory of them", "\(peakMegabytes().fixed(0)) MB")
  }

  /// Reads a megabyte of one word, line or nesting as each format, as our own profile, and as a profile name.
  private static func endless() {
    let documents = Corpus.endless(1 << 20).map { FormatDocument(Data($0), file: "f") }
    func slowest(_ name: String, _ read: (FormatDocument) -> Void) {
      let slowest = (documents.map { document in timed { read(document) }.seconds }.max() ?? 0) * 1000
      report("a megabyte without an end, \(name)", "slowest \(slowest.fixed(0)) ms", goal: "under 500 ms")
    }
    for format in ProfileFormat.all { slowest(format.name) { _ = try? format.profiles(in: $0) } }
    slowest("profile") { _ = try? NetworkProfile(json: $0.data) }
    slowest("name") { document in
      let text = String(decoding: document.data, as: UTF8.self)
      _ = try? NetworkProfile.named(text)
      _ = try? NetworkProfile.named("tunnel@\(text)")
    }
  }

  /// 100,000 damaged documents of each format: each gives a profile or an error.
  private static func fuzz() throws {
    let count = 100_000
    let before = peakMegabytes()
    for format in ProfileFormat.all {
      let documents = try Corpus.documents(of: format.name)
      var accepted = 0
      var slowest = 0.0
      let start = seconds()
      for number in 0..<count {
        let bytes = Mutation.of(documents, number: number, seed: 1)
        let began = seconds()
        if let imported = try? format.profiles(in: FormatDocument(Data(bytes), file: "f")) {
          accepted += 1
          for entry in imported { _ = entry.profile.exported(as: format) }
        }
        slowest = max(slowest, seconds() - began)
      }
      report(
        "\(count) damaged documents, \(format.name)",
        "\((seconds() - start).fixed(1)) s, \(accepted) still profiles, slowest \((slowest * 1000).fixed(1)) ms")
    }
    var accepted = 0
    for number in 0..<count {
      let bytes = Mutation.of(Corpus.traces, number: number, seed: 1)
      if (try? DeliveryTrace(mahimahi: Data(bytes))) != nil { accepted += 1 }
    }
    report("\(count) damaged traces, mahimahi", "\(accepted) still traces")
    report("peak memory of all, before and after", "\(before.fixed(0)) MB, \(peakMegabytes().fixed(0)) MB")
  }

  private static func trace() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("trace-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    var text = ""
    for number in 0..<1_000_000 { text += "\(number * 3 / 2 + 1)\n" }
    try Data(text.utf8).write(to: url)
    let (trace, read) = try timed { try DeliveryTrace(mahimahi: url) }
    report(
      "a trace of 1,000,000 opportunities, read", "\(read.fixed(3)) s, mean \(trace.meanRate)", goal: "under 2 s")
    let (written, time) = timed { trace.mahimahi() }
    report("the same, written", "\(time.fixed(3)) s, \(written.text == text ? "the same bytes" : "OTHER")")
  }

  private static func checkLinks() throws {
    for (line, check) in NetemCheck.lines {
      let link = try NetworkProfile(netem: line).base.down
      for finding in check.findings(link, packets: 1_000_000, seed: 1) {
        report(
          "\(line.prefix(40)): \(finding.what)",
          "\(finding.measured.fixed(5)) for \(finding.expected.fixed(5)), within \(finding.bound.fixed(5)): "
            + (finding.holds ? "holds" : "DOES NOT HOLD"))
      }
    }
  }
}
