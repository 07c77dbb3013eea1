import Foundation
import Internals
import NetworkConditions
import struct Synchronization.Atomic

/// The file of an archive that is being recorded: it gets entries as exchanges end, and its final name when complete.
final class RecordingFile: Sendable {
  private struct State {
    var file: PendingFile?
    var count = 0
    var omissions = HTTPArchive.Omissions()
    var bodies: Set<String> = []
    var problem: String?
  }

  let folder: RecordingFolder
  private let name: String
  /// Whether bodies can be stored in a folder beside the archive.
  let hasFolder: Bool
  private let state: Mutex<State>
  private let number = Atomic<Int>(0)

  init(_ target: URL, overwrites: Bool) throws(HTTPArchiveError) {
    name = target.lastPathComponent
    let file: PendingFile
    do {
      file = try PendingFile(target.path)
    } catch {
      throw .unwritable(file: name, reason: error.reason)
    }
    hasFolder = !file.isStream
    folder = RecordingFolder(for: target)
    if hasFolder {
      let manager = FileManager.default
      if !overwrites, manager.fileExists(atPath: target.path) { throw .alreadyExists(path: target.path) }
      let bodies = RecordingFolder.url(for: target).path
      if let facts = try? manager.attributesOfItem(atPath: bodies) {
        guard facts[.type] as? FileAttributeType == .typeDirectory else {
          throw .unwritable(file: name, reason: "\(bodies.quoted) is in its place and is not an ordinary folder")
        }
        guard overwrites else { throw .alreadyExists(path: bodies) }
      }
    }
    do {
      try file.write(Data(HTTPArchive().preamble))
    } catch {
      throw .unwritable(file: name, reason: error.reason)
    }
    state = Mutex(State(file: file))
  }

  deinit {
    _ = try? finish()
  }

  func nextNumber() -> Int { number.wrappingAdd(1, ordering: .relaxed).newValue }

  var omissions: HTTPArchive.Omissions { state.withLock { $0.omissions } }

  func append(_ entry: HTTPArchive.Entry, _ omissions: HTTPArchive.Omissions) {
    let json = entry.json
    state.withLock { state in
      guard let file = state.file else { return }
      do {
        try file.write(Data(HTTPArchive.separator(before: state.count) + json))
        state.count += 1
        state.omissions += omissions
        state.bodies.formUnion([entry.request.body?.file, entry.response.content.file].compactMap { $0 })
      } catch {
        state.problem = state.problem ?? Self.reason(error)
      }
    }
  }

  func createBody(_ name: String) throws -> FileHandle {
    try state.withLock { state in
      guard state.file != nil else { throw CocoaError(.fileWriteUnknown) }
      return try folder.create(name)
    }
  }

  func note(_ error: any Error) {
    state.withLock { $0.problem = $0.problem ?? Self.reason(error) }
  }

  /// Moves the file to its final name, and returns the number of entries; a second call does nothing.
  func finish() throws(HTTPArchiveError) -> Int {
    let (file, count, bodies, problem) = state.withLock { state in
      defer { state.file = nil }
      return (state.file, state.count, state.bodies, state.problem)
    }
    guard let file else { return count }
    defer {
      file.discard()
      folder.discard()
    }
    do {
      if let problem { throw FileError(name, problem) }
      try file.write(Data(HTTPArchive.ending))
      try folder.keep(bodies)
      try file.keep()
      return count
    } catch {
      throw .unwritable(file: name, reason: Self.reason(error))
    }
  }

  private static func reason(_ error: any Error) -> String {
    (error as? FileError)?.reason ?? "cannot be written: \(error.localizedDescription)"
  }

  func discard() {
    let file = state.withLock { state in
      defer { state.file = nil }
      return state.file
    }
    guard let file else { return }
    file.discard()
    folder.discard()
  }
}
