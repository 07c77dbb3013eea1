import Foundation

/// What is read where a file is named.
enum Input {
  /// All that comes from standard input, which is `-`, from a pipe or a device; nothing for what its reader opens itself.
  static func stream(_ path: String, atMost limit: Int = 16 << 20) throws -> Data? {
    var facts = stat()
    guard path == "-" || (stat(path, &facts) == 0 && ![S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT)) else {
      return nil
    }
    do {
      let handle = path == "-" ? .standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      // One byte more than allowed, so that more is refused rather than cut off.
      let data = try handle.read(upToCount: limit + 1) ?? Data()
      guard data.count <= limit else { throw Failure(sentence: "\(name(path)): is larger than \(limit >> 20) MiB") }
      return data
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(sentence: "\(name(path)): cannot be read: \(error.localizedDescription)")
    }
  }

  /// How errors call it.
  static func name(_ path: String) -> String {
    path == "-" ? "standard input" : URL(fileURLWithPath: path).lastPathComponent
  }
}
