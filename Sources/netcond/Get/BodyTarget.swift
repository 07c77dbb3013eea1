import Foundation

/// Where the body of a response goes.
enum BodyTarget: Equatable {
  /// Nowhere: its bytes are counted.
  case count
  /// To standard output, as it arrives.
  case standardOutput
  /// To a file, which exists once all of it has arrived.
  case file(URL)
}

/// A file that appears under its name when it is complete, and leaves nothing over otherwise.
///
/// What arrives is written beside the target, so that the last step is a rename within one file system.
struct PendingFile: Sendable {
  private let target: URL
  private let temporary: URL
  private var handle: FileHandle?

  /// Begins the file; throws a ``UsageError`` that names the option when there is no place for it.
  init(_ target: URL, option: String = "output") throws {
    self.target = target
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder), isFolder.boolValue {
      throw UsageError("--\(option): \"\(target.path)\" is a folder; name a file in it")
    }
    let folder = target.deletingLastPathComponent()
    let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
    temporary = folder.appendingPathComponent(".\(target.lastPathComponent).\(suffix).part")
    let made = FileManager.default.createFile(atPath: temporary.path, contents: nil)
    guard made, let handle = try? FileHandle(forWritingTo: temporary) else {
      throw UsageError("--\(option): cannot write in the folder \"\(folder.path)\"")
    }
    self.handle = handle
  }

  func write(_ data: Data) throws {
    try handle?.write(contentsOf: data)
  }

  /// Puts the file under its name.
  mutating func keep() throws {
    try handle?.close()
    handle = nil
    guard rename(temporary.path, target.path) == 0 else {
      let reason = String(cString: strerror(errno))
      discard()
      throw CocoaError(.fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: reason])
    }
  }

  /// Removes what was written.
  mutating func discard() {
    try? handle?.close()
    handle = nil
    try? FileManager.default.removeItem(at: temporary)
  }
}
