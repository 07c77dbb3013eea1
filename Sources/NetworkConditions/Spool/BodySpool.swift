package import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An ordered buffer for the bytes of a body that arrive ahead of the simulated link.
///
/// The first bytes stay in memory, as the slices they came in; what exceeds `memoryLimit` goes to a file that has no
/// name any more, so that nothing remains of it however the transfer or the process ends. Once the reader has caught
/// up, memory is used again and the file gives its space back. A single piece beyond the limit stays in memory when
/// nothing else waits: it is there already, and often shared, as a stub's body is.
///
/// Not safe for use from several threads at once: the owner holds a lock.
package final class BodySpool {
  /// How many bytes stay in memory before the file is used, unless the owner says otherwise.
  package static let standardMemoryLimit = 1 << 20

  /// The most bytes that one read joins from smaller pieces.
  package static let largestJoin = 1 << 20

  /// A piece at least this large is handed out by itself, without a copy.
  private static let largePiece = 64 << 10

  private let memoryLimit: Int
  private let directory: URL?
  private var pieces = PieceQueue()
  private var file: SpoolFile?

  /// How many bytes wait to be read.
  package var count: Int64 { Int64(pieces.count) + (file?.count ?? 0) }

  /// Whether no byte waits to be read.
  package var isEmpty: Bool { count == 0 }

  /// How many of the waiting bytes are in memory.
  package var bytesInMemory: Int { pieces.count }

  /// Creates an empty spool.
  ///
  /// - Parameters:
  ///   - memoryLimit: how many bytes may wait in memory; `Int.max` for bodies that are in memory anyway.
  ///   - directory: where the file is made, when one is needed; `nil` is the system's temporary folder.
  package init(memoryLimit: Int = BodySpool.standardMemoryLimit, directory: URL? = nil) {
    self.memoryLimit = memoryLimit
    self.directory = directory
  }

  /// Creates a spool whose file is already open, which lets tests give it one that cannot be written to.
  init(memoryLimit: Int, file: SpoolFile) {
    self.memoryLimit = memoryLimit
    directory = nil
    self.file = file
  }

  /// Adds bytes at the end; without a copy while they stay in memory.
  ///
  /// - Throws: `URLError(.cannotCreateFile)` or `URLError(.cannotWriteToFile)`, with the POSIX error beneath it, when
  ///   the disk does not take them. The spool still gives what it had.
  package func append(_ data: Data) throws(URLError) {
    guard !data.isEmpty else { return }
    // Order: whatever is in the file came after all that is in memory.
    if file?.isEmpty ?? true, pieces.count <= memoryLimit - min(data.count, memoryLimit) {
      pieces.append(data)
      return
    }
    if file == nil { file = try SpoolFile(in: directory) }
    try file?.append(data)
  }

  /// Takes bytes from the front: at most `limit`, at least one unless nothing waits or `limit` is not positive.
  ///
  /// A large piece comes out as a slice of what went in, so its `startIndex` need not be 0; small ones are joined, up
  /// to ``largestJoin``. Call again for more.
  ///
  /// - Throws: `URLError(.cannotOpenFile)`, with the POSIX error beneath it, when the file cannot be read back.
  package func read(upTo limit: Int) throws(URLError) -> Data {
    guard limit > 0 else { return Data() }
    if !pieces.isEmpty {
      return pieces.take(upTo: limit, alone: Self.largePiece, joined: Self.largestJoin)
    }
    guard let file, !file.isEmpty else { return Data() }
    return try file.take(upTo: min(limit, Self.largestJoin))
  }

  /// Forgets all bytes and closes the file.
  package func removeAll() {
    pieces = PieceQueue()
    file = nil
  }
}
