import Foundation
import Internals

/// Where an option's file goes: to its place once it is complete, or to standard output when it is `-`.
struct Output: Sendable {
  /// The path from the root on; `-` is standard output.
  let path: String
  private let file: PendingFile?
  private let console: Console

  /// Makes sure that there is a place for the file, before any work is done.
  init(_ path: String, of option: Option, on console: Console) throws {
    self.console = console
    guard !path.isEmpty else {
      throw UsageError("--\(option.name) needs the name of a file, or - for standard output")
    }
    if Self.isStandard(path) {
      (self.path, file) = ("-", nil)
    } else {
      self.path = URL(fileURLWithPath: path).path
      file = try PendingFile(path)
    }
  }

  /// Whether a path is that of standard output.
  static func isStandard(_ path: String) -> Bool { path == "-" || PendingFile.descriptor(named: path) == 1 }

  func write(_ data: Data) throws {
    if let file { return try file.write(data) }
    do {
      try console.out(data)
    } catch {
      throw Failure(sentence: Console.lost(error))
    }
  }

  /// Puts the file under its name.
  func keep() throws { try file?.keep() }

  /// Removes what was written, as far as it can be taken back.
  func discard() { file?.discard() }
}

extension Output {
  /// Writes a text as the whole of a file, or to standard output when no file is named.
  static func write(_ text: String, to path: String?, of option: Option, on console: Console) throws {
    let output = try Output(path ?? "-", of: option, on: console)
    try output.write(Data(text.utf8))
    try output.keep()
  }

  /// Whether one of the files is standard output; throws when two are, or `--json` wants it, too.
  static func takesStandard(_ files: [(option: Option, path: String)], json: Bool) throws -> Bool {
    let wanting = files.filter { isStandard($0.path) }.map { "--\($0.option.name) -" }
    let all = (json ? ["--json"] : []) + wanting
    guard all.count < 2 else {
      throw UsageError("\(all[0]) and \(all[1]) both want standard output; name a file for one of them")
    }
    return !wanting.isEmpty
  }
}
