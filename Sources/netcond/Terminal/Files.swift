import Foundation
import Internals
import NetworkConditions

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
      throw Failure(sentence: Console.lost(error), explanation: .unwritableFile)
    }
  }

  /// Puts the file under its name.
  func keep() throws { try file?.keep() }

  /// Removes the unfinished file.
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

/// Reads from where a file is named.
enum Input {
  /// All that comes from standard input, which is `-`, from a pipe or a device; nothing for what its reader opens itself.
  static func stream(_ path: String, atMost limit: Int = 16 << 20) throws -> Data? {
    var facts = stat()
    let isKnown = path == "-" ? fstat(0, &facts) == 0 : stat(path, &facts) == 0
    guard path == "-" || (isKnown && ![S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT)) else { return nil }
    // Others than terminals and the empty one, such as /dev/zero, have no end.
    if isKnown, facts.st_mode & S_IFMT == S_IFCHR, !isTerminal(path), !isNull(facts) {
      throw Failure(
        sentence: "\(path == "-" ? name(path) : path): is a device without an end. Name a file.",
        explanation: .unreadableFile)
    }
    do {
      let handle = path == "-" ? .standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      // One byte more than allowed, so that more is refused rather than cut off.
      let data = try handle.read(upToCount: limit + 1) ?? Data()
      guard data.count <= limit else {
        throw Failure(
          sentence: "\(path == "-" ? name(path) : path): more than \(limit >> 20) MiB came of it, the most that is "
            + "taken. Name a file that ends.", explanation: .unreadableFile)
      }
      return data
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(
        sentence: "\(name(path)): cannot be read: \(error.localizedDescription)", explanation: .unreadableFile)
    }
  }

  private static func isTerminal(_ path: String) -> Bool {
    guard path != "-" else { return isatty(0) == 1 }
    let descriptor = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
    defer { if descriptor >= 0 { close(descriptor) } }
    return isatty(descriptor) == 1
  }

  private static func isNull(_ facts: stat) -> Bool {
    var null = stat()
    return stat("/dev/null", &null) == 0 && null.st_rdev == facts.st_rdev
  }

  /// The bytes of a report, from a file or a stream.
  static func report(_ path: String, atMost limit: Int) throws -> Data {
    if let data = try stream(path, atMost: min(limit, largestStream)) { return data }
    do throws(ProfileError) {
      return try Data(ordinaryFile: URL(fileURLWithPath: path), atMost: limit) { size in
        .unreadable(file: "", reason: "is larger than \(limit >> 20) MiB (\(size) bytes); a report is a few megabytes")
      }
    } catch {
      guard case .unreadable(_, let reason) = error else { throw error }
      throw Failure(sentence: "\(path): \(reason)", explanation: .unreadableFile)
    }
  }

  /// The most bytes that are read from a stream, since all of them stay in memory.
  static let largestStream = 64 << 20

  /// Reads a file by its place, or a stream by its bytes and the name that errors give it.
  static func read<Value>(
    _ path: String, atMost limit: Int = 16 << 20, file: (URL) throws -> Value, stream: (Data, String) throws -> Value
  ) throws -> Value {
    if let data = try self.stream(path, atMost: limit) { return try stream(data, name(path)) }
    return try file(URL(fileURLWithPath: path))
  }

  /// How errors call it.
  static func name(_ path: String) -> String {
    path == "-" ? "standard input" : URL(fileURLWithPath: path).lastPathComponent
  }
}
