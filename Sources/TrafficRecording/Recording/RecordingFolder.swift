import Foundation
import NetworkConditions

/// The folder with the bodies of a recording, which has a temporary name until the recording is complete.
struct RecordingFolder {
  private let target: URL
  private let temporary: URL

  /// Returns the folder for a recording's file: `NAME.bodies` for `NAME.har`.
  static func url(for file: URL) -> URL {
    let folder = file.deletingLastPathComponent()
    return folder.appendingPathComponent("\(file.deletingPathExtension().lastPathComponent).bodies")
  }

  init(for file: URL) {
    target = Self.url(for: file)
    let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
    temporary = file.deletingLastPathComponent().appendingPathComponent(".\(target.lastPathComponent).\(suffix).part")
  }

  func path(of name: String) -> String { "\(target.lastPathComponent)/\(name)" }

  /// Creates a file that must not exist yet, and first the folder if it is missing.
  func create(_ name: String) throws -> FileHandle {
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    let file = temporary.appendingPathComponent(name)
    guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
    }
    return try FileHandle(forWritingTo: file)
  }

  /// Leaves secrets out of a body's file, and returns how many there were.
  func redact(_ path: String?, _ mediaType: String?, by redaction: Redaction) throws -> Int {
    guard let path, !Redaction.isOpaque(mediaType ?? "") else { return 0 }
    let file = temporary.appendingPathComponent((path as NSString).lastPathComponent)
    let masks = redaction.masks(in: try Data(contentsOf: file, options: .alwaysMapped), mediaType: mediaType)
    guard !masks.isEmpty else { return 0 }
    let handle = try FileHandle(forWritingTo: file)
    for mask in masks {
      try handle.seek(toOffset: UInt64(mask.offset))
      try handle.write(contentsOf: mask.bytes)
    }
    try handle.close()
    return masks.count
  }

  /// Moves these files into the final folder; call ``discard()`` next.
  func keep(_ paths: Set<String>) throws {
    let manager = FileManager.default
    for name in (try? manager.contentsOfDirectory(atPath: temporary.path)) ?? [] where !paths.contains(path(of: name)) {
      try manager.removeItem(at: temporary.appendingPathComponent(name))
    }
    if paths.isEmpty { discard() }
    if manager.fileExists(atPath: target.path) {
      for name in try manager.contentsOfDirectory(atPath: target.path) where Self.isBody(name) {
        try manager.removeItem(at: target.appendingPathComponent(name))
      }
    }
    guard manager.fileExists(atPath: temporary.path) else {
      if (try? manager.contentsOfDirectory(atPath: target.path).isEmpty) == true { try manager.removeItem(at: target) }
      return
    }
    guard manager.fileExists(atPath: target.path) else { return try manager.moveItem(at: temporary, to: target) }
    for name in try manager.contentsOfDirectory(atPath: temporary.path) {
      try manager.moveItem(at: temporary.appendingPathComponent(name), to: target.appendingPathComponent(name))
    }
  }

  func discard() {
    try? FileManager.default.removeItem(at: temporary)
  }

  /// Whether a file name is one that recordings use: only such files are ever removed.
  private static func isBody(_ name: String) -> Bool {
    let parts = name.split(separator: "-")
    return parts.count == 2 && Int(parts[0]) != nil && ["request", "response"].contains(parts[1])
  }
}
