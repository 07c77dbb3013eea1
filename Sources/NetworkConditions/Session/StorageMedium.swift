import ClientCapture
import Foundation
import Internals

struct ClientDeath: Hashable, Sendable {
  var moment: KillMoment
  /// Whether the client dies by a power failure, which loses the unsynchronised bytes of its files.
  var losesPower: Bool

  init(_ moment: KillMoment, losesPower: Bool) { (self.moment, self.losesPower) = (moment, losesPower) }

  init?(_ fault: ScheduledFault.Kind) {
    switch fault {
    case .kill(let moment): self.init(moment, losesPower: false)
    case .powerLoss(let moment): self.init(moment, losesPower: true)
    default: return nil
    }
  }
}

/// The clients' files under a power failure, which leaves each file the bytes of its last synchronisation, or none.
///
/// fsync(2) promises no more. A real medium may keep more, and may lose new file names, too; here names are durable at
/// once.
struct StorageMedium: Sendable {
  /// Whether to keep synchronised bytes, because a power failure is scheduled.
  var keepsContents = false
  /// The files with unsynchronised bytes, by their inode numbers.
  private(set) var unsynchronised: Set<UInt64> = []
  /// Each file's bytes at its last synchronisation, by inode number.
  private var contents: [UInt64: Data] = [:]

  mutating func note(_ access: FileAccess, below folder: String) {
    switch access {
    case .named:
      // A removed file's inode number may go to a new file.
      guard !unsynchronised.isEmpty || !contents.isEmpty else { return }
      let files = RealTime.run { Self.files(below: folder) }
      unsynchronised.formIntersection(files.keys)
      contents = contents.filter { files[$0.key] != nil }
    case .written(let file, let isSynchronised):
      unsynchronised.insert(file)
      if isSynchronised { note(.synchronised(file: file), below: folder) }
    case .synchronised(let file):
      let done = file.map { unsynchronised.intersection([$0]) } ?? unsynchronised
      unsynchronised.subtract(done)
      guard keepsContents, !done.isEmpty else { return }
      RealTime.run {
        for (number, path) in Self.files(below: folder) where done.contains(number) {
          contents[number] = FileManager.default.contents(atPath: path)
        }
      }
    }
  }

  mutating func losePower(below folder: String) {
    RealTime.run {
      for (number, path) in Self.files(below: folder) where unsynchronised.contains(number) {
        // Write in place, so that the file keeps its inode.
        guard let file = FileHandle(forWritingAtPath: path) else { continue }
        try? file.truncate(atOffset: 0)
        try? file.write(contentsOf: contents[number] ?? Data())
        try? file.close()
      }
    }
    unsynchronised = []
  }

  private static func files(below folder: String) -> [UInt64: String] {
    var files: [UInt64: String] = [:]
    for name in FileManager.default.enumerator(atPath: folder)?.lazy.compactMap({ $0 as? String }) ?? [] {
      let path = folder + "/" + name
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      guard attributes?[.type] as? FileAttributeType == .typeRegular else { continue }
      if let number = attributes?[.systemFileNumber] as? NSNumber { files[number.uint64Value] = path }
    }
    return files
  }
}
