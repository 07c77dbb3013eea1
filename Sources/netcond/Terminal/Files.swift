import Foundation
import Internals
import NetworkConditions

/// An option's output file, renamed to its path when it is complete; `-` is standard output.
struct Output: Sendable {
  /// The absolute path; `-` is standard output.
  let path: String
  private let file: PendingFile?
  private let console: Console

  /// Creates a temporary file at the target, so that an error comes before any work is done.
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

  static func isStandard(_ path: String) -> Bool { path == "-" || PendingFile.descriptor(named: path) == 1 }

  func write(_ data: Data) throws {
    if let file { return try file.write(data) }
    do {
      try console.out(data)
    } catch {
      throw Failure(sentence: Console.lost(error), explanation: .unwritableFile)
    }
  }

  func keep() throws { try file?.keep() }

  func discard() { file?.discard() }

  /// Writes a text to a file, or to standard output when `path` is `nil`.
  static func write(_ text: String, to path: String?, of option: Option, on console: Console) throws {
    let output = try Output(path ?? "-", of: option, on: console)
    try output.write(Data(text.utf8))
    try output.keep()
  }

  /// Whether one of the files is standard output; throws if two are, or if `--json` also needs it.
  static func takesStandard(_ files: [(option: Option, path: String)], json: Bool) throws -> Bool {
    let wanting = files.filter { isStandard($0.path) }.map { "--\($0.option.name) -" }
    let all = (json ? ["--json"] : []) + wanting
    guard all.count < 2 else {
      throw UsageError("\(all[0]) and \(all[1]) both want standard output; name a file for one of them")
    }
    return !wanting.isEmpty
  }
}

enum Input {
  /// Reads all of standard input, `-`, or of a pipe or device; `nil` for a regular file, which its reader opens.
  static func stream(_ path: String, atMost limit: Int = 16 << 20) throws -> Data? {
    var facts = stat()
    let isKnown = path == "-" ? fstat(0, &facts) == 0 : stat(path, &facts) == 0
    guard path == "-" || (isKnown && ![S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT)) else { return nil }
    // Devices such as /dev/zero have no end; terminals and /dev/null have one.
    if isKnown, facts.st_mode & S_IFMT == S_IFCHR, !isTerminal(path), !isNull(facts) {
      throw Failure(
        sentence: "\(path == "-" ? name(path) : path): is an endless device. Name a file.",
        explanation: .unreadableFile)
    }
    do {
      let handle = path == "-" ? .standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      // One more byte than allowed, so that longer input is refused and not cut off.
      let data = try handle.read(upToCount: limit + 1) ?? Data()
      guard data.count <= limit else {
        throw Failure(
          sentence: "\(path == "-" ? name(path) : path): it has more than \(limit >> 20) MiB, the most that is "
            + "accepted. Name a smaller file.", explanation: .unreadableFile)
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

  static func file(_ path: String, atMost limit: Int) throws -> Data {
    if let data = try stream(path, atMost: min(limit, largestStream)) { return data }
    do throws(ProfileError) {
      return try Data(ordinaryFile: URL(fileURLWithPath: path), atMost: limit) { size in
        .unreadable(file: "", reason: "is larger than \(limit >> 20) MiB (\(size) bytes)")
      }
    } catch {
      guard case .unreadable(_, let reason) = error else { throw error }
      throw Failure(sentence: "\(path): \(reason)", explanation: .unreadableFile)
    }
  }

  /// The most bytes that are read from a stream, since all are kept in memory.
  static let largestStream = 64 << 20

  /// Reads a file by its URL, or a stream by its bytes and its name for errors.
  static func read<Value>(
    _ path: String, atMost limit: Int = 16 << 20, file: (URL) throws -> Value, stream: (Data, String) throws -> Value
  ) throws -> Value {
    if let data = try self.stream(path, atMost: limit) { return try stream(data, name(path)) }
    return try file(URL(fileURLWithPath: path))
  }

  static func name(_ path: String) -> String {
    path == "-" ? "standard input" : URL(fileURLWithPath: path).lastPathComponent
  }
}
