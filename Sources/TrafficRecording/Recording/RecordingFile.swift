import Foundation
import NetworkConditions
import Synchronization

/// The archive's file while it is recorded: entries go in as they end, and the file has its name once it is complete.
final class RecordingFile: Sendable {
  private struct State {
    var handle: FileHandle?
    var count = 0
    /// The paths of the bodies that entries name.
    var bodies: Set<String> = []
    var problem: String?
  }

  let folder: RecordingFolder
  private let target: URL
  private let temporary: URL
  private let state: Mutex<State>
  private let number = Atomic<Int>(0)

  init(_ target: URL, overwrites: Bool) throws(HTTPArchiveError) {
    self.target = target
    let name = target.lastPathComponent
    let bodies = RecordingFolder.url(for: target)
    for (url, mayBeFolder) in [(target, false), (bodies, true)] {
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path) else { continue }
      let type = attributes[.type] as? FileAttributeType
      guard type == (mayBeFolder ? .typeDirectory : .typeRegular) else {
        throw .unwritable(
          file: name, reason: "\(url.path.quoted) is in its place and is no ordinary \(mayBeFolder ? "folder" : "file")"
        )
      }
      guard overwrites else { throw .alreadyExists(path: url.path) }
    }
    let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
    folder = RecordingFolder(for: target, suffix: suffix)
    temporary = target.deletingLastPathComponent().appendingPathComponent(".\(name).\(suffix).part")
    do {
      guard FileManager.default.createFile(atPath: temporary.path, contents: nil) else {
        throw CocoaError(.fileWriteUnknown)
      }
      let handle = try FileHandle(forWritingTo: temporary)
      try handle.write(contentsOf: Data(HTTPArchive().preamble))
      state = Mutex(State(handle: handle))
    } catch {
      throw .unwritable(
        file: name, reason: "cannot write in the folder \(target.deletingLastPathComponent().path.quoted)")
    }
  }

  deinit {
    _ = try? finish()
  }

  /// The number of the next exchange, from 1.
  func nextNumber() -> Int { number.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Adds an entry, unless the recording is over.
  func append(_ entry: HTTPArchive.Entry) {
    let json = entry.json
    state.withLock { state in
      guard let handle = state.handle else { return }
      do {
        try handle.write(contentsOf: Data(HTTPArchive.separator(before: state.count) + json))
        state.count += 1
        state.bodies.formUnion([entry.request.body?.file, entry.response.content.file].compactMap { $0 })
      } catch {
        state.problem = state.problem ?? error.localizedDescription
      }
    }
  }

  /// Creates the file of a body, unless the recording is over.
  func createBody(_ name: String) throws -> FileHandle {
    try state.withLock { state in
      guard state.handle != nil else { throw CocoaError(.fileWriteUnknown) }
      return try folder.create(name)
    }
  }

  /// Takes note of something that could not be written.
  func note(_ error: any Error) {
    state.withLock { $0.problem = $0.problem ?? error.localizedDescription }
  }

  /// Ends the file and puts it under its name; the second time it does nothing.
  ///
  /// - Returns: how many entries were recorded.
  func finish() throws(HTTPArchiveError) -> Int {
    let (handle, count, bodies, problem) = state.withLock { state in
      defer { state.handle = nil }
      return (state.handle, state.count, state.bodies, state.problem)
    }
    guard let handle else { return count }
    do {
      if let problem { throw CocoaError(.fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: problem]) }
      try handle.write(contentsOf: Data(HTTPArchive.ending))
      try handle.close()
      try folder.keep(bodies)
      guard rename(temporary.path, target.path) == 0 else {
        throw CocoaError(.fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: String(cString: strerror(errno))])
      }
      return count
    } catch {
      try? handle.close()
      try? FileManager.default.removeItem(at: temporary)
      folder.discard()
      throw .unwritable(file: target.lastPathComponent, reason: "cannot be written: \(error.localizedDescription)")
    }
  }

  /// Removes what was written.
  func discard() {
    let handle = state.withLock { state in
      defer { state.handle = nil }
      return state.handle
    }
    guard let handle else { return }
    try? handle.close()
    try? FileManager.default.removeItem(at: temporary)
    folder.discard()
  }
}
