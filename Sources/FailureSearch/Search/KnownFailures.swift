public import Foundation
import Internals
import NetworkConditions

/// A file of seeds that have failed, which a search tries first.
///
/// Each line has the profile's name in quotation marks, the seed, and after a number sign what failed. Lines may be
/// removed by hand. A missing file counts as empty. Put the file under version control.
///
/// A run that ends the process, such as a trap in the client, still adds its seed if the folder exists.
///
/// SwiftPM warns of unused files in a target's folder. If the folder stands beside a test's source file, exclude it in
/// `Package.swift`:
///
/// ```swift
/// .testTarget(name: "FeedTests", dependencies: ["Feed"], exclude: ["KnownFailures"])
/// ```
public struct KnownFailures: Hashable, Sendable {
  /// The location of the file.
  public let file: URL

  /// Uses a file, which need not exist yet.
  public init(file: URL) {
    self.file = file
  }

  /// Uses a file in a folder, named after the search.
  public init(folder: URL, name: String) {
    var plain = name.unicodeScalars.map { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "_"
        ? String(scalar) : "-"
    }.joined()
    // A file system takes names of at most 255 bytes.
    while plain.count > 120 || plain.utf8.count > 240 { plain.removeLast() }
    file = folder.appendingPathComponent("\(plain).seeds")
  }

  /// Uses a file in the folder `KnownFailures` beside a test's source file; `nil` when that folder is missing.
  package init?(besides source: String, name: String) {
    let folder = URL(fileURLWithPath: source).deletingLastPathComponent()
      .appendingPathComponent("KnownFailures", isDirectory: true)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
      return nil
    }
    self.init(folder: folder, name: name)
  }

  fileprivate struct Entry: Hashable {
    var profile: String
    var seed: UInt64

    func line(_ words: String) -> String { "\(KnownFailures.quoted(profile)) \(seed) # \(words)\n" }
  }

  /// The lines that a run would add if it ended the process, prepared before the run.
  struct Prepared: Sendable {
    fileprivate let file: String
    fileprivate let known: Set<Entry>

    /// The line for a seed; `nil` when the file has it already.
    func record(_ profile: String, _ seed: UInt64) -> CrashReporter.Record? {
      let entry = Entry(profile: profile, seed: seed)
      if known.contains(entry) { return nil }
      return CrashReporter.Record(entry.line("it ended the process"), in: file, header: KnownFailures.header)
    }
  }

  func prepared() throws(FailureSearchError) -> Prepared {
    Prepared(file: file.path, known: Set(try entries()))
  }

  func seeds(of profiles: [NetworkProfile]) throws(FailureSearchError) -> [(NetworkProfile, UInt64)] {
    try entries().compactMap { entry in
      profiles.first { $0.name == entry.profile }.map { ($0, entry.seed) }
    }
  }

  /// A lock for the file, because parallel searches may share it.
  private static let writing = Mutex(())

  func add(_ failures: [FoundFailure]) throws(FailureSearchError) {
    let result = Self.writing.withLock { _ in
      Result { () throws(FailureSearchError) in try addAlone(failures) }
    }
    try result.get()
  }

  private func addAlone(_ failures: [FoundFailure]) throws(FailureSearchError) {
    let known = Set(try entries())
    let fresh = failures.filter { !known.contains(Entry(profile: $0.profile, seed: $0.seed)) }
    guard !fresh.isEmpty else { return }
    var text = (try? String(contentsOf: file, encoding: .utf8)) ?? Self.header
    if !text.hasSuffix("\n") { text += "\n" }
    for failure in fresh {
      let words = "\(failure.fingerprint)".split(whereSeparator: \.isNewline).joined(separator: " ")
      text += Entry(profile: failure.profile, seed: failure.seed).line(words)
    }
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file, options: .atomic)
    } catch {
      throw .knownFailures(file: file.path, reason: "it cannot be written (\(error.localizedDescription))")
    }
  }

  fileprivate static let header = """
    # Seeds that have failed; they are tried first. Remove a line to forget its seed.
    # In Package.swift, `exclude: ["KnownFailures"]` in the test's target keeps SwiftPM from warning about this folder.

    """

  fileprivate static func quoted(_ name: String) -> String {
    "\"\(name.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\""))\""
  }

  private func entries() throws(FailureSearchError) -> [Entry] {
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
      throw .knownFailures(file: file.path, reason: "it is not UTF-8 text")
    }
    var entries: [Entry] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = line.drop { $0 == " " || $0 == "\t" }
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard let entry = Self.entry(line) else {
        throw .knownFailures(
          file: file.path,
          reason: "line \(index + 1) is \"\(line.prefix(60))\"; write for example \"tunnel\" 42 # what failed")
      }
      if !entries.contains(entry) { entries.append(entry) }
    }
    return entries
  }

  /// Reads a line: a profile's name in quotation marks (`\"` escapes one), a seed, and a remark.
  private static func entry(_ line: Substring) -> Entry? {
    guard line.first == "\"" else { return nil }
    var name = ""
    var rest = line.dropFirst()
    while let character = rest.popFirst() {
      if character == "\"" {
        let number = rest.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
        return UInt64(number).map { Entry(profile: name, seed: $0) }
      }
      guard character != "\\" else {
        guard let escaped = rest.popFirst() else { return nil }
        name.append(escaped)
        continue
      }
      name.append(character)
    }
    return nil
  }
}
