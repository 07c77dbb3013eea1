import Foundation

/// Reads a file as it comes, and goes on where it was when the connection is lost.
package struct ResumingReader: Sendable {
  private let variant: Variant
  private let pause: @Sendable (Duration) async throws -> Void
  private static let attempts = 4
  /// So many bytes are written down at once.
  private static let block = 64

  package init(clock: any Clock<Duration>, variant: Variant) {
    self.variant = variant
    pause = { try await clock.sleep(for: $0) }
  }

  /// The file.
  ///
  /// - Parameter open: asks for the file from an offset on, and gives its bytes.
  package func read<Bytes: AsyncSequence>(_ open: @Sendable (Int) async throws -> Bytes) async throws -> [UInt8]
  where Bytes.Element == UInt8 {
    var data: [UInt8] = []
    /// How many bytes are written down.
    var kept = 0
    var backoff = Backoff()
    var attempt = 1
    while true {
      do {
        for try await byte in try await open(kept) {
          data.append(byte)
          if data.count - kept == Self.block { kept = data.count }
        }
        return data
      } catch {
        if Task.isCancelled || attempt == Self.attempts { throw error }
        attempt += 1
        switch variant {
        // The server sends the bytes after the last whole block again: unless they are removed, they are there twice.
        case .planted: break
        case .fixed: data.removeLast(data.count - kept)
        }
        try await pause(backoff.next())
      }
    }
  }
}
