import ClientCapture
import Foundation
import Internals

/// How a schedule ends all clients that were launched, and when.
struct ClientDeath: Hashable, Sendable {
  var moment: KillMoment
  /// Whether what they had written and not synchronised is lost.
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

/// What a loss of power leaves of the files of clients: each has the bytes of its last synchronisation, or none.
///
/// That is what fsync(2) promises. A real medium may have kept more, and may have lost new names of files, too; here names
/// last at once.
struct StorageMedium: Sendable {
  /// Whether a loss of power may come: only then it is known what there was.
  var keepsContents = false
  /// The files with bytes that were not synchronised, by their numbers in the file system.
  private(set) var unsynchronised: Set<UInt64> = []
  /// The bytes of each file when it was synchronised last.
  private var contents: [UInt64: Data] = [:]

  mutating func note(_ access: FileAccess, below folder: String) {
    switch access {
    case .named:
      // A file that is gone may leave its number to another.
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

  /// The power fails.
  mutating func losePower(below folder: String) {
    RealTime.run {
      for (number, path) in Self.files(below: folder) where unsynchronised.contains(number) {
        // The file keeps its number.
        guard let file = FileHandle(forWritingAtPath: path) else { continue }
        try? file.truncate(atOffset: 0)
        try? file.write(contentsOf: contents[number] ?? Data())
        try? file.close()
      }
    }
    unsynchronised = []
  }

  /// The paths of the files below a folder, by their numbers in the file system.
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
