package import Foundation
import Synchronization

/// A file written atomically: it becomes complete under its name, or the old one stays.
///
/// A regular file is written next to its destination, then renamed. Links are followed, and permissions of a replaced
/// file are kept. Devices, FIFOs, sockets and the process's descriptors (`/dev/stdout`, `/dev/fd/3`) are never
/// replaced: bytes are written directly. Unless ``keep()`` succeeds, the temporary file is removed with this object.
/// If the system allows, the temporary file has no name, so a killed process leaves no file.
package final class PendingFile: Sendable {
  private struct State {
    var descriptor: Int32
    /// The temporary file's name; `nil` for a stream.
    var temporary: String?
    /// Whether the file is still without a name.
    var isUnnamed = false
  }

  /// The destination, with links followed.
  private let target: String
  private let path: String
  private let state: Mutex<State>
  /// The names of all temporary files of the process.
  private static let temporaries = Mutex<Set<String>>([])

  /// Whether bytes are written directly and cannot be undone, as to a device or a pipe.
  package let isStream: Bool

  /// Creates the temporary file, or opens the stream; throws if it cannot.
  package init(_ path: String) throws(FileError) {
    self.path = path
    target = try Self.followed(path)
    var facts = stat()
    let descriptor: Int32
    if let number = Self.descriptor(named: target) {
      isStream = true
      descriptor = try Self.checked(fcntl(number, F_DUPFD_CLOEXEC, 3), path)
    } else if stat(target, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG {
      guard facts.st_mode & S_IFMT != S_IFDIR else { throw FileError(path, "is a folder; name a file in it") }
      isStream = true
      descriptor =
        facts.st_mode & S_IFMT == S_IFSOCK
        ? try Self.checked(Self.connection(to: target), path)
        : try Self.checked(open(target, O_WRONLY | O_NOCTTY | O_CLOEXEC), path)
    } else {
      isStream = false
      state = Mutex(try Self.begun(beside: target, like: facts.st_mode == 0 ? nil : facts, path))
      return
    }
    state = Mutex(State(descriptor: descriptor))
  }

  deinit {
    discard()
  }

  package func write(_ data: Data) throws(FileError) {
    try state.withLock { (state) throws(FileError) in
      guard state.descriptor >= 0 else { return }
      do throws(SystemError) {
        try SystemError.write(data, to: state.descriptor)
      } catch {
        throw FileError(path, unwritten: error)
      }
    }
  }

  /// Renames the file to its destination; on failure the old file stays.
  package func keep() throws(FileError) {
    try state.withLock { (state) throws(FileError) in
      guard state.descriptor >= 0 else { return }
      defer { Self.forget(&state) }
      let isNamed = !state.isUnnamed || state.temporary.map { UnnamedFile.name(state.descriptor, $0) } ?? false
      let obstacle = SystemError()
      // Some file systems report a full disk only on closing.
      let isWhole = close(state.descriptor) == 0
      guard isNamed else { throw FileError(path, unwritten: obstacle) }
      if isWhole, state.temporary.map({ rename($0, target) }) ?? 0 == 0 { return }
      let problem = SystemError()
      if let temporary = state.temporary { unlink(temporary) }
      throw FileError(path, unwritten: problem)
    }
  }

  package func discard() {
    state.withLock { state in
      if state.descriptor >= 0 { close(state.descriptor) }
      if let temporary = state.temporary, !state.isUnnamed { unlink(temporary) }
      Self.forget(&state)
    }
  }

  /// Removes all temporary files of the process, just before it exits.
  package static func discardAll() {
    temporaries.withLock { temporaries in
      for temporary in temporaries { unlink(temporary) }
    }
  }

  private static func forget(_ state: inout State) {
    if let temporary = state.temporary { temporaries.withLock { _ = $0.remove(temporary) } }
    state = State(descriptor: -1)
  }

  /// The process's descriptor that a path such as `/dev/stdout` names; `nil` for other paths.
  package static func descriptor(named path: String) -> Int32? {
    switch path {
    case "/dev/stdin": return 0
    case "/dev/stdout": return 1
    case "/dev/stderr": return 2
    default: break
    }
    for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
      return Int32(path.dropFirst(folder.count))
    }
    return nil
  }

  /// Follows all links of a path; a path that names a descriptor ends the search.
  private static func followed(_ path: String) throws(FileError) -> String {
    var place = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    for _ in 0..<40 {
      guard descriptor(named: place) == nil else { return place }
      var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(place, &buffer, buffer.count)
      guard count >= 0 else { return place }
      let link = String(decoding: buffer[..<count], as: UTF8.self)
      place = link.hasPrefix("/") ? link : "\(folder(of: place))/\(link)"
    }
    throw FileError(path, "is a link that leads in a circle")
  }

  /// Creates a temporary file next to the target, with permissions and owner of the file it will replace.
  private static func begun(beside target: String, like facts: stat?, _ path: String) throws(FileError) -> State {
    if facts != nil { _ = try checked(access(target, W_OK), path) }
    let name = target.split(separator: "/").last?.prefix(40) ?? ""
    let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
    let temporary = "\(folder(of: target))/.\(name).\(suffix).part"
    let mode: mode_t = facts == nil ? 0o666 : 0o600
    let unnamed = UnnamedFile.open(in: "\(folder(of: target))/", mode)
    let isUnnamed = unnamed >= 0
    let descriptor = isUnnamed ? unnamed : open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else {
      let problem = SystemError()
      throw FileError(path, "cannot be written in the folder \"\(folder(of: target))\": \(problem)")
    }
    temporaries.withLock { _ = $0.insert(temporary) }
    if let facts {
      // Only the superuser may keep another owner.
      _ = fchown(descriptor, facts.st_uid, facts.st_gid)
      fchmod(descriptor, facts.st_mode & 0o7777)
    }
    return State(descriptor: descriptor, temporary: temporary, isUnnamed: isUnnamed)
  }

  private static func folder(of path: String) -> Substring {
    path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
  }

  private static func checked(_ result: Int32, _ path: String) throws(FileError) -> Int32 {
    guard result >= 0 else { throw FileError(path, unwritten: SystemError()) }
    return result
  }

  /// Connects to a Unix domain socket; returns its descriptor or -1.
  private static func connection(to path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, SystemSocket.stream, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let result = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result < 0 else { return descriptor }
    let problem = errno
    close(descriptor)
    errno = problem
    return -1
  }
}

/// A file that cannot be read or written, with the reason.
package struct FileError: ExplainedError, Hashable, Sendable, LocalizedError {
  /// The path as the caller gave it.
  package let path: String
  /// The reason as the rest of a sentence, such as `is a folder`.
  package let reason: String

  package init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  init(_ path: String, unwritten problem: SystemError) {
    self.init(path, "cannot be written: \(problem)")
  }

  package var description: String { explanation.ending(sentence) }
  package var sentence: String { "\"\(path)\" \(reason)" }
  package var explanation: Explanation { .unwritableFile }
  package var errorDescription: String? { description }
}
