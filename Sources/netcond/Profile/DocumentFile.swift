import Foundation

/// Files that the program writes beside its output.
enum DocumentFile {
  static func write(_ text: String, to path: String) throws {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    } catch {
      throw UsageError("\(path): cannot be written")
    }
  }
}
