public import Foundation
public import Internals

/// The known failing behaviours of a client, kept in a file of the repository.
///
/// A known behaviour is accepted. A new one is a failure. One that does not happen any more is reported.
public struct ExplorationBaseline: CustomStringConvertible, Sendable {
  /// A mistake in a baseline's file, or a baseline of another exploration.
  public struct Problem: ExplainedError, Hashable, Sendable {
    /// The path of the baseline's file.
    public let file: String
    /// The mistake, and what would be right.
    public let reason: String

    /// The problem in one sentence.
    public var description: String { explanation.ending(sentence) }

    package var sentence: String { "\(file): \(reason)" }
    package var explanation: Explanation { .baseline }
  }

  /// The failing behaviours of a report, compared with the known ones.
  public struct Comparison: Hashable, Sendable {
    /// The failing behaviours that the baseline lacks, in the words of ``ExplorationReport/Behaviour/words``.
    public let new: [String]
    /// The failing behaviours that the baseline lists and the exploration saw.
    public let known: [String]
    /// The listed behaviours that the exploration did not see; empty unless the exploration was complete.
    public let gone: [String]
  }

  private struct Document: Codable {
    var baseline: Int
    var scenario: String
    var profile: String
    var bound: Int
    var known: [String]
  }

  private static let version = 1
  private let document: Document

  /// The baseline's size in one line.
  public var description: String {
    "a baseline with \(FigureText.count(document.known.count, "known failure")) of \(document.scenario) "
      + "under \"\(document.profile)\""
  }

  /// Creates a baseline of the failing behaviours in a report.
  public init(_ report: ExplorationReport) {
    document = Document(
      baseline: Self.version, scenario: report.scenario, profile: report.profile, bound: report.bound,
      known: report.behaviours.filter(\.isFailure).map(\.words).sorted())
  }

  /// Reads a baseline from its file.
  ///
  /// - Throws: ``Problem`` when the file is missing, damaged, or of a newer version.
  public init(contentsOf file: URL) throws(Problem) {
    func problem(_ reason: String) -> Problem { Problem(file: file.path, reason: reason) }
    guard let data = try? Data(contentsOf: file) else { throw problem("there is no such file, or it cannot be read") }
    struct Version: Decodable { var baseline: Int }
    guard let version = try? JSONDecoder().decode(Version.self, from: data) else {
      throw problem("this is not a baseline, or it is damaged; write a new one with --update-baseline")
    }
    guard version.baseline <= Self.version else {
      throw problem("version \(version.baseline) of a baseline is newer than this package, which reads \(Self.version)")
    }
    guard let document = try? JSONDecoder().decode(Document.self, from: data) else {
      throw problem("the baseline is damaged; write a new one with --update-baseline")
    }
    self.document = document
  }

  /// The baseline as JSON, the text of its file.
  public var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = (try? encoder.encode(document)) ?? Data()
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  /// Compares the failing behaviours in a report with the known ones.
  ///
  /// - Throws: ``Problem`` when the baseline belongs to another exploration.
  public func compare(_ report: ExplorationReport, file: String) throws(Problem) -> Comparison {
    let own = "\(document.scenario) under \"\(document.profile)\", up to \(document.bound)"
    let other = "\(report.scenario) under \"\(report.profile)\", up to \(report.bound)"
    guard own == other else {
      throw Problem(file: file, reason: "this is the baseline of \(own), but the exploration is of \(other)")
    }
    let failing = report.behaviours.filter(\.isFailure).map(\.words)
    let known = Set(document.known)
    let isWhole = !report.isPartial && report.shardCount == 1
    return Comparison(
      new: failing.filter { !known.contains($0) }, known: failing.filter(known.contains),
      gone: isWhole ? document.known.filter { !failing.contains($0) } : [])
  }
}
